r"""Finite Markov chains: stationary distribution, ergodicity, and the constants of the bounds.

For a row-stochastic matrix P with stationary distribution π the paper (Section 2) uses

.. math::
    \tilde P(θ, θ') = π(θ') P(θ', θ) / π(θ), \qquad M(P) = P \tilde P, \qquad
    λ = \sqrt{λ_2(M(P))}, \qquad C = \tfrac12 \sqrt{1 + (1 - π_{\min})^2 / π_{\min}}.

Nothing here loses accuracy for a chain that is nearly reducible. The stationary distribution comes
from state reduction (Grassmann, Taksar and Heyman 1985), which never subtracts, and so does the
spectral gap 1 - λ, which the bounds divide by and which is lost when λ is rounded to a double near
one. Structure (irreducible, aperiodic) is read from the graph of positive entries, never from
eigenvalues.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from epochbandits.validation import InputError

Array = NDArray[np.float64]


class Mixing(NamedTuple):
    """How fast one arm's chain forgets its start: TV distance after t steps ≤ C λ^t."""

    log_lam: float
    """log λ; -inf for a chain that forgets in one step. A logarithm because the bounds need both
    λ^t and 1 - λ to full relative accuracy."""
    C: float

    @property
    def lam(self) -> float:
        return math.exp(self.log_lam)


def stationary(P: Array) -> Array:
    """Return the stationary distribution π = πP of an irreducible chain, to full relative accuracy.

    State reduction: the states are censored one by one from the last, using only sums, products
    and quotients of non-negative numbers; the diagonal is never read.

    Parameters
    ----------
    P : (S, S) array
        Row-stochastic and irreducible.

    Returns
    -------
    (S,) array
        Probabilities, all positive.

    Raises
    ------
    InputError
        If the chain is found to be reducible.

    Examples
    --------
    >>> stationary(np.array([[0.9, 0.1], [0.2, 0.8]])).round(6).tolist()
    [0.666667, 0.333333]
    """
    reduced = np.array(P, dtype=np.float64)
    states = len(reduced)
    for k in range(states - 1, 0, -1):
        leaving = reduced[k, :k].sum()
        if leaving == 0:
            raise InputError("the chain is reducible and has no unique stationary distribution")
        reduced[:k, k] /= leaving
        reduced[:k, :k] += np.outer(reduced[:k, k], reduced[k, :k])
    pi = np.ones(states)
    for k in range(1, states):
        pi[k] = pi[:k] @ reduced[:k, k]
    result: Array = pi / pi.sum()
    return result


def unreachable(graph: NDArray[np.bool_]) -> tuple[int, int] | None:
    """Return states (a, b) such that b cannot be reached from a, or None if there are none.

    A graph is strongly connected iff state 0 reaches every state, and every state reaches 0.
    """
    if graph.all():
        return None
    from scipy.sparse.csgraph import breadth_first_order  # most chains do not need the import

    for forward in (True, False):
        edges = graph if forward else graph.T
        reached = breadth_first_order(edges, 0, return_predecessors=False)
        missing = np.setdiff1d(np.arange(len(graph)), reached)
        if missing.size:
            return (0, int(missing[0])) if forward else (int(missing[0]), 0)
    return None


def is_irreducible(P: Array) -> bool:
    """Return whether every state can be reached from every other one."""
    return unreachable(np.asarray(P) > 0) is None


def period(P: Array) -> int:
    """Return the period of an irreducible chain: the gcd of the lengths of its cycles.

    With ℓ(θ) the distance from state 0, the period is the gcd of ℓ(θ) + 1 - ℓ(θ') over all edges.
    """
    graph = np.asarray(P) > 0
    if graph.diagonal().any():
        return 1
    from scipy.sparse.csgraph import dijkstra  # most chains do not need the import

    distance = dijkstra(graph, indices=0, unweighted=True).astype(int)
    source, target = np.nonzero(graph)
    return int(np.gcd.reduce(distance[source] + 1 - distance[target]))


def reversiblization_graph(P: Array) -> NDArray[np.bool_]:
    """Return where M(P) is positive: θ and θ' are joined iff they share a successor (errata E3)."""
    successors = (np.asarray(P) > 0).astype(np.int64)
    graph: NDArray[np.bool_] = (successors @ successors.T) > 0
    return graph


def constant_C(pi: Array) -> float:
    """Return the paper's C = ½ sqrt(1 + (1 - π_min)² / π_min)."""
    low = float(pi.min())
    return 0.5 * math.sqrt(1 + (1 - low) ** 2 / low)


def constant_C_exact(pi: Array) -> float:
    """Return ½ sqrt((1 - π_min) / π_min), half the root of the largest χ²₀ (errata E2)."""
    low = float(pi.min())
    return 0.5 * math.sqrt((1 - low) / low)


def mixing(P: Array, pi: Array) -> Mixing:
    """Return λ and C of an ergodic chain; λ = 1 if M(P) is reducible."""
    return Mixing(_log_lam(P, pi), constant_C(pi))


def _log_lam(P: Array, pi: Array) -> float:
    """Return log λ, λ the second singular value of D^{1/2} P D^{-1/2} with D = diag(π)."""
    if len(pi) == 1:
        return -math.inf
    if unreachable(reversiblization_graph(P)) is not None:
        return 0.0
    root = np.sqrt(pi)
    lam = float(np.linalg.svd(P * root[:, None] / root, compute_uv=False)[1])
    if lam < 0.5:
        return math.log(lam) if lam > len(pi) * 1e-16 else -math.inf
    return 0.5 * math.log1p(-_reversiblization_gap(P, pi))


def _reversiblization_gap(P: Array, pi: Array) -> float:
    """Return 1 - λ₂(M(P)) to full relative accuracy, however small it is.

    With w(θ,θ') = π(θ) M(θ,θ') the gap is the least positive ω of the weighted graph Laplacian's
    problem K x = ω D x. We ground the likeliest state, invert the rest of K by an elimination
    without subtractions (K is a symmetric M-matrix given by its weights), and take the largest
    eigenvalue of the inverse on the complement of the constants, which is 1/ω. Grounding the
    likeliest state keeps the inverse as small as the relaxation time, so projecting is harmless.
    """
    states = len(pi)
    flow = pi[:, None] * P
    weight = (flow / pi) @ flow.T
    ground = int(np.argmax(pi))
    order = np.array([s for s in range(states) if s != ground] + [ground])
    rest = weight[np.ix_(order, order)]
    np.fill_diagonal(rest, 0.0)
    lower_inverse = np.eye(states - 1)
    pivots = np.empty(states - 1)
    for k in range(states - 1):
        pivots[k] = rest[k, k + 1 :].sum()
        share = rest[k + 1 :, k] / pivots[k]
        lower_inverse[k + 1 :] += np.outer(share[:-1], lower_inverse[k])
        rest[k + 1 :, k + 1 :] += np.outer(share, rest[k, k + 1 :])
    inverse = np.zeros((states, states))
    inverse[:-1, :-1] = (lower_inverse.T / pivots) @ lower_inverse
    ordered = pi[order]
    centred = inverse - ordered @ inverse
    centred -= (centred @ ordered)[:, None]
    root = np.sqrt(ordered)
    return 1.0 / float(np.linalg.eigvalsh(centred * root[:, None] * root)[-1])
