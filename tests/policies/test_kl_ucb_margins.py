"""KL-UCB's margins, where rounding decides: each of them is needed, and together they are enough.

An index is too large by up to `TOLERANCE`, and by how much jumps where Newton's method takes
another step. The states here put such a jump of a rival at the second decision of a stretch.
"""

import math

import numpy as np
import pytest

from epochbandits.policies import POLICIES, kl_ucb
from epochbandits.policies.base import Rewards
from epochbandits.policies.kl_ucb import KLUCB, TOLERANCE, upper

KL = POLICIES["kl-ucb"]


class NoTie:
    """A random stream that no decision should need."""

    def random(self):
        raise AssertionError("a tie")


def jumping_mean(k, T, rng):
    """Return a mean whose index after T plays jumps by `TOLERANCE` from decision k - 1 to k."""
    x = math.log(k) / T

    def high(p):
        """Tell whether the index is more than half of the tolerance above its exact value."""
        return kl_ucb.divergence.py_func(p, upper(p, x) - TOLERANCE / 2) > x

    while True:
        low = rng.uniform(0.2, 0.85)
        end, first = low + 1e-3, high(low)
        if high(end) == first:
            continue
        while low < (middle := (low + end) / 2) < end:  # to neighbouring numbers
            low, end = (middle, end) if high(middle) == first else (low, middle)
        for p in (low, end):
            before = upper(p, math.log(k - 1) / T)
            if before < 1 - 1e-10 and upper(p, x) - before > 0.9 * TOLERANCE:
                return p


def mean_with(index, x):
    """Return the smallest mean whose index is at least this."""
    low, end = 0.0, index
    while low < (middle := (low + end) / 2) < end:
        low, end = (middle, end) if upper(middle, x) < index else (low, middle)
    return end


def near_ties(apart):
    """Yield states of two arms before decision k; the first is ahead by a little over ``apart``.

    Almost all plays are its own, so that one more hardly changes its index.
    """
    rng = np.random.default_rng(1)
    for k, T in [(10**12, 8), (10**11, 7), (10**12, 12)] * 3:
        rival = jumping_mean(k + 1, T, rng)
        index = upper(rival, math.log(k) / T)
        for gap in (0.3, 0.6, 1.2):
            plays = k - 1 - T
            mean = mean_with(index + apart + gap * TOLERANCE, math.log(k) / plays)
            yield k, KLUCB(np.array([plays, T], float), np.array([mean, rival]), np.zeros(2), 0.0)


def keeps_its_promise(k, policy, most=12):
    """Follow a stretch along its line, and tell whether `choose` agrees with it."""
    arm, n, centre, level, slope = KL.decide.py_func(policy, k, None, NoTie())
    assert (arm, n > 1) == (0, True)
    total = 0.0
    for i in range(1, min(n, most)):
        line = level + slope * i
        r = line - total + centre
        while total + (r - centre) <= line:
            r = math.nextafter(r, math.inf)
        total += r - centre
        KL.learn.py_func(policy, k, arm, Rewards(1.0, 0.0, r, r * r), None, None)
        KL.choose.py_func(policy, k + i, None, np.random.default_rng(0))
        if policy.score[0] <= policy.score[1]:
            return False
    return True


def test_near_ties_keep_the_promise():
    for apart in (kl_ucb._APART, kl_ucb._APART + 40 * TOLERANCE):
        assert all(keeps_its_promise(*state) for state in near_ties(apart))


@pytest.mark.parametrize("mean", [1e-4, 1e-3, 1e-2])
def test_small_means_keep_the_promise_for_long(mean):
    """There an index moves by several times as much as the mean; rounding adds up on the way."""
    plays, rival = 10**6, 50
    policy = KLUCB(np.array([plays, rival], float), np.array([2 * mean, 0.0]), np.zeros(2), 0.0)
    k = plays + rival + 1
    index = upper(2 * mean, math.log(k) / plays)
    policy.plays[1] = math.log(k) / -math.log1p(-index * (1 - 1e-3))  # the rival is a little behind
    assert keeps_its_promise(k, policy, most=500)


@pytest.mark.parametrize("margin", ["_APART", "_CERTAIN"])
def test_without_a_margin_the_promise_is_broken(monkeypatch, margin):
    monkeypatch.setattr(kl_ucb, margin, 0.0)
    kept = [keeps_its_promise(*state) for state in near_ties(kl_ucb._APART)]
    assert kept.count(False) > len(kept) / 4


@pytest.mark.parametrize("behind", [1e-12, 1e-11, 1e-9, 1e-3])
@pytest.mark.parametrize("mean", [0.0, 0.5, 1 - 1e-9])
def test_growth_allows_for_the_tolerance_of_an_index(mean, behind):
    """It is at least dU/dx at the exact index, if the computed one is `TOLERANCE` larger."""
    for exact in (mean + behind, 1 - behind):
        if not mean < exact < 1 - TOLERANCE:
            continue
        policy = KLUCB(np.array([7.0]), np.array([mean]), np.array([exact + TOLERANCE]), 0.0)
        slope = exact * (1 - exact) / (exact - mean)
        assert kl_ucb.growth.py_func(policy, 0, 0.01) >= 0.01 / 7 * slope * (1 - 1e-3)
