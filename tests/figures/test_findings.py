"""The mechanisms behind the findings of docs/findings.md, each tried by itself.

Finding 5 (the eigenvalues' scale) is test_D5 of test_errata, finding 6 (Theorem 2's proof) are
test_E6 and test_E7.
"""

import numpy as np
import pytest

from epochbandits import Instance
from epochbandits.engine.simulation import simulate
from epochbandits.model.generators import generate
from epochbandits.model.moments import worst_deviation
from epochbandits.model.rewards import Constant
from epochbandits.model.setting import Setting
from epochbandits.model.structure import good_states, holding_time
from epochbandits.theory.greedy import best_constants
from epochbandits.theory.penalty import discount_sum, penalty_bound
from exact_moments import epoch_variance, reward_variances

INSTANCE = generate("anticorrelated", 4, 4, 0)
BEST = INSTANCE.best_arm


# --- finding 1: when UCB fails; tests/model/test_lock_in.py has the prediction --------------------


def correlation(sampling):
    """Return the correlation of the best arm's successive rewards, long after the start."""
    runs = simulate(
        INSTANCE, "fixed-arm", arm=BEST, epochs=40_000, seeds=[0], schedule="fixed:1",
        sampling=sampling, trace="full",
    )  # fmt: skip
    reward = runs["reward"].to_numpy()[1000:]
    return np.corrcoef(reward[1:], reward[:-1])[0, 1]


def test_1_redrawing_the_state_makes_successive_rewards_independent():
    """On a path one good reward announces the next; redrawn, it says nothing."""
    pi, P = INSTANCE.pi[BEST], INSTANCE.transition[BEST]
    centred = INSTANCE.reward_means[BEST] - INSTANCE.mu[BEST]
    variance = pi @ (reward_variances(INSTANCE)[BEST] + centred**2)
    exact = (pi * centred) @ P @ centred / variance
    assert exact > 0.3
    assert correlation("trajectory") == pytest.approx(exact, abs=0.05)
    assert abs(correlation("marginal")) < 0.03


def test_1_a_path_that_has_reached_the_good_states_stays_there():
    """Far longer than the 1/(1-λ) iterations in which the distribution moves."""
    good = good_states(INSTANCE)
    stay = INSTANCE.transition[BEST][good][:, good].sum(axis=1)
    assert holding_time(INSTANCE) == pytest.approx(1 / (1 - stay.item()))
    assert holding_time(INSTANCE) > 10 / (1 - INSTANCE.mixing[BEST].lam)


def failures(sampling, policy="ucb", count=6, **knobs):
    """Return on how many instances a policy does not find the best arm."""
    failed = 0
    for seed in range(200, 200 + count):
        instance = generate("anticorrelated", 4, 4, seed, **knobs)
        runs = simulate(instance, policy, epochs=400, seeds=[0], sampling=sampling)
        late = runs[runs["epoch"] >= 200]["subopt_regret"]
        failed += (late.iloc[-1] - late.iloc[0]) / 200 > 0.5 * instance.min_gap
    return failed


RARE = [0.0002, 0.0005]


def test_1_with_the_default_delta_stickiness_and_resampling_are_both_needed():
    """Only the stickiness of the optimal arm and the sampling are changed."""
    assert failures("marginal", stick_optimal=[0.98, 0.99]) >= 5
    assert failures("marginal", stick_optimal=[0.0, 0.3]) <= 1
    assert failures("trajectory", stick_optimal=[0.98, 0.99]) <= 1


def test_1_with_a_small_delta_ucb_fails_on_paths_as_well():
    """Only δ is changed; EpochUCB finds the best arm all the same."""
    assert failures("trajectory", delta=RARE) >= 4
    assert failures("trajectory", delta=[0.02, 0.05]) <= 1
    assert failures("trajectory", "epoch-ucb", delta=RARE) == 0


# --- finding 2: too little exploration hurts as too much does -------------------------------------


