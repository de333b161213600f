"""The prediction of UCB's lock-in: each step by itself, then the whole against simulations."""

import math

import numpy as np
import pytest

from epochbandits import InputError, simulate
from epochbandits.model import lock_in
from epochbandits.model.generators import failure_example, generate
from epochbandits.model.lock_in import (
    escape_probability,
    locked_probability,
    probe_law,
    probe_reward,
    probes,
)
from epochbandits.model.structure import best_other, good_states

SAMPLINGS = ("marginal", "trajectory")


# --- how many probes ------------------------------------------------------------------------------


def test_ucb_probes_as_often_as_the_formula_says():
    """Example 1 with an ε so small that no probe succeeds; UCB's run is then deterministic."""
    runs = simulate(failure_example(1e-9), "ucb", iterations=100_000, seeds=[0], trace="full")
    played = (runs["arm"] == 0).cumsum()
    for t in (1_000, 10_000, 100_000):
        assert played[t - 1] == pytest.approx(probes(t, 0.5), abs=1)


def test_there_are_eight_log_t_probes_on_example_1_in_the_end():
    ratios = [probes(t, 0.5) / (8 * math.log(t)) for t in (1e5, 1e10, 1e15)]
    assert ratios == sorted(ratios)
    assert ratios[0] == pytest.approx(0.94, abs=0.01)
    assert ratios[-1] == pytest.approx(1, abs=1e-4)


# --- where the chain is then ----------------------------------------------------------------------


def plain_probes(instance, iterations, rng):
    """Run UCB on a path, as plainly as possible, and return whether each probe found S*.

    A run ends with its first find. The first rounds, in which UCB plays all arms, do not count.
    """
    plays, mean = np.zeros(instance.arms), np.zeros(instance.arms)
    state, last, hits = rng.choice(instance.states, p=instance.initial), -1, []
    good, best = good_states(instance), instance.best_arm
    moves = instance.transition.cumsum(axis=2)
    for t in range(1, iterations + 1):
        first = t <= instance.arms
        arm = t - 1 if first else int(np.argmax(mean + np.sqrt(2 * math.log(t) / plays)))
        if arm == best != last and t > 30:
            hits.append(good[state])
            if good[state]:
                break
        plays[arm] += 1
        mean[arm] += (instance.rewards[arm][state].draw(rng) - mean[arm]) / plays[arm]
        state = min(int(np.searchsorted(moves[arm, state], rng.random())), instance.states - 1)
        last = arm
    return hits


def test_on_a_path_ucb_probes_when_the_other_arm_disappoints_which_it_does_in_the_good_states():
    """A probe finds S* more often than chance would have it, and as often as ν says."""
    rng = np.random.default_rng(0)
    hits, predicted, chance = [], [], []
    for seed in range(200, 204):
        instance = generate("anticorrelated", 4, 4, seed, delta=[0.005, 0.01])
        new = [hit for _ in range(50) for hit in plain_probes(instance, 2000, rng)]
        hits += new
        for law, shares in (("trajectory", predicted), ("marginal", chance)):
            shares += [probe_law(instance, law)[good_states(instance)].sum()] * len(new)
    error = math.sqrt(np.mean(hits) / len(hits))
    assert abs(np.mean(hits) - np.mean(predicted)) < 4 * error
    assert np.mean(hits) - np.mean(chance) > 4 * error


def test_constant_rewards_do_not_tell_when_to_probe():
    instance = failure_example(0.1)
    np.testing.assert_array_equal(probe_law(instance, "trajectory"), instance.pi[1])
    assert probe_reward(instance, "trajectory") == 0
    assert probe_reward(instance, "marginal") == pytest.approx(0.1 / 1.1)


def test_laws_on_the_grid_keep_their_means():
    instance = generate("anticorrelated", 4, 8, 0)
    rewards = np.arange(lock_in.STEPS + 1) / lock_in.STEPS
    for row, means in zip(instance.rewards, instance.reward_means, strict=True):
        table = lock_in._on_grid(row)
        np.testing.assert_allclose(table.sum(axis=1), 1)
        np.testing.assert_allclose(table @ rewards, means, atol=0.4 / lock_in.STEPS)


# --- whether a burst ends -------------------------------------------------------------------------


