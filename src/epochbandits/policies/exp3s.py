r"""EXP3.S of Auer, Cesa-Bianchi, Freund and Schapire (2002), for a best arm that changes.

With weights w_j that start at one, an arm is drawn from

.. math:: p_j = (1-g) \frac{w_j}{\sum_i w_i} + \frac{g}{m}, \qquad
          w_j \leftarrow w_j \exp\Bigl(\frac{g\, \hat r_j}{m}\Bigr) + \frac{e\, a}{m} \sum_i w_i ,

where the estimate is r/p_j for the arm played and 0 for the others. Without knowledge of the number
of changes they take a = 1/N and g = min(1, sqrt(m log(mN)/N)) for N decisions.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from epochbandits.jit import inlined
from epochbandits.policies.base import Array, Info, register
from epochbandits.policies.exp3 import add_growth
from epochbandits.validation import number

_LARGE = 1e100  # weights are scaled down from here on


class Exp3S(NamedTuple):
    """Memory of EXP3.S; arrays over the arms, except ``sums``."""

    weight: Array
    sums: Array
    """(2,): sum of the weights, and g/(m p_j) of the arm that was chosen."""
    keep: float
    """1 - g."""
    floor: float
    """g/m."""
    share: float
    """e a/m."""


def build(info: Info, *, rate: float | None = None, share: float | None = None) -> Exp3S:
    """Parameters: the rate g and the share a; tuned to the horizon unless they are given."""
    m, N = info.arms, info.decisions
    if rate is None:
        rate = min(1.0, math.sqrt(m * math.log(m * N) / N))
    rate = number(rate, "rate", 0, 1)
    share = number(1.0 / N if share is None else share, "share", 0, 1)
    return Exp3S(np.ones(m), np.array([m, 0.0]), 1 - rate, rate / m, math.e * share / m)


@inlined
def choose(policy, k, beta, rng):
    total = policy.sums[0]
    uniform, u, arm, reached = policy.floor * total, rng.random() * total, 0, 0.0
    for j in range(len(policy.weight) - 1):
        reached += policy.keep * policy.weight[j] + uniform
        arm += u >= reached
    policy.sums[1] = uniform / (policy.keep * policy.weight[arm] + uniform)
    return arm


@inlined
def learn(policy, k, arm, rewards, before, after):
    weight = policy.weight[arm]
    policy.weight[arm] = add_growth(weight, weight, policy.sums[1] * rewards.total)
    shared, total = policy.share * policy.sums[0], 0.0
    for j in range(len(policy.weight)):
        policy.weight[j] += shared
        total += policy.weight[j]
    if total > _LARGE:
        for j in range(len(policy.weight)):
            policy.weight[j] /= total
        total = 1.0
    policy.sums[0] = total


register("exp3s", schedule="fixed:1", memory=Exp3S, build=build, choose=choose, learn=learn)
