r"""Optimal average reward of a finite decision process, between two computed bounds.

With rewards r_a and row-stochastic matrices P_a over N states, let

.. math:: (Tv)(x) = \max_a \bigl( r_a(x) + (P_a v)(x) \bigr), \qquad d = Tv - v .

For every vector v the optimal long-run average reward, from any state, is between min d and max d,
and the policy that attains the maximum earns at least min d (Odoni 1969). `average_reward` iterates
v ← v + θ d, which is relative value iteration of the process that stays where it is with
probability 1 - θ: that one is aperiodic, and its average reward is θ times as large.

`known_state` applies it to an instance whose state the learner sees: no learner that sees less,
and no fixed arm, earns more in the long run.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from epochbandits.model import chains
from epochbandits.model.instance import Instance

Array = NDArray[np.float64]

_STEP = 0.9  # θ
_CHECK_EVERY = 10  # iterations between checks of the bounds


class Optimum(NamedTuple):
    """An optimal average reward between bounds, and a policy that earns at least the lower one."""

    lower: float
    upper: float
    policy: NDArray[np.int64]
    """(N,): an action for each state."""


def average_reward(
    rewards: Array, matrices: Sequence[Any], tolerance: float = 1e-9, iterations: int = 20_000
) -> Optimum:
    """Return bounds on the optimal average reward.

    Parameters
    ----------
    rewards : (actions, N) array
        Mean reward of each action in each state.
    matrices : sequence of (N, N) array
        The row-stochastic matrix of each action, dense or sparse.
    tolerance : float
        Distance between the bounds at which the iteration ends.
    iterations : int
        Largest number of iterations; the bounds are valid whenever it ends.
    """
    v = np.zeros(rewards.shape[1])
    for step in range(iterations):
        values = np.array([r + P @ v for r, P in zip(rewards, matrices, strict=True)])
        d = values.max(axis=0) - v
        if step % _CHECK_EVERY == 0 and np.ptp(d) <= tolerance:
            break
        v += _STEP * d
        v -= v[0]
    return Optimum(float(d.min()), float(d.max()), np.asarray(values.argmax(axis=0)))


def known_state(instance: Instance) -> Optimum:
    """Return the optimal average reward of a learner that knows the instance and the state.

    Examples
    --------
    >>> from epochbandits.model.generators import failure_example
    >>> round(known_state(failure_example(0.01)).lower, 4)
    0.9901
    """
    return average_reward(instance.reward_means, list(instance.transition))


def policy_reward(instance: Instance, arms: Sequence[int]) -> float:
    """Return the long-run reward of the policy that plays ``arms[θ]`` in state θ.

    The chain that it induces must be irreducible.
    """
    states = np.arange(instance.states)
    P = instance.transition[list(arms), states]
    return float(chains.stationary(P) @ instance.reward_means[list(arms), states])
