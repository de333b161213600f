r"""UCB1-Tuned of Auer, Cesa-Bianchi and Fischer (2002), the paper's UCB+.

After playing each arm once, decision t plays

.. math::
    \arg\max_j \; \bar R_j + \sqrt{\frac{\log t}{T_j} \min\{\tfrac14, V_j\}}, \qquad
    V_j = \widehat{\mathrm{var}}_j + \sqrt{2 \log t / T_j} .
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from epochbandits.jit import kernel
from epochbandits.policies.base import Array, Info, argmax, learn_mean, register


class UCBTuned(NamedTuple):
    """Memory of UCB1-Tuned; arrays over the arms."""

    plays: Array
    mean: Array
    squares: Array
    """Sum of squared deviations from the mean (Welford)."""
    variance: Array
    root: Array
    """1/√T."""
    score: Array


def build(info: Info) -> UCBTuned:
    """No parameters."""
    plays, mean, squares, variance, root, score = np.zeros((6, info.arms))
    return UCBTuned(plays, mean, squares, variance, root, score)


@kernel
def choose(policy, k, beta, rng):
    m = len(policy.score)
    if k <= m:
        return k - 1
    log_k = math.log(k)
    width = math.sqrt(2.0 * log_k)
    for j in range(m):
        V = policy.variance[j] + width * policy.root[j]
        policy.score[j] = policy.mean[j] + policy.root[j] * math.sqrt(log_k * min(0.25, V))
    return argmax(policy.score, rng)


@kernel
def learn(policy, k, arm, reward, before, after):
    delta = reward - policy.mean[arm]
    learn_mean(policy, k, arm, reward, before, after)
    T = policy.plays[arm]
    policy.squares[arm] += delta * (reward - policy.mean[arm])
    policy.variance[arm] = policy.squares[arm] / T
    policy.root[arm] = 1.0 / math.sqrt(T)


register("ucb-tuned", schedule="fixed:1", memory=UCBTuned, build=build, choose=choose, learn=learn)
