"""KL-UCB's margins, where rounding decides: each of them is needed, and together they are enough.

An index is too large by up to `TOLERANCE`, and by how much jumps where Newton's method takes
another step. The states here put such a jump of a rival at the second decision of a stretch.
"""

import math

import numpy as np
import pytest

from epochbandits.policies import kl_ucb
from epochbandits.policies.kl_ucb import KLUCB, TOLERANCE, upper
from stretch_replay import replay, two_arms


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


def near_ties(apart):
    """Return replays for two arms; the first is ahead by a little over ``apart``.

    Almost all plays are its own, so that one more hardly changes its index.
    """
    rng, replays = np.random.default_rng(1), []
    for k, T in [(10**12, 8), (10**11, 7), (10**12, 12)] * 3:
        rival = jumping_mean(k + 1, T, rng)
        for gap in (0.3, 0.6, 1.2):
            _, policy = two_arms("kl-ucb", (k - 1 - T, T), rival, apart + gap * TOLERANCE)
            replays.append(replay("kl-ucb", policy, k, most=12))
            assert (replays[-1].stretch.arm, replays[-1].decisions > 0) == (0, True)
    return replays


def test_near_ties_keep_the_promise():
    for apart in (kl_ucb._APART, kl_ucb._APART + 40 * TOLERANCE):
        assert all(result.certain for result in near_ties(apart))


@pytest.mark.parametrize("mean", [1e-4, 1e-3, 1e-2])
def test_small_means_keep_the_promise_for_long(mean):
    """There an index moves by several times as much as the mean; rounding adds up on the way."""
    plays, rival = 10**6, 50
    policy = KLUCB(np.array([plays, rival], float), np.array([2 * mean, 0.0]), np.zeros(2), 0.0)
    k = plays + rival + 1
    index = upper(2 * mean, math.log(k) / plays)
    policy.plays[1] = math.log(k) / -math.log1p(-index * (1 - 1e-3))  # the rival is a little behind
    assert replay("kl-ucb", policy, k, most=500)[1:] == (499, True)


@pytest.mark.parametrize("margin", ["_APART", "_CERTAIN"])
def test_without_a_margin_the_promise_is_broken(monkeypatch, margin):
    monkeypatch.setattr(kl_ucb, margin, 0.0)
    certain = [result.certain for result in near_ties(kl_ucb._APART)]
    assert certain.count(False) > len(certain) / 4


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
