r"""Discounted UCB of Garivier and Moulines (2011), for arms that change.

After playing each arm once, decision t plays the arm with the largest

.. math:: \frac{1}{N_j} \sum_{s < t,\, α(s) = j} g^{t-1-s} r_s
          + 2 \sqrt{\frac{ξ \log \sum_i N_i}{N_j}}, \qquad
          N_j = \sum_{s < t,\, α(s) = j} g^{t-1-s} ,

with ξ > 1/2 in their theorem. For Υ changes in N decisions they take g = 1 - sqrt(Υ/N)/4.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from epochbandits.jit import inlined
from epochbandits.policies.base import Array, Info, best_arm, register
from epochbandits.validation import number

_TINY = 1e-300  # an arm with less weight than this counts as never played


class DUCB(NamedTuple):
    """Memory of discounted UCB; arrays over the arms."""

    weight: Array
    """N_j."""
    total: Array
    """Discounted sum of the rewards."""
    mean: Array
    score: Array
    keep: float
    """g."""
    xi: float


def build(
    info: Info, *, discount: float | None = None, xi: float = 0.6, changes: float = 1.0
) -> DUCB:
    """Parameters: ξ, and the discount g, by default the one for a number of ``changes``."""
    if discount is None:
        changes = number(changes, "changes", 0, 1e12, above=True)
        discount = 1.0 - 0.25 * math.sqrt(min(1.0, changes / info.decisions))
    discount = number(discount, "discount", 0, 1, above=True)
    weight, total, mean, score = np.zeros((4, info.arms))
    return DUCB(weight, total, mean, score, discount, number(xi, "xi", 0, 1e6))


@inlined
def choose(policy, k, beta, rng):
    m = len(policy.score)
    if k <= m:
        return k - 1
    n = 0.0
    for j in range(m):
        n += policy.weight[j]
    width = 4.0 * policy.xi * math.log(max(1.0, n))
    for j in range(m):
        N = policy.weight[j]
        if N > _TINY:
            policy.mean[j] = policy.total[j] / N
            policy.score[j] = policy.mean[j] + math.sqrt(width / N)
        else:
            policy.score[j] = math.inf
    return best_arm(policy.score, policy.mean, rng)


@inlined
def learn(policy, k, arm, rewards, before, after):
    for j in range(len(policy.weight)):
        policy.weight[j] *= policy.keep
        policy.total[j] *= policy.keep
    policy.weight[arm] += 1.0
    policy.total[arm] += rewards.total


register("d-ucb", schedule="fixed:1", memory=DUCB, build=build, choose=choose, learn=learn)
