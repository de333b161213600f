r"""UCB1 of Auer, Cesa-Bianchi and Fischer (2002).

After playing each arm once, decision t plays

.. math:: \arg\max_j \; \bar R_j + \sqrt{2 \log t / T_j} .
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
from epochbandits.validation import number


class UCB(NamedTuple):
    """Memory of UCB1; arrays over the arms."""

    plays: Array
    mean: Array
    root: Array
    """1/√T."""
    score: Array
    constant: float


def build(info: Info, *, constant: float = 2.0) -> UCB:
    """Parameter: the constant under the root."""
    plays, mean, root, score = np.zeros((4, info.arms))
    return UCB(plays, mean, root, score, number(constant, "constant", 0, 1e6))


@inlined
def choose(policy, k, beta, rng):
    m = len(policy.score)
    if k <= m:
        return k - 1
    width = math.sqrt(policy.constant * math.log(k))
    for j in range(m):
        policy.score[j] = policy.mean[j] + width * policy.root[j]
    return best_arm(policy.score, policy.mean, rng)


@inlined
def learn(policy, k, arm, rewards, before, after):
    learn_mean(policy, k, arm, rewards, before, after)
    policy.root[arm] = 1.0 / math.sqrt(policy.plays[arm])


@inlined
def decide(policy, k, beta, rng):
    r"""Widths grow slowly: a window w = sqrt(2 log t / T) of a rival is for t ≤ k + n at most

    .. math:: w_k \sqrt{1 + \tfrac{n}{k \log k}} \le w_k \bigl(1 + \tfrac{n}{2 k \log k}\bigr),

    since log(k + n) ≤ log k + n/k. The chosen arm's H = sqrt(2 T log t) grows with its plays.
    """
    arm = choose(policy, k, beta, rng)
    if k <= len(policy.score):
        return single(arm)
    return optimistic_stretch(policy, arm, 0.5 / (k * math.log(k)))


register(
    "ucb",
    schedule="fixed:1",
    memory=UCB,
    build=build,
    choose=choose,
    learn=learn,
    decide=decide,
)
