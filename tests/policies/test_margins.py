"""The margin of stretches, at near ties of some roundings: it is needed, and it is enough.

Almost all plays are the leader's, so that one more hardly changes its index.
"""

import numpy as np
import pytest

from epochbandits.policies import POLICIES, base
from epochbandits.policies.eps_greedy import greedy
from stretch_replay import replay, two_arms

K, ROUNDING = 10**12, 2.0**-53


def near_tie(name, rng, gap):
    """Return k and a memory before decision k; the first arm leads by about so many roundings."""
    T = float(rng.integers(10**10, 10**11))
    lead, variance = gap * ROUNDING, (0.05, 0.1)
    return two_arms(name, (K - 1 - T, T), rng.uniform(0.2, 0.4), lead, variance)


@pytest.mark.parametrize("margin", [base.MARGIN, 0.0])
@pytest.mark.parametrize("name", ["ucb", "ucb-tuned", "eps-greedy"])
def test_near_ties_need_the_margin(monkeypatch, name, margin):
    monkeypatch.setattr(base, "MARGIN", margin)
    rng = np.random.default_rng(2)
    states = [near_tie(name, rng, gap) for gap in rng.uniform(1, 8, 400)]
    certain = [replay(name, policy, k, most=8).certain for k, policy in states]
    assert all(certain) if margin else certain.count(False) > 2


@pytest.mark.parametrize(("plays", "mean"), [(0.0, 0.0), (2.0, 0.5)])
def test_after_a_greedy_tie_a_reward_of_0_ends_the_stretch(plays, mean):
    """The other arm has the same mean, or the tie is to be broken anew."""
    decide, rng = POLICIES["eps-greedy"].decide.py_func, np.random.default_rng(3)
    policy = greedy.Greedy(np.full(2, plays), np.full(2, mean), 0.0, np.zeros(1, dtype=np.int64))
    for k in range(5, 25):
        _, most, centre, level, slope = decide(policy, k, None, rng)
        assert most > 1
        assert 0.0 - centre <= level + slope


def test_a_greedy_stretch_ends_before_the_next_exploration():
    """At ε = 1 each decision explores; a drawn one is a stretch of its own, at its time."""
    decide, rng = POLICIES["eps-greedy"].decide.py_func, np.random.default_rng(3)
    policy = greedy.Greedy(np.ones(2), np.array([0.9, 0.1]), 50.0, np.zeros(1, dtype=np.int64))
    stretches = [decide(policy, k, None, rng) for k in range(1, 51)]
    assert {stretch.plays for stretch in stretches} == {1}
    assert 10 < sum(stretch.arm for stretch in stretches) < 40
    policy.next[0] = 1000
    assert decide(policy, 990, None, rng)[:2] == (0, 10)
    assert decide(policy, 999, None, rng)[:2] == (0, 1)
    assert [decide(policy, 1000, None, rng).plays for _ in range(9)] == [1] * 9
    assert policy.next[0] == 1000, "drawn once"
    decide(policy, 1001, None, rng)
    assert policy.next[0] > 1000
