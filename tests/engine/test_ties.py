"""Indices that are equal in exact arithmetic tie, however their rewards were added up.

Two equal arms pay 0 or 1, so that whole numbers tell when they tie. The next decision then plays
either arm with probability ½, whatever the plays and the rewards so far.
"""

import numpy as np
import pytest
from scipy import stats

from epochbandits import Instance, simulate
from epochbandits.model.rewards import Bernoulli, Beta

N = 120


def decisions_at_ties(seeds, **options):
    """Return UCB's numbers of decisions for each arm, a row for each past with a tie."""
    half = np.full((2, 2), 0.5)
    instance = Instance("equal", [half, half], [[Bernoulli(0.5)] * 2] * 2, [1, 0])
    runs = simulate(instance, "ucb", seeds=seeds, iterations=N, trace="full", **options)
    arm = runs["arm"].to_numpy().reshape(seeds, N)
    successes = runs["reward"].to_numpy().astype(int).reshape(seeds, N)
    plays = [(arm == j).cumsum(axis=1) for j in range(2)]
    sums = [(successes * (arm == j)).cumsum(axis=1) for j in range(2)]
    tied = (sums[0] == sums[1]) & (plays[0] == plays[1])
    tied[:, -1] = False
    pasts = np.stack([*plays, *sums, arm], axis=-1)[tied]
    cell = np.unique(pasts, axis=0, return_inverse=True)[1].ravel()
    following = np.roll(arm, -1, axis=1)[tied]
    return np.stack(
        [np.bincount(cell[following == j], minlength=cell.max() + 1) for j in (0, 1)], 1
    )


def assert_fair(counts, least):
    counts = counts[counts.sum(axis=1) >= 10]
    assert counts.sum() > least
    statistic = ((counts[:, 0] - counts[:, 1]) ** 2 / counts.sum(axis=1)).sum()
    assert stats.chi2.sf(statistic, len(counts)) > 1e-6


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
@pytest.mark.parametrize("engine", ["fast", "plain"])
def test_a_decision_after_a_tie_is_a_fair_coin(engine, sampling):
    """`test_policies` has the other policies, whose ties are too rare for a test of this kind."""
    assert_fair(decisions_at_ties(4000, engine=engine, sampling=sampling), 2000)


@pytest.mark.parametrize(("policy", "params"), [("etc", {"m": 1}), ("ucb2", {}), ("ucb", {})])
@pytest.mark.parametrize("engine", ["fast", "plain"])
def test_tiny_rewards_do_not_tie(policy, params, engine):
    """Of two arms played once, the one with the larger reward is next, however small both are."""
    half, seeds = np.full((2, 2), 0.5), 4000
    instance = Instance("tiny", [half, half], [[Beta(0.05, 1.0)] * 2] * 2, [1, 0])
    runs = simulate(
        instance, policy, seeds=seeds, iterations=3, trace="full", engine=engine, **params
    )
    reward, arm = (runs[c].to_numpy().reshape(seeds, 3) for c in ("reward", "arm"))
    first, second = reward[:, 0], reward[:, 1]
    least = 0.0 if policy == "etc" else 1e-15  # windows around 1 hide smaller differences
    differ = np.abs(first - second) > least
    assert (np.maximum(first, second)[differ] < 1e-12).sum() > 30
    assert (arm[:, 2] == (second > first))[differ].all()
