r"""Exact moments of epochs, which the engines are compared with.

The variance of an epoch's reward depends on the sampling. If it is ``marginal``, the states of an
epoch are independent, and variances add. If it is ``trajectory``, the states are a path of the
chain, and with W, q and P as in `epochbandits.model.moments` the second moment of the remaining sum
obeys S(τ) = γ^{2(τ-1)} E[(r-μ)²] + 2 γ^{τ-1} q ∘ P W(τ-1) + P S(τ-1).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from epochbandits.model.instance import Instance
from epochbandits.model.moments import Sampling, deviations, epoch_mean
from epochbandits.model.setting import Setting, discount_sum

Array = NDArray[np.float64]


def reward_variances(instance: Instance) -> Array:
    """Return the variance of the reward by arm and state, an (m, S) array."""
    return np.array([[law.variance for law in row] for row in instance.rewards])


def epoch_variance(
    instance: Instance,
    arm: int,
    beta: ArrayLike,
    tau: int,
    gamma: float,
    sampling: Sampling = "marginal",
) -> float:
    """Return the variance of an epoch's reward given that it starts at the distribution β."""
    P, centred = instance.transition[arm], instance.reward_means[arm] - instance.mu[arm]
    second = reward_variances(instance)[arm] + centred**2
    now = np.asarray(beta, dtype=np.float64)
    total = 0.0
    if sampling == "marginal":
        for s in range(tau):
            total += gamma ** (2 * (tau - 1 - s)) * (now @ second - (now @ centred) ** 2)
            now = now @ P
    else:
        W = deviations(instance, arm, tau, gamma)
        S = np.zeros(instance.states)
        for left in range(1, tau + 1):
            weight = gamma ** (left - 1)
            S = weight**2 * second + 2 * weight * centred * (P @ W[left - 1]) + P @ S
        total = float(now @ S - (now @ W[tau]) ** 2)
    return max(0.0, float(total)) / float(discount_sum(tau, gamma)) ** 2


def advance(instance: Instance, arm: int, beta: ArrayLike, tau: int) -> Array:
    """Return the distribution β P_j^τ of the state after an epoch."""
    return np.asarray(np.asarray(beta) @ np.linalg.matrix_power(instance.transition[arm], tau))


@dataclass(frozen=True)
class ScriptMoments:
    """Moments of the epochs that a fixed sequence of arms plays; arrays over the epochs."""

    tau: NDArray[np.int64]
    mean: Array
    variance: Array
    start: Array
    """(n, S): the distribution of the state at each epoch's start."""
    regret: Array
    """Expected cumulative regret k μ_* - Σ mean."""


def script_moments(
    instance: Instance, arms: Sequence[int], setting: Setting, sampling: Sampling = "marginal"
) -> ScriptMoments:
    """Return exact moments of the epochs that play ``arms`` in order, from β₁."""
    plays = [0] * instance.arms
    beta, rows = np.array(instance.initial), []
    for arm in arms:
        tau = setting.tau0 + setting.zeta * plays[arm]
        mean = epoch_mean(instance, arm, beta, tau, setting.gamma)
        variance = epoch_variance(instance, arm, beta, tau, setting.gamma, sampling)
        rows.append((tau, mean, variance, beta))
        beta = advance(instance, arm, beta, tau)
        plays[arm] += 1
    tau_column, means, variances, starts = zip(*rows, strict=True)
    return ScriptMoments(
        tau=np.array(tau_column),
        mean=np.array(means),
        variance=np.array(variances),
        start=np.array(starts),
        regret=np.cumsum(instance.mu[instance.best_arm] - np.array(means)),
    )
