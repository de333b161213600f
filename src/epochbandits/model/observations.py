r"""What a reward reveals about the state: an arm's reward as a channel with finitely many outcomes.

A channel is a matrix Q with Q(o, θ) the probability of outcome o in state θ. The reward of an arm
is an atom, or lies in one of finitely many bins; seeing the bin in place of the reward gives

``coarse``
    a channel that reveals less: what a learner earns with it can be earned from the rewards.

In a bin B let f_θ be the density of the reward in state θ given that it lies in B, and p_θ the
probability of B. Every reward's likelihood f_θ(x) p_θ is the sum of a common part m(x) p_θ with
m = min_θ f_θ, and of the remainder (f_θ(x) - m(x)) p_θ. Revealing the state in place of the
remainder gives

``fine``
    a channel that reveals more: outcome B has probability α p_θ with α = ∫ m, and with probability
    (1 - α) p_θ the state θ itself is revealed.

α is rounded down, by lower bounds of the densities on small cells, so ``fine`` reveals more
whatever the cells are. Without continuous laws both channels are the reward itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from epochbandits.model.instance import Instance
from epochbandits.model.rewards import Law

Array = NDArray[np.float64]

_CELLS = 200  # per bin


class Channels(NamedTuple):
    """Two channels that the reward lies between; (outcomes, S) arrays, columns sum to one."""

    coarse: Array
    fine: Array


def reward_channels(instance: Instance, arm: int, bins: int = 8) -> Channels:
    """Return the channels of an arm's reward, with ``bins`` or a few more bins on [0, 1]."""
    laws = instance.rewards[arm]
    atoms = sorted({value for law in laws for value, _ in law.atoms})
    at_atoms = np.array([[_atom(law, value) for law in laws] for value in atoms])
    edges = _edges(laws, bins)
    in_bins = np.array([_masses(law, edges) for law in laws]).T
    shares = np.array([_common(laws, p, low, high) for p, low, high in
                       zip(in_bins, edges[:-1], edges[1:], strict=True)])  # fmt: skip
    revealed = np.diag(((1 - shares)[:, None] * in_bins).sum(axis=0))
    parts = [at_atoms.reshape(-1, len(laws)), in_bins]
    return Channels(
        _positive(np.vstack(parts)),
        _positive(np.vstack([parts[0], shares[:, None] * in_bins, revealed])),
    )


def _positive(channel: Array) -> Array:
    """Return the possible outcomes, scaled so that rounding loses no probability."""
    possible = channel[channel.max(axis=1) > 0]
    return np.asarray(possible / possible.sum(axis=0))


def _atom(law: Law, value: float) -> float:
    return sum(p for at, p in law.atoms if at == value)


def _edges(laws: tuple[Law, ...], bins: int) -> Array:
    """Return even edges, and those of the laws' supports, at which densities jump."""
    jumps = [x for law in laws for _, density in law.components for x in density.jumps]
    return np.unique(np.concatenate([np.linspace(0, 1, bins + 1), jumps]))


def _masses(law: Law, edges: Array) -> Array:
    mass = np.zeros(len(edges) - 1)
    for weight, density in law.components:
        mass += weight * np.diff(density.cdf(edges))
    return mass


def _common(laws: tuple[Law, ...], p: Array, low: float, high: float) -> float:
    """Return a lower bound on a bin's α, over the states in which the bin is possible."""
    from epochbandits.model.densities import EPS, TINY

    cuts = np.clip(np.linspace(low, high, _CELLS + 1), TINY, 1 - EPS)
    least = np.full(_CELLS, np.inf)
    for law, chance in zip(laws, p, strict=True):
        if chance > 0:
            below = np.zeros(_CELLS)
            for weight, density in law.components:
                below += density.bounds(cuts[:-1], cuts[1:], float(np.log(weight)))[0]
            least = np.minimum(least, below / chance)
    common = float((least * np.diff(cuts)).sum()) if np.isfinite(least).all() else 1.0
    return min(common, 1.0)
