r"""UCB2 of Auer, Cesa-Bianchi and Fischer (2002): epochs that grow geometrically.

After playing each arm once, an epoch begins at every decision that is not inside one. After n
decisions it plays

.. math:: \arg\max_j \; \bar R_j + \sqrt{\frac{(1+α) \log(e n / τ(r_j))}{2 τ(r_j)}}, \qquad
          τ(r) = \lceil (1+α)^r \rceil ,

for τ(r_j + 1) - τ(r_j) decisions, and adds one to r_j, which starts at 0. An epoch of no decisions
leaves the index as it is, and is skipped. The policy counts its epochs itself, because the schedule
``geometric:ALPHA`` has none that are empty. They recommend a small α, such as .001.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from epochbandits.jit import inlined
from epochbandits.policies.base import (
    MAX_STRETCH,
    Array,
    Info,
    Stretch,
    best_arm,
    learn_mean,
    register,
    single,
)
from epochbandits.validation import number


class UCB2(NamedTuple):
    """Memory of UCB2; arrays over the arms, except ``epoch``."""

    plays: Array
    mean: Array
    tau: Array
    """τ(r)."""
    r: NDArray[np.int64]
    score: Array
    epoch: NDArray[np.int64]
    """(2,): arm of the epoch, and decisions left in it."""
    alpha: float


def build(info: Info, *, alpha: float = 0.001) -> UCB2:
    """Parameter: α in (0, 1), by which epochs grow."""
    plays, mean, score = np.zeros((3, info.arms))
    return UCB2(
        plays=plays,
        mean=mean,
        tau=np.ones(info.arms),
        r=np.zeros(info.arms, dtype=np.int64),
        score=score,
        epoch=np.zeros(2, dtype=np.int64),
        alpha=number(alpha, "alpha", 1e-6, 1, below=True),
    )


@inlined
def choose(policy, k, beta, rng):
    m = len(policy.score)
    if k <= m:
        return k - 1
    if policy.epoch[1] == 0:
        for j in range(m):
            tau = policy.tau[j]
            window = (1.0 + policy.alpha) * (1.0 + math.log((k - 1) / tau)) / (2.0 * tau)
            policy.score[j] = policy.mean[j] + math.sqrt(window)
        arm = best_arm(policy.score, policy.mean, rng)
        before = policy.tau[arm]
        while policy.tau[arm] == before:
            policy.r[arm] += 1
            policy.tau[arm] = math.ceil(math.pow(1.0 + policy.alpha, policy.r[arm]))
        policy.epoch[0] = arm
        policy.epoch[1] = int(min(policy.tau[arm] - before, 2.0**62))
    policy.epoch[1] -= 1
    return policy.epoch[0]


@inlined
def decide(policy, k, beta, rng):
    """Inside an epoch the arm is certain."""
    arm = choose(policy, k, beta, rng)
    if k <= len(policy.score):
        return single(arm)
    more = min(policy.epoch[1], int(MAX_STRETCH) - 1)
    policy.epoch[1] -= more
    return Stretch(arm, 1 + more, 0.0, -math.inf, 0.0)


register(
    "ucb2",
    schedule="fixed:1",
    memory=UCB2,
    build=build,
    choose=choose,
    learn=learn_mean,
    decide=decide,
)