def simulated_escapes(instance, sampling, level, bursts, rng):
    """Return the share of bursts that reach the far lead, drawn one play at a time."""
    best = instance.best_arm
    P, law = instance.transition[best], probe_law(instance, sampling)
    escapes = 0
    for _ in range(bursts):
        lead, beta = 0.0, law
        state = rng.choice(instance.states, p=beta)
        while True:
            lead += instance.rewards[best][state].draw(rng) - level
            if lead <= 0 or lead > lock_in.FAR:
                break
            beta = beta @ P
            state = rng.choice(instance.states, p=P[state] if sampling == "trajectory" else beta)
        escapes += lead > 0
    return escapes / bursts


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("stick", [[0.5, 0.8], [0.9, 0.95]])
def test_escapes_are_those_of_bursts_drawn_play_by_play(sampling, stick):
    """δ is large here, so that escapes are frequent enough to count."""
    instance = generate("anticorrelated", 4, 4, 7, delta=[0.1, 0.15], stick_optimal=stick)
    r0 = probe_reward(instance, sampling)
    level = r0 + (instance.mu[best_other(instance)] - r0) / 2
    exact = escape_probability(instance, sampling, level)
    share = simulated_escapes(instance, sampling, level, 6000, np.random.default_rng(1))
    assert exact > 0.02
    # The grid moves single rewards by up to half its step.
    assert abs(share - exact) < 4 * math.sqrt(exact / 6000) + 0.05 * exact


def test_on_example_1_a_burst_escapes_if_it_starts_in_the_good_state():
    for epsilon in (0.05, 0.01, 0.001):
        escape = escape_probability(failure_example(epsilon), "trajectory", 0.25)
        assert escape == pytest.approx(epsilon / (1 + epsilon), rel=1e-3)


# --- the whole ------------------------------------------------------------------------------------


def test_example_1_is_locked_with_probability_t_to_the_minus_eight_epsilon():
    for epsilon in (0.01, 0.001):
        instance = failure_example(epsilon)
        powers = [
            -math.log(locked_probability(instance, t, "trajectory")) / math.log(t)
            for t in (1e5, 1e15)
        ]
        assert powers[0] == pytest.approx(8 * epsilon, rel=0.1)
        assert powers[1] == pytest.approx(8 * epsilon, rel=0.03)


def test_a_finer_grid_changes_little(monkeypatch):
    instances = [
        generate("anticorrelated", 4, 4, seed, delta=[0.001, 0.002], stick_optimal=[0.8, 0.9])
        for seed in (200, 201)
    ]
    coarse = [locked_probability(i, 1e5, s) for i in instances for s in SAMPLINGS]
    monkeypatch.setattr(lock_in, "STEPS", 60)
    monkeypatch.setattr(lock_in, "TIMES", 20)
    fine = [locked_probability(i, 1e5, s) for i in instances for s in SAMPLINGS]
    np.testing.assert_allclose(coarse, fine, atol=0.02)


def locked_share(instance, sampling, seeds, iterations):
    """Return the share of runs with more than half of the smallest gap lost in the second half."""
    runs = simulate(instance, "ucb", iterations=iterations, seeds=range(seeds), sampling=sampling)
    regret = runs.pivot(index="seed", columns="epoch", values="subopt_regret")
    half = min(epoch for epoch in regret.columns if epoch >= iterations / 2)
    late = (regret[iterations] - regret[half]) / (iterations - half)
    return float((late > 0.5 * instance.min_gap).mean())


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("epsilon", [0.05, 0.01, 0.001])
def test_example_1_against_simulations(sampling, epsilon):
    instance, t = failure_example(epsilon), 20_000
    expected = locked_probability(instance, t, sampling)
    share = locked_share(instance, sampling, 400, t)
    # Four standard errors, and what probes within the second half contribute.
    allowed = 4 * math.sqrt(expected * (1 - expected) / 400) + 0.02
    assert abs(share - expected) < allowed


@pytest.mark.parametrize(
    ("delta", "stick", "sampling"),
    [
        ([0.02, 0.05], [0.95, 0.98], "marginal"),
        ([0.02, 0.05], [0.95, 0.98], "trajectory"),
        ([0.02, 0.05], [0.5, 0.8], "marginal"),
        ([0.001, 0.002], [0.5, 0.8], "trajectory"),
        ([0.001, 0.002], [0.95, 0.98], "trajectory"),
    ],
)
def test_the_class_against_simulations(delta, stick, sampling):
    """Nothing is fitted; the prediction is within .15 where shares range from 0 to 1."""
    shares, expected = [], []
    for seed in range(200, 210):
        instance = generate("anticorrelated", 4, 4, seed, delta=delta, stick_optimal=stick)
        expected.append(locked_probability(instance, 20_000, sampling))
        shares.append(locked_share(instance, sampling, 12, 20_000))
    assert np.mean(shares) == pytest.approx(np.mean(expected), abs=0.15)


def test_where_probes_pay_more_than_the_other_arm_nothing_locks():
    instance = generate("fast", 2, 2, 0, mean_low=[0.6, 0.7])
    for sampling in SAMPLINGS:
        assert probe_reward(instance, sampling) > instance.mu[best_other(instance)]
        assert locked_probability(instance, 1e5, sampling) == 0
        assert locked_share(instance, sampling, 5, 5000) == 0


def test_refusals():
    with pytest.raises(InputError, match="did you mean 'marginal'"):
        locked_probability(failure_example(), 1e5, "marginals")
    with pytest.raises(InputError, match="t must be a number"):
        locked_probability(failure_example(), 1, "marginal")
