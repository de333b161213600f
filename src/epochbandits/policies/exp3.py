r"""EXP3 of Auer, Cesa-Bianchi, Freund and Schapire (2002).

With weights w_j that start at one, an arm is drawn from

.. math:: p_j = (1-g) \frac{w_j}{\sum_i w_i} + \frac{g}{m}, \qquad
          w_j \leftarrow w_j \exp\Bigl(\frac{g\, r}{m\, p_j}\Bigr) \text{ for the arm played},

at the rate g = min(1, sqrt(m log m / ((e-1) N))) for N decisions (errata D3). The exponent is

.. math:: \frac{g\, r}{m\, p_j} = \frac{r\, T}{w_j + T}, \qquad T = \frac{g}{m(1-g)} \sum_i w_i .

The code keeps T, because the next decision waits for the exponent, which is so computed in the
fewest dependent steps.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from epochbandits.jit import inlined, kernel
from epochbandits.policies.base import Array, Info, register
from epochbandits.validation import number


class Exp3(NamedTuple):
    """Memory of EXP3; arrays over the arms, except ``total``."""

    log_weight: Array
    weight: Array
    """exp(log_weight), divided by the largest of them when they were last computed."""
    total: Array
    """(1,): T, with these weights."""
    rate: float
    """g."""
    share: float
    """T / Σ w_i."""


_MASK = 511
"""Weights are recomputed from their logarithms every 512 decisions, so that rounding does not add
up. Exponents are at most 1: in between no weight exceeds e^511, and one that underflowed would not
exceed 1e-85."""
_C3, _C4, _C5 = 1 / 6, 1 / 24, 1 / 120


def build(info: Info, *, rate: float | None = None) -> Exp3:
    """Parameter: the exploration rate g; tuned to the horizon unless it is given."""
    m = info.arms
    if rate is None:
        rate = min(1.0, math.sqrt(m * math.log(m) / ((math.e - 1) * info.decisions)))
    rate = number(rate, "rate", 0, 1)
    g = min(max(rate, 1e-300), 1 - 2.0**-53)  # T is neither 0 nor infinite
    share = g / (m * (1 - g))
    return Exp3(np.zeros(m), np.ones(m), np.array([share * m]), rate, share)


@inlined
def choose(policy, k, beta, rng):
    u, m, reached = rng.random(), len(policy.weight), 0.0
    if u < policy.rate:  # then u / g is uniform, and otherwise (u - g) / (1 - g)
        return min(m - 1, int(u / policy.rate * m))
    u = (u - policy.rate) / ((1.0 - policy.rate) * policy.share) * policy.total[0]
    for j in range(m - 1):
        reached += policy.weight[j]
        if u < reached:
            return j
    return m - 1


@inlined
def learn(policy, k, arm, rewards, before, after):
    arm = np.uint64(arm)  # not negative: indexing need not check
    weight, total = policy.weight[arm], policy.total[0]
    x = rewards.total * total / (weight + total)
    policy.log_weight[arm] += x
    if k & _MASK == 0:
        refresh(policy)
    else:
        policy.weight[arm] = add_growth(weight, weight, x)
        policy.total[0] = add_growth(total, policy.share * weight, x)


@kernel
def refresh(policy):
    """Compute weights, and T, from their logarithms."""
    total, largest = 0.0, policy.log_weight[0]
    for j in range(1, len(policy.weight)):
        largest = max(largest, policy.log_weight[j])
    for j in range(len(policy.weight)):
        policy.weight[j] = math.exp(policy.log_weight[j] - largest)
        total += policy.weight[j]
    policy.total[0] = policy.share * total


@inlined
def add_growth(total, w, x):
    """Return total + w (e^x - 1) for x ≥ 0.

    For small x by a series, with an error of about w x⁶/720: the next decision waits for it, and
    its terms can be computed in parallel.
    """
    if x > 2.0**-8:
        return total + w * math.expm1(x)
    square = x * x
    return total + w * x + (w * x * x) * (0.5 + _C3 * x) + (w * square) * square * (_C4 + _C5 * x)


register("exp3", schedule="fixed:1", memory=Exp3, build=build, choose=choose, learn=learn)
