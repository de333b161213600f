r"""Sliding-window UCB of Garivier and Moulines (2011), for arms that change.

After playing each arm once, decision t plays the arm with the largest

.. math:: \frac{1}{N_j} \sum_{s} r_s + \sqrt{\frac{ξ \log \min(t, w)}{N_j}},

with the sum over the N_j plays of arm j among the last w decisions; an arm without any is played at
once. Their theorem takes ξ > 1/2, and w = 2 sqrt(N log N / Υ) for Υ changes in N decisions.
The memory is the window: w decisions, and no more than N. No reward is ever subtracted from a sum,
because rounding would leave a remainder: a sum of zeros would not be zero.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from epochbandits.jit import inlined, kernel
from epochbandits.policies.base import Array, Info, best_arm, register
from epochbandits.validation import integer, number

MAX_WINDOW = 10**8  # decisions in a window: 1.6 GB


class SWUCB(NamedTuple):
    """Memory of sliding-window UCB; arrays over the arms, and rings over the window."""

    plays: Array
    earlier: Array
    """Sum of the window's rewards up to the last decision that is a multiple of w."""
    recent: Array
    """Sum of its other rewards."""
    mean: Array
    score: Array
    arms: NDArray[np.int64]
    """(w,): the arm of each decision of the window."""
    rewards: Array
    """(w,): its reward; among the earlier decisions, the sum of the arm's rewards after it."""
    xi: float


def build(info: Info, *, window: int | None = None, xi: float = 0.6, changes: float = 1.0) -> SWUCB:
    """Parameters: ξ, and the window w, by default the one for a number of ``changes``."""
    N = info.decisions
    if window is None:
        changes = number(changes, "changes", 0, 1e12, above=True)
        window = max(
            info.arms, min(MAX_WINDOW, math.ceil(2 * math.sqrt(N * math.log(N) / changes)))
        )
    window = min(integer(window, "window", 1, MAX_WINDOW), max(1, N))
    plays, earlier, recent, mean, score = np.zeros((5, info.arms))
    rings = np.zeros(window, dtype=np.int64), np.zeros(window)
    xi = number(xi, "xi", 0, 1e6)
    return SWUCB(plays, earlier, recent, mean, score, *rings, xi)


@inlined
def choose(policy, k, beta, rng):
    m = len(policy.score)
    if k <= m:
        return k - 1
    width = policy.xi * math.log(min(k, len(policy.arms)))
    for j in range(m):
        N = policy.plays[j]
        if N > 0.0:
            policy.mean[j] = (policy.earlier[j] + policy.recent[j]) / N
            policy.score[j] = policy.mean[j] + math.sqrt(width / N)
        else:
            policy.score[j] = math.inf
    return best_arm(policy.score, policy.mean, rng)


@inlined
def learn(policy, k, arm, rewards, before, after):
    w = len(policy.arms)
    at = (k - 1) % w
    if k > w:
        oldest = policy.arms[at]
        policy.plays[oldest] -= 1.0
        policy.earlier[oldest] = policy.rewards[at]
    policy.arms[at] = arm
    policy.rewards[at] = rewards.total
    policy.plays[arm] += 1.0
    policy.recent[arm] += rewards.total
    if at == w - 1:
        end_window(policy)


@kernel
def end_window(policy):
    """Make all rewards of the ring earlier ones: sum them from the last to the first."""
    for j in range(len(policy.earlier)):
        policy.earlier[j] = policy.recent[j] = 0.0
    for i in range(len(policy.arms) - 1, -1, -1):
        j = policy.arms[i]
        after = policy.earlier[j]
        policy.earlier[j] = after + policy.rewards[i]
        policy.rewards[i] = after


register("sw-ucb", schedule="fixed:1", memory=SWUCB, build=build, choose=choose, learn=learn)
