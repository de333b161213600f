"""Properties that must hold on every instance, over random ones."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from epochbandits import Instance
from epochbandits.model import chains
from epochbandits.model.moments import worst_deviation
from epochbandits.model.rewards import Bernoulli
from epochbandits.model.setting import Setting
from epochbandits.theory import greedy, penalty, ucb

# A step of at least 1e-6 keeps brute-force powers of P meaningful in double precision.
entries = st.one_of(st.just(0.0), st.floats(1e-6, 1.0))
gammas = st.one_of(st.just(1.0), st.floats(0.05, 0.9999))


@st.composite
def instances(draw):
    arms, states = draw(st.integers(1, 4)), draw(st.integers(1, 6))
    raw = draw(hnp.arrays(float, (arms, states, states), elements=entries))
    # A cycle and a positive diagonal make every draw satisfy both assumptions.
    raw += 0.01 * np.roll(np.eye(states), 1, axis=1) + 0.01 * np.eye(states)
    means = draw(hnp.arrays(float, (arms, states), elements=st.floats(0, 1)))
    initial = draw(hnp.arrays(float, states, elements=st.floats(0.01, 1)))
    return Instance(
        "random",
        raw / raw.sum(axis=2, keepdims=True),
        tuple(tuple(Bernoulli(float(p)) for p in row) for row in means),
        initial / initial.sum(),
    )


@st.composite
def epoch_rules(draw):
    return Setting(draw(st.integers(1, 60)), draw(st.integers(1, 20)), draw(gammas))


@settings(deadline=None, max_examples=150)
@given(instances())
def test_stationary_distributions_and_mixing(instance):
    for P, pi, mixing in zip(instance.transition, instance.pi, instance.mixing, strict=True):
        np.testing.assert_allclose(pi.sum(), 1, rtol=1e-13)
        np.testing.assert_allclose(pi @ P, pi, rtol=1e-9, atol=1e-15)
        assert 0 <= mixing.lam < 1
        assert chains.constant_C_exact(pi) <= mixing.C


@settings(deadline=None, max_examples=150)
@given(instances(), gammas, st.integers(1, 80))
def test_lemma_1_is_never_violated_by_the_worst_start(instance, gamma, tau):
    for arm, mixing in enumerate(instance.mixing):
        worst = worst_deviation(instance, arm, tau, gamma)
        bound = float(penalty.lemma1_bound(tau, mixing, gamma))
        assert worst <= bound * (1 + 1e-9)
        exact = chains.Mixing(mixing.log_lam, chains.constant_C_exact(instance.pi[arm]))
        assert worst <= float(penalty.lemma1_bound(tau, exact, gamma)) * (1 + 1e-9) + 1e-15


@settings(deadline=None, max_examples=100)
@given(instances(), st.integers(0, 60))
def test_total_variation_is_bounded_by_fill(instance, steps):
    for P, pi, mixing in zip(instance.transition, instance.pi, instance.mixing, strict=True):
        power = np.linalg.matrix_power(P, steps)
        worst = 0.5 * np.abs(power - pi).sum(axis=1).max()
        bound = chains.constant_C_exact(pi) * mixing.lam**steps
        assert worst <= bound * (1 + 1e-9) + 1e-13


@settings(deadline=None, max_examples=150)
@given(instances(), epoch_rules(), st.integers(1, 200))
def test_closed_forms_equal_sums(instance, epochs, T):
    for mixing in instance.mixing:
        lam, gamma = mixing.lam, epochs.gamma
        tau = epochs.tau0 + epochs.zeta * np.arange(T)
        bounds = []
        for t in tau[:5]:
            s = np.arange(t)
            upsilon = np.sum(gamma ** (t - 1.0 - s) * lam ** (1.0 * s))
            bounds.append(mixing.C * upsilon / np.sum(gamma ** (1.0 * s)))
            assert penalty.upsilon(t, mixing, gamma) == pytest.approx(upsilon, rel=1e-7)
        few = min(T, 5)
        tight = penalty.penalty_bound(few, [mixing], epochs, "tight")[0]
        assert tight == pytest.approx(sum(bounds), rel=1e-7)


@settings(deadline=None, max_examples=150)
@given(instances(), epoch_rules(), st.integers(2, 400))
def test_bounds_are_ordered_and_monotone(instance, epochs, n):
    plays = np.arange(1, n + 1)
    values = {
        variant: penalty.penalty_bound(plays, instance.mixing, epochs, variant)
        for variant in penalty.VARIANTS
    }
    slack = 1 + 1e-9
    assert (values["tight"] <= values["min"] * slack).all()
    assert (values["min"] <= values["paper"] * slack).all()
    for variant, L in values.items():
        assert (np.diff(L, axis=1) >= -1e-12 * L[:, :-1]).all()
        rho = penalty.rho(n, instance.mixing, epochs, variant)
        assert (L / plays <= rho[:, None] / np.sqrt(plays) * slack).all()
        kappa = penalty.kappa_per_arm(n, instance.mixing, epochs, variant)
        assert (kappa <= rho * slack).all()
    ns = np.unique(np.clip(plays, max(instance.arms, 2), None))
    for bound in (ucb.regret_bound, ucb.gap_independent_bound):
        curve = bound(ns, instance, epochs)
        assert (np.diff(curve) >= -1e-9 * curve[:-1]).all()
        tight = bound(ns, instance, epochs, "tight")
        assert (tight <= curve * slack).all()


@settings(deadline=None, max_examples=100)
@given(instances(), epoch_rules(), st.floats(8.001, 1e4), st.integers(2, 600))
def test_greedy_probabilities_are_probabilities(instance, epochs, cprime, n):
    if instance.min_gap is None or instance.min_gap < 1e-6:
        return
    kappa = float(penalty.kappa_per_arm(n, instance.mixing, epochs).max())
    constants = greedy.constants(cprime, kappa, instance.min_gap, instance.arms)
    assert constants.nu == pytest.approx(max(kappa, constants.d / cprime**0.5), rel=1e-12)
    for form in greedy.FORMS:
        sums = greedy.plays_bound(np.arange(1, n + 1), instance, constants, form)
        steps = np.diff(sums, axis=1, prepend=0)[instance.gap > 0]
        assert (steps >= 0).all()
        assert (steps <= 1 + 1e-9).all()
        early = np.arange(1, n + 1) <= constants.k_prime
        np.testing.assert_allclose(steps[:, early], 1 / instance.arms, rtol=1e-9)
