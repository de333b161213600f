r"""Exact mean of an epoch's reward, by a matrix recursion.

An epoch of arm j with τ iterations, from the distribution β of the state, has the reward
Σ_s γ^{τ-1-s} r_s / R(τ). With the centred mean rewards q = E[r_j] - μ_j, as a vector over states,
let

.. math:: W(τ) = \sum_{s<τ} γ^{τ-1-s} P^s q, \qquad W(τ+1) = γ W(τ) + P^τ q .

Then the epoch's expected reward is μ_j + β·W(τ)/R(τ), for both samplings: ``marginal``, where the
states of an epoch are independent draws from β P^s (Algorithm 1 to the letter), and ``trajectory``,
where they are a path of the chain.
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from epochbandits.model.instance import Instance
from epochbandits.model.setting import discount_sum
from epochbandits.validation import integer

Array = NDArray[np.float64]
Sampling = Literal["marginal", "trajectory"]
SAMPLINGS: tuple[Sampling, ...] = get_args(Sampling)


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
