r"""Optimal average reward of a learner that knows the instance and sees rewards, not the state.

The learner's belief b is the distribution of the state given the past. Playing arm j in belief b
earns b·r_j on average and shows an outcome o of a channel Q (`observations`), after which

.. math:: b' \propto (b ∘ Q_o) P_j , \qquad \Pr(o) = b · Q_o .

The value of n more iterations is convex in b. So replacing b' by the corners of its simplex in a
grid (`simplex`), drawn with their weights, never lowers it (Lovejoy 1991): the optimum of the
finite process on the grid is an upper bound on the average reward, for a channel that reveals at
least as much as the rewards.

A lower bound is what a feasible policy earns. Its memory is a grid point; it plays the arm that is
optimal there in the finite process, and moves to a corner of b', drawn by the weights. Memory and
state together are a Markov chain, whose average reward is computed from the worst start. The policy
sees the channel that reveals at most as much as the rewards.

With nothing observed the same bounds hold for the best open-loop sequence of arms.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from epochbandits.model.control import average_reward
from epochbandits.model.instance import Instance
from epochbandits.model.observations import reward_channels
from epochbandits.model.simplex import Grid

if TYPE_CHECKING:  # SciPy takes as long to import as everything else
    from scipy.sparse import csr_array

Array = NDArray[np.float64]

_BINS = 8  # for rewards with a density
_TOLERANCE = 1e-6  # of the average rewards of the finite processes; the bounds hold for any


class Bounds(NamedTuple):
    """An optimal average reward lies between these."""

    lower: float
    upper: float


def observed(instance: Instance, resolution: int) -> Bounds:
    """Return bounds on the optimum of a learner that sees each iteration's reward.

    ``resolution`` is M of the grid.
    """
    channels = [reward_channels(instance, arm, _BINS) for arm in range(instance.arms)]
    return _bounds(instance, resolution, [c.coarse for c in channels], [c.fine for c in channels])


def unobserved(instance: Instance, resolution: int) -> Bounds:
    """Return bounds on the optimum of a learner that sees nothing: of open-loop sequences."""
    nothing = [np.ones((1, instance.states))] * instance.arms
    return _bounds(instance, resolution, nothing, nothing)


def _bounds(
    instance: Instance, resolution: int, coarse: Sequence[Array], fine: Sequence[Array]
) -> Bounds:
    grid = Grid(instance.states, resolution)
    upper = average_reward(
        instance.reward_means @ grid.points.T,
        [_moves(instance, arm, grid, Q) for arm, Q in enumerate(fine)],
        _TOLERANCE,
    )
    rewards, P = _controlled(instance, grid, upper.policy, coarse)
    lower = average_reward(rewards[None], [P], _TOLERANCE)
    return Bounds(max(lower.lower, float(instance.mu.max())), upper.upper)


def _corners(
    instance: Instance, arm: int, grid: Grid, beliefs: Array, outcome: Array
) -> tuple[NDArray[np.int64], Array, Array]:
    """Return each belief's corners and weights after a play, and the outcome's probability."""
    chance = beliefs @ outcome
    after = (beliefs * outcome) @ instance.transition[arm]
    after /= np.where(chance > 0, chance, 1.0)[:, None]
    after[chance <= 0] = instance.pi[arm]
    corners, weights = grid.corners(after)
    return corners, weights, chance


def _moves(instance: Instance, arm: int, grid: Grid, channel: Array) -> csr_array:
    """Return the matrix of an arm in the finite process on the grid."""
    from scipy.sparse import csr_array

    rows, columns, values = [], [], []
    numbers = np.repeat(np.arange(grid.size), grid.states)
    for outcome in channel:
        corners, weights, chance = _corners(instance, arm, grid, grid.points, outcome)
        rows.append(numbers)
        columns.append(corners.ravel())
        values.append((chance[:, None] * weights).ravel())
    entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    return csr_array(entries, shape=(grid.size, grid.size))


def _controlled(
    instance: Instance, grid: Grid, policy: NDArray[np.int64], coarse: Sequence[Array]
) -> tuple[Array, csr_array]:
    """Return rewards and matrix of the chain of memory and state: (node, θ) is node·S + θ."""
    from scipy.sparse import csr_array

    S = instance.states
    rows, columns, values = [], [], []
    for arm, channel in enumerate(coarse):
        nodes = np.flatnonzero(policy == arm)
        P = instance.transition[arm]
        for outcome in channel:
            corners, weights, _ = _corners(instance, arm, grid, grid.points[nodes], outcome)
            shape = (len(nodes), S, S, S)  # node, state, corner, next state
            row = nodes[:, None] * S + np.arange(S)
            column = corners[:, :, None] * S + np.arange(S)
            chance = weights[:, None, :, None] * (outcome[:, None] * P)[None, :, None, :]
            rows.append(np.broadcast_to(row[:, :, None, None], shape).ravel())
            columns.append(np.broadcast_to(column[:, None], shape).ravel())
            values.append(chance.ravel())
    entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    size = grid.size * S
    return instance.reward_means[policy].ravel(), csr_array(entries, shape=(size, size))
