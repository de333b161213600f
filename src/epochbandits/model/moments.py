r"""Exact mean and variance of an epoch's reward, by matrix recursions.

An epoch of arm j with τ iterations, from the distribution β of the state, has the reward
Σ_s γ^{τ-1-s} r_s / R(τ). With the centred mean rewards q = E[r_j] - μ_j, as a vector over states,
let

.. math:: W(τ) = \sum_{s<τ} γ^{τ-1-s} P^s q, \qquad W(τ+1) = γ W(τ) + P^τ q .

Then the epoch's expected reward is μ_j + β·W(τ)/R(τ), for both samplings. Its variance depends on
the sampling:

``marginal`` (Algorithm 1 to the letter)
    the states of an epoch are independent draws from β P^s, so variances add;
``trajectory``
    the states are a path of the chain, and the second moment of the remaining sum obeys
    S(τ) = γ^{2(τ-1)} E[(r-μ)²] + 2 γ^{τ-1} q ∘ P W(τ-1) + P S(τ-1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from epochbandits.model.instance import Instance
from epochbandits.model.setting import Setting, discount_sum
from epochbandits.validation import InputError, choice, integer

__all__ = [
    "SAMPLINGS",
    "Sampling",
    "ScriptMoments",
    "advance",
    "deviations",
    "epoch_mean",
    "epoch_variance",
    "script_moments",
    "worst_deviation",
]

Array = NDArray[np.float64]
Sampling = Literal["marginal", "trajectory"]
SAMPLINGS: tuple[str, ...] = get_args(Sampling)


def deviations(instance: Instance, arm: int, longest: int, gamma: float) -> Array:
    """Return W(τ) for τ = 0..longest as a (longest + 1, S) array."""
    integer(longest, "the length of an epoch", 1, 10**9)
    P, pi = instance.transition[arm], instance.pi[arm]
    power = instance.reward_means[arm] - instance.mu[arm]
    W = np.zeros((longest + 1, instance.states))
    for tau in range(longest):
        W[tau + 1] = gamma * W[tau] + power
        power = P @ power
        # π·P^s q = 0: without this the rounding of μ_j would be added up τ times.
        power -= pi @ power
    return W


def epoch_mean(instance: Instance, arm: int, beta: ArrayLike, tau: int, gamma: float) -> float:
    """Return the expected reward of an epoch that starts at the distribution β."""
    W = deviations(instance, arm, tau, gamma)[tau]
    return float(instance.mu[arm] + np.asarray(beta) @ W / discount_sum(tau, gamma))


def worst_deviation(
    instance: Instance, arm: int, tau: int | NDArray[np.int64], gamma: float
) -> Array:
    """Return max_β |μ_j - E[epoch reward]|, which Lemma 1 bounds; it is attained at a state."""
    W = deviations(instance, arm, int(np.max(tau)), gamma)[tau]
    return np.asarray(np.abs(W).max(axis=-1) / discount_sum(tau, gamma))


def epoch_variance(
    instance: Instance,
    arm: int,
    beta: ArrayLike,
    tau: int,
    gamma: float,
    sampling: Sampling = "marginal",
) -> float:
    """Return the variance of an epoch's reward given that it starts at the distribution β."""
    choice(sampling, "sampling", SAMPLINGS)
    P, centred = instance.transition[arm], instance.reward_means[arm] - instance.mu[arm]
    second = instance.reward_variances[arm] + centred**2
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
    if not len(arms):
        raise InputError("the script must name at least one arm")
    plays = [0] * instance.arms
    beta, rows = np.array(instance.initial), []
    for arm in arms:
        if not 0 <= arm < instance.arms:
            raise InputError(f"the script names arm {arm}; arms are 0 to {instance.arms - 1}")
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
