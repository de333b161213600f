"""The margin of stretches, at near ties of some roundings: it is needed, and it is enough.

Almost all plays are the leader's, so that one more hardly changes its index.
"""

import math

import numpy as np
import pytest

from epochbandits.policies import POLICIES, base
from epochbandits.policies.base import Rewards
from epochbandits.policies.eps_greedy import greedy
from epochbandits.policies.ucb import UCB
from epochbandits.policies.ucb_tuned import UCBTuned

K, ROUNDING = 10**12, 2.0**-53


def state(name, rng, gap):
    """Return a memory whose first arm is ahead by about so many roundings."""
    T = float(rng.integers(10**10, 10**11))
    plays, mean, root, score = np.array([K - 1 - T, T]), np.zeros(2), np.zeros(2), np.zeros(2)
    mean[1], root[:] = rng.uniform(0.2, 0.4), 1 / np.sqrt(plays)
    if name == "eps-greedy":
        mean[0] = mean[1] + gap * ROUNDING
        return greedy.Greedy(plays, mean, 1e-9, np.array([2 * K]))
    if name == "ucb":
        policy = UCB(plays, mean, root, score, 2.0)
    else:
        variance = np.array([0.05, 0.1])
        policy = UCBTuned(plays, mean, variance * plays, variance, root, score)
    POLICIES[name].choose.py_func(policy, K, None, np.random.default_rng(0))
    mean[0] += score[1] - score[0] + gap * ROUNDING
    return policy


def keeps_its_promise(name, policy):
    """Follow a stretch along its line, and tell whether the arm keeps the largest index."""
    rng = np.random.default_rng(0)
    arm, n, centre, level, slope = POLICIES[name].decide.py_func(policy, K, None, rng)
    total = 0.0
    for i in range(1, min(n, 8)):
        line = level + slope * i
        r = line - total + centre
        while total + (r - centre) <= line:
            r = math.nextafter(r, math.inf)
        total += r - centre
        POLICIES[name].learn.py_func(policy, K, arm, Rewards(1.0, 0.0, r, r * r), None, None)
        POLICIES[name].choose.py_func(policy, K + i, None, rng)
        index = policy.mean if name == "eps-greedy" else policy.score
        if index[arm] <= index[1 - arm]:
            return False
    return True


@pytest.mark.parametrize("margin", [base.MARGIN, 0.0])
@pytest.mark.parametrize("name", ["ucb", "ucb-tuned", "eps-greedy"])
def test_near_ties_need_the_margin(monkeypatch, name, margin):
    monkeypatch.setattr(base, "MARGIN", margin)
    rng = np.random.default_rng(2)
    states = [state(name, rng, gap) for gap in rng.uniform(1, 8, 400)]
    kept = [keeps_its_promise(name, policy) for policy in states]
    assert all(kept) if margin else kept.count(False) > 2


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
