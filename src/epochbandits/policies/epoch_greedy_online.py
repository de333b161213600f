r"""EpochGreedy that estimates d: Algorithm 3 with ε_k = min(1, cm/(d_k² k)).

d_k is the difference between the two largest means so far, in place of a number below Δ_min that
the learner would have to know. While an arm is unplayed or the two tie, every epoch explores.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from epochbandits.jit import inlined
from epochbandits.policies.base import Array, Info, best_arm, learn_mean, register
from epochbandits.validation import number


class EpochGreedyOnline(NamedTuple):
    """Memory; arrays over the arms."""

    plays: Array
    mean: Array
    scale: float
    """cm."""


def build(info: Info, *, c: float = 1.0) -> EpochGreedyOnline:
    """Parameter: c."""
    plays, mean = np.zeros((2, info.arms))
    return EpochGreedyOnline(plays, mean, number(c, "c", 0, 1e12, above=True) * info.arms)


@inlined
def choose(policy, k, beta, rng):
    if rng.random() * k * difference(policy) ** 2 < policy.scale:
        return int(rng.random() * len(policy.mean))
    return best_arm(policy.mean, policy.mean, rng)


@inlined
def difference(policy):
    """Return d_k; 0 while an arm is unplayed."""
    first, second = -1.0, -1.0
    for j in range(len(policy.mean)):
        if policy.plays[j] == 0.0:
            return 0.0
        if policy.mean[j] > first:
            first, second = policy.mean[j], first
        else:
            second = max(second, policy.mean[j])
    return first - second


register(
    "epoch-greedy-online",
    schedule="linear",
    memory=EpochGreedyOnline,
    build=build,
    choose=choose,
    learn=learn_mean,
)
