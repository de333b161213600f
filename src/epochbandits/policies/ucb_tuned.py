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

from epochbandits.jit import inlined
from epochbandits.policies.base import (
    Array,
    Info,
    best_arm,
    learn_mean,
    optimistic_stretch,
    register,
    single,
)


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


@inlined
def choose(policy, k, beta, rng):
    m = len(policy.score)
    if k <= m:
        return k - 1
    log_k = math.log(k)
    width = math.sqrt(2.0 * log_k)
    for j in range(m):
        V = policy.variance[j] + width * policy.root[j]
        policy.score[j] = policy.mean[j] + policy.root[j] * math.sqrt(log_k * min(0.25, V))
    return best_arm(policy.score, policy.mean, rng)


@inlined
def learn(policy, k, arm, rewards, before, after):
    n, old = rewards.decisions, policy.mean[arm]
    learn_mean(policy, k, arm, rewards, before, after)
    T, average = policy.plays[arm], rewards.total / n
    within = max(0.0, rewards.squares - n * average * average)  # around the stretch's mean
    mean = rewards.centre + average
    policy.squares[arm] += within + n * (mean - old) * (mean - policy.mean[arm])
    policy.variance[arm] = policy.squares[arm] / T
    policy.root[arm] = 1.0 / math.sqrt(T)


@inlined
def decide(policy, k, beta, rng):
    r"""As for UCB1, with a window that grows at most with the power 3/4 of log t:

    .. math:: w_{k+n} \le w_k \bigl(1 + \tfrac{n}{k \log k}\bigr)^{3/4}
              \le w_k \bigl(1 + \tfrac{3 n}{4 k \log k}\bigr) .

    The chosen arm's H² = log t · min{T/4, Σ (r - mean)² + sqrt(2 T log t)} does not shrink, because
    a further reward never lowers the sum of squared deviations from the mean.
    """
    arm = choose(policy, k, beta, rng)
    if k <= len(policy.score):
        return single(arm)
    return optimistic_stretch(policy, arm, 0.75 / (k * math.log(k)))


register(
    "ucb-tuned",
    schedule="fixed:1",
    memory=UCBTuned,
    build=build,
    choose=choose,
    learn=learn,
    decide=decide,
)
