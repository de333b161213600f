r"""Sliding-window UCB of Garivier and Moulines (2011), for arms that change.

After playing each arm once, decision t plays the arm with the largest

.. math:: \frac{1}{N_j} \sum_{s} r_s + \sqrt{\frac{ξ \log \min(t, w)}{N_j}},

with the sum over the N_j plays of arm j among the last w decisions; an arm without any is played at
once. Their theorem takes ξ > 1/2, and w = 2 sqrt(N log N / Υ) for Υ changes in N decisions.
The memory is the window: w decisions, and no more than N.
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
    total: Array
    mean: Array
    score: Array
    arms: NDArray[np.int64]
    """(w,): the arm of each decision of the window."""
    rewards: Array
    """(w,): its reward."""
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
    plays, total, mean, score = np.zeros((4, info.arms))
    rings = np.zeros(window, dtype=np.int64), np.zeros(window)
    return SWUCB(plays, total, mean, score, *rings, number(xi, "xi", 0, 1e6))


@inlined
def choose(policy, k, beta, rng):
    m = len(policy.score)
    if k <= m:
        return k - 1
    width = policy.xi * math.log(min(k, len(policy.arms)))
    for j in range(m):
        N = policy.plays[j]
        if N > 0.0:
            policy.mean[j] = policy.total[j] / N
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
        policy.total[oldest] -= policy.rewards[at]
    policy.arms[at] = arm
    policy.rewards[at] = rewards.total
    policy.plays[arm] += 1.0
    policy.total[arm] += rewards.total
    if at == w - 1:
        refresh(policy)


@kernel
def refresh(policy):
    """Recompute the sums of the window's rewards, so that rounding errors do not add up."""
    for j in range(len(policy.total)):
        policy.total[j] = 0.0
    for i in range(len(policy.arms)):
        policy.total[policy.arms[i]] += policy.rewards[i]


register("sw-ucb", schedule="fixed:1", memory=SWUCB, build=build, choose=choose, learn=learn)
