r"""EXP3 of Auer, Cesa-Bianchi, Freund and Schapire (2002).

With weights w_j that start at one, an arm is drawn from

.. math:: p_j = (1-g) \frac{w_j}{\sum_i w_i} + \frac{g}{m}, \qquad
          w_j \leftarrow w_j \exp\Bigl(\frac{g\, r}{m\, p_j}\Bigr) \text{ for the arm played},

at the rate g = min(1, sqrt(m log m / ((e-1) N))) for N decisions (errata D3).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from epochbandits.jit import kernel
from epochbandits.policies.base import Array, Info, register
from epochbandits.validation import number


class Exp3(NamedTuple):
    """Memory of EXP3; arrays over the arms."""

    log_weight: Array
    weight: Array
    """exp(log_weight - shift), cached so that a decision takes one exponential. An arm whose weight
    underflows can recover, because the logarithm is exact."""
    chance: Array
    shift: Array
    """(1,)."""
    rate: float


def build(info: Info, *, rate: float | None = None) -> Exp3:
    """Parameter: the exploration rate g; tuned to the horizon unless it is given."""
    if rate is None:
        m = info.arms
        rate = min(1.0, math.sqrt(m * math.log(m) / ((math.e - 1) * info.decisions)))
    log_weight, chance = np.zeros((2, info.arms))
    return Exp3(log_weight, np.ones(info.arms), chance, np.zeros(1), number(rate, "rate", 0, 1))


@kernel
def choose(policy, k, beta, rng):
    m, total = len(policy.weight), 0.0
    for j in range(m):
        total += policy.weight[j]
    scale, floor = (1.0 - policy.rate) / total, policy.rate / m
    u, arm, reached = rng.random(), 0, 0.0
    for j in range(m):
        policy.chance[j] = scale * policy.weight[j] + floor
        reached += policy.chance[j]
        arm += u >= reached
    return min(arm, m - 1)


@kernel
def learn(policy, k, arm, reward, before, after):
    m = len(policy.weight)
    policy.log_weight[arm] += policy.rate * reward / (policy.chance[arm] * m)
    if policy.log_weight[arm] > policy.shift[0] + 300.0:  # long before the exponential overflows
        policy.shift[0] = policy.log_weight[arm]
        for j in range(m):
            policy.weight[j] = math.exp(policy.log_weight[j] - policy.shift[0])
    else:
        policy.weight[arm] = math.exp(policy.log_weight[arm] - policy.shift[0])


register("exp3", schedule="fixed:1", memory=Exp3, build=build, choose=choose, learn=learn)
