r"""EpochUCB that estimates its mixing constants from the rewards; for time averages, γ = 1.

The printed L_j needs C_j and λ_j only as A_j = C_j/(1 - λ_j), which bounds the bias of an epoch's
average: \|E[R] - μ_j\| ≤ A_j/τ (Lemma 1). With the variance v_j/τ of the average,

.. math:: E[τ (R - μ_j)^2] \le v_j + A_j^2 / τ ,

so A_j² is the slope of a least-squares line through the points (1/τ_i, τ_i (R_i - μ)²) of the
arm's epochs, where μ is their mean weighted by τ_i. A slope below zero counts as zero. Before an
arm's third play no line is known and the mixing part of the window is 1, the largest possible bias.
The policy takes τ from the schedule τ0 + ζT. Redrawn states (`marginal`) have no correlation in
time, so there only the drift of the first epochs shows mixing.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from epochbandits.jit import inlined
from epochbandits.policies.base import Array, Info, learn_mean, register
from epochbandits.policies.epoch_ucb import choose
from epochbandits.validation import InputError, number


class EpochUCBOnline(NamedTuple):
    """Memory; arrays over the arms."""

    plays: Array
    mean: Array
    known: Array
    """Mean plus the mixing part of the window."""
    root: Array
    """1/√T."""
    score: Array
    sums: Array
    """(m, 7): Σ of 1/τ, 1/τ², R, R², τ, τR, τR² over the arm's epochs."""
    constant: float
    tau0: float
    zeta: float


def build(info: Info, *, constant: float = 6.0) -> EpochUCBOnline:
    """Parameter: the constant a under the root."""
    if info.setting.gamma != 1:
        raise InputError("mixing is estimated from time averages: use gamma 1")
    plays, mean, known, root, score = np.zeros((5, info.arms))
    return EpochUCBOnline(
        plays=plays,
        mean=mean,
        known=known,
        root=root,
        score=score,
        sums=np.zeros((info.arms, 7)),
        constant=number(constant, "constant", 0, 1e6),
        tau0=float(info.setting.tau0),
        zeta=float(info.setting.zeta),
    )


@inlined
def learn(policy, k, arm, rewards, before, after):
    tau, reward, sums = policy.tau0 + policy.zeta * policy.plays[arm], rewards.total, policy.sums
    learn_mean(policy, k, arm, rewards, before, after)
    sums[arm, 0] += 1.0 / tau
    sums[arm, 1] += 1.0 / tau**2
    sums[arm, 2] += reward
    sums[arm, 3] += reward**2
    sums[arm, 4] += tau
    sums[arm, 5] += tau * reward
    sums[arm, 6] += tau * reward**2
    T = policy.plays[arm]
    growth = 1.0 / policy.tau0 + math.log1p(policy.zeta * T / policy.tau0) / policy.zeta
    policy.root[arm] = 1.0 / math.sqrt(T)
    bias = min(1.0, estimate(T, policy.sums[arm]) * growth / T)
    policy.known[arm] = policy.mean[arm] + bias


@inlined
def estimate(T, sums):
    """Return the estimate of A after T plays; infinite before the third."""
    if T < 3.0:
        return math.inf
    mean = sums[5] / sums[4]
    height = sums[6] - 2.0 * mean * sums[5] + mean**2 * sums[4]  # Σ τ (R - μ)²
    product = sums[3] - 2.0 * mean * sums[2] + mean**2 * T  # Σ (R - μ)²: each is divided by τ
    spread = T * sums[1] - sums[0] ** 2
    if not spread > 0.0:  # epochs of one length
        return 0.0
    return math.sqrt(max(0.0, (T * product - sums[0] * height) / spread))


register(
    "epoch-ucb-online",
    schedule="linear",
    memory=EpochUCBOnline,
    build=build,
    choose=choose,
    learn=learn,
)
