"""Exact epoch moments against reference values, brute-force enumeration, and Lemma 1."""

from itertools import product

import numpy as np
import pytest

from epochbandits import Instance
from epochbandits.model.moments import deviations, epoch_mean, worst_deviation
from epochbandits.model.setting import Setting
from epochbandits.theory import penalty
from exact_moments import advance, epoch_variance, script_moments
from vectors import vector_cases

CASES = list(vector_cases())


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
@pytest.mark.parametrize(("entry", "values", "instance", "epochs"), CASES)
def test_scripts_against_reference_values(entry, values, instance, epochs, sampling):
    expected = values["script"]
    moments = script_moments(instance, expected["arms"], epochs, sampling)
    assert moments.tau.tolist() == expected["taus"]
    np.testing.assert_allclose(moments.mean, expected["mean"], rtol=1e-12, atol=1e-16)
    np.testing.assert_allclose(
        moments.variance, expected[f"var_{sampling}"], rtol=1e-11, atol=1e-17
    )
    np.testing.assert_allclose(moments.start, expected["beta_start"], rtol=1e-11, atol=1e-15)
    assert moments.regret[-1] == pytest.approx(expected["regret"], rel=1e-12)


@pytest.mark.parametrize(("entry", "values", "instance", "epochs"), CASES)
def test_lemma_1_holds_for_the_worst_start(entry, values, instance, epochs):
    for row in values["lemma1"]:
        for arm, mixing in enumerate(instance.mixing):
            worst = worst_deviation(instance, arm, row["tau"], epochs.gamma)
            assert worst == pytest.approx(row["worst_exact"][arm], rel=1e-10, abs=1e-15)
            assert worst <= penalty.lemma1_bound(row["tau"], mixing, epochs.gamma)


def enumerate_moments(instance, arm, beta, tau, gamma, sampling):
    """Mean and variance over all state paths and all values of two-point rewards."""
    P, law = instance.transition[arm], [np.array(beta)]
    for _ in range(tau - 1):
        law.append(law[-1] @ P)
    weights = gamma ** np.arange(tau - 1, -1, -1.0)
    weights /= weights.sum()
    means = instance.reward_means[arm]
    first = second = 0.0
    for path in product(range(instance.states), repeat=tau):
        chance = beta[path[0]]
        for s in range(1, tau):
            chance *= P[path[s - 1], path[s]] if sampling == "trajectory" else law[s][path[s]]
        for outcome in product((0, 1), repeat=tau):
            p = chance
            for state, value in zip(path, outcome, strict=True):
                p *= means[state] if value else 1 - means[state]
            x = float(weights @ outcome)
            first += p * x
            second += p * x * x
    return first, second - first**2


@pytest.fixture
def bernoulli_instance():
    return Instance.from_dict(
        {
            "name": "b",
            "transition": [[[0.7, 0.3], [0.1, 0.9]], [[0.2, 0.8], [0.6, 0.4]]],
            "rewards": [
                [{"law": "bernoulli", "p": 0.9}, {"law": "bernoulli", "p": 0.2}],
                [{"law": "bernoulli", "p": 0.3}, {"law": "bernoulli", "p": 0.6}],
            ],
            "initial": [0.35, 0.65],
        }
    )


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
@pytest.mark.parametrize("gamma", [1.0, 0.6])
@pytest.mark.parametrize("tau", [1, 2, 4])
def test_moments_equal_a_full_enumeration(bernoulli_instance, tau, gamma, sampling):
    for arm in range(2):
        beta = bernoulli_instance.initial
        mean, variance = enumerate_moments(bernoulli_instance, arm, beta, tau, gamma, sampling)
        assert epoch_mean(bernoulli_instance, arm, beta, tau, gamma) == pytest.approx(
            mean, rel=1e-13
        )
        computed = epoch_variance(bernoulli_instance, arm, beta, tau, gamma, sampling)
        assert computed == pytest.approx(variance, rel=1e-12)


def test_samplings_share_means_but_not_variances(bernoulli_instance):
    epochs = Setting(5, 2, 0.9)
    first = script_moments(bernoulli_instance, [0, 1, 0], epochs, "marginal")
    second = script_moments(bernoulli_instance, [0, 1, 0], epochs, "trajectory")
    np.testing.assert_array_equal(first.mean, second.mean)
    assert np.abs(first.variance / second.variance - 1).min() > 0.01


def test_variance_includes_the_reward_law(two_arm_dict):
    """From a known state one iteration has exactly the variance of its law."""
    instance = Instance.from_dict(two_arm_dict)
    for arm, state in product(range(2), range(2)):
        start = np.eye(2)[state]
        for sampling in ("marginal", "trajectory"):
            variance = epoch_variance(instance, arm, start, 1, 1.0, sampling)
            assert variance == pytest.approx(instance.rewards[arm][state].variance, abs=1e-16)


def test_deviations_converge(bernoulli_instance):
    W = deviations(bernoulli_instance, 0, 3000, 1.0)
    np.testing.assert_allclose(W[3000], W[2000], atol=1e-12)
    pi = bernoulli_instance.pi[0]
    np.testing.assert_allclose(W @ pi, 0, atol=1e-13)


def test_advance_is_tau_single_steps(bernoulli_instance):
    beta = np.array(bernoulli_instance.initial)
    for _ in range(9):
        beta = beta @ bernoulli_instance.transition[1]
    advanced = advance(bernoulli_instance, 1, bernoulli_instance.initial, 9)
    np.testing.assert_allclose(advanced, beta, rtol=1e-14)