def late_gap(c, seeds=30, epochs=400):
    """Return each run's mean gap in its second half over Δ_min."""
    runs = simulate(INSTANCE, "epoch-greedy", epochs=epochs, seeds=range(seeds), c=c)
    regret = runs.pivot(index="seed", columns="epoch", values="subopt_regret")
    late = regret[epochs] - regret[epochs // 2]
    return (late / (epochs // 2) / INSTANCE.min_gap).to_numpy()


def test_2_both_ends_of_the_decay_play_bad_arms_for_opposite_reasons():
    """With c* every run explores throughout; with next to none, some never see the best arm pay."""
    theory = best_constants(400, INSTANCE, Setting(40, 1, 1.0)).c
    uniform = INSTANCE.gap.mean() / INSTANCE.min_gap
    always = late_gap(theory)
    assert always.mean() == pytest.approx(uniform, rel=0.05)
    assert always.std() < 0.15  # all runs alike
    never = late_gap(1e-4)
    locked = never > 0.9
    assert 0.1 < locked.mean() < 1  # some runs locked on a bad arm, some not
    assert never[~locked].max() < 0.1
    assert late_gap(0.3).mean() < min(always.mean(), never.mean())


# --- finding 3: a discount trades mixing bias for noise -------------------------------------------


def test_3_a_discount_lowers_the_bias_and_keeps_the_noise():
    """The last 1/(1-γ) iterations are well mixed, but averaging over more is given up."""
    bias = {g: worst_deviation(INSTANCE, BEST, 40, g) for g in (1.0, 0.5)}
    assert bias[0.5] < 0.6 * bias[1.0]

    def noise(gamma, tau):
        return epoch_variance(INSTANCE, BEST, INSTANCE.pi[BEST], tau, gamma)

    assert noise(1.0, 400) == pytest.approx(noise(1.0, 40) / 10, rel=1e-6)
    assert noise(0.5, 400) == pytest.approx(noise(0.5, 40), rel=1e-6)
    assert noise(0.5, 400) > 50 * noise(1.0, 400)


def test_3_where_chains_mix_fast_there_is_no_bias_to_lower():
    fast = generate("fast", 4, 4, 100)
    slow, quick = (
        worst_deviation(instance, instance.best_arm, 40, 1.0) for instance in (INSTANCE, fast)
    )
    assert quick < slow / 5


# --- finding 4: the printed L grows without bound as γ tends to 1 ---------------------------------


def test_4_the_printed_penalty_misses_a_factor_of_at_least_the_first_epochs_weight():
    """Each term lacks 1/R(τ), and R(τ) ≥ R(τ0), which tends to τ0 = 40 as γ tends to 1."""
    for gamma in (0.9, 0.99, 0.999):
        epochs = Setting(40, 1, gamma)
        weight = float(discount_sum(40, gamma))
        printed, tight = (
            penalty_bound(1000, INSTANCE.mixing, epochs, variant).sum()
            for variant in ("paper", "tight")
        )
        assert printed > weight * tight
    exact = [penalty_bound(1000, INSTANCE.mixing, Setting(40, 1, g), "tight").sum()
             for g in (0.9999, 1.0)]  # fmt: skip
    assert exact[0] == pytest.approx(exact[1], rel=0.1)


# --- finding 7: the window's arm-specific constants point to the optimal arm ----------------------


def favoured(name, **params):
    """Return how often EpochUCB plays the class's optimal arm if all rewards are the same."""
    shares = []
    for seed in range(100, 110):
        instance = generate(name, 4, 4, seed)
        alike = [[Constant(0.5)] * instance.states] * instance.arms
        blind = Instance("all alike", instance.transition, alike, instance.initial)
        runs = simulate(blind, "epoch-ucb", epochs=500, seeds=[0], trace="full", **params)
        shares.append((runs["arm"] == instance.best_arm).mean())
    return np.mean(shares)


def test_7_without_anything_to_learn_epoch_ucb_plays_the_optimal_arm_of_the_default_class():
    """Chance is ¼. The same constants for all arms, or none, take the preference away."""
    # The two numbers are quoted in docs/findings.md.
    assert favoured("anticorrelated") == pytest.approx(0.82, abs=0.005)
    assert favoured("inverted") == pytest.approx(0.22, abs=0.005)
    assert favoured("anticorrelated", worst=True) == pytest.approx(0.25, abs=0.01)
    assert favoured("anticorrelated", factor=0) == pytest.approx(0.25, abs=0.01)


def test_7_the_root_is_far_wider_than_the_noise():
    """The mean of T epochs deviates by far less than sqrt(6 log k / T), at k = 4T."""
    for plays in (10, 100, 1000):
        lengths = 40 + np.arange(plays)
        pi = INSTANCE.pi[BEST]
        variance = sum(epoch_variance(INSTANCE, BEST, pi, int(tau), 1.0) for tau in lengths)
        deviation = np.sqrt(variance) / plays
        assert np.sqrt(6 * np.log(4 * plays) / plays) > 100 * deviation


def test_7_each_part_of_the_window_by_itself():
    def regret(**params):
        runs = simulate(INSTANCE, "epoch-ucb", epochs=800, seeds=range(4), **params)
        return runs.groupby("seed")["expected_regret"].last().mean()

    printed = regret()
    assert regret(constant=0.5) < printed / 3
    assert regret(factor=0) > 3 * printed
    assert regret(worst=True) > 1.3 * regret(factor=0)
    assert regret(variant="tight") == pytest.approx(printed, rel=0.15)
