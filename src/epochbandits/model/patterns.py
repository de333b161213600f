r"""Zero patterns of transition matrices: whether M(P) is irreducible depends on nothing else.

M(P) joins two states if they share a successor (errata E3), and P is ergodic if a power of it is
positive; both are properties of the pattern of positive entries. A pattern belongs to a reversible
chain exactly if it is symmetric: then a symmetric matrix of weights has it, and the walk on those
weights is reversible. So a search over patterns is a search over all matrices.

Arrays of patterns are boolean, (N, S, S).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Patterns = NDArray[np.bool_]


def _any(patterns: Patterns) -> NDArray[np.bool_]:
    return np.ones(len(patterns), dtype=bool)


def _positive_diagonal(patterns: Patterns) -> NDArray[np.bool_]:
    return np.asarray(np.diagonal(patterns, axis1=1, axis2=2).all(axis=1))


def _symmetric(patterns: Patterns) -> NDArray[np.bool_]:
    return np.asarray((patterns == patterns.transpose(0, 2, 1)).all(axis=(1, 2)))


CONDITIONS: dict[str, Callable[[Patterns], NDArray[np.bool_]]] = {
    "ergodic": _any,
    "positive_diagonal": _positive_diagonal,
    "reversible": _symmetric,
}
"""By name: the conditions on an ergodic P that the paper calls sufficient, and `ergodic` alone."""


def all_patterns(states: int) -> Patterns:
    """Return every pattern without an empty row; there are (2^S - 1)^S."""
    rows = np.array([[bits >> s & 1 for s in range(states)] for bits in range(1, 2**states)], bool)
    index = np.indices((len(rows),) * states).reshape(states, -1).T
    return np.asarray(rows[index])


def random_patterns(states: int, count: int, condition: str, rng: np.random.Generator) -> Patterns:
    """Return sparse random patterns that satisfy a condition; about two successors per state."""
    drawn = rng.random((count, states, states)) < 1.2 / states
    if condition == "reversible":
        drawn |= drawn.transpose(0, 2, 1)
    if condition == "positive_diagonal":
        drawn |= np.eye(states, dtype=bool)
    # A cycle through all states, so that many of them are irreducible.
    cycle = np.roll(np.eye(states, dtype=bool), 1, axis=1)
    return np.asarray(drawn | (cycle | cycle.T if condition == "reversible" else cycle))


def ergodic(patterns: Patterns) -> NDArray[np.bool_]:
    """Return which patterns are irreducible and aperiodic: power S² - 2S + 2 is positive."""
    states = patterns.shape[1]
    power = patterns
    for _ in range(max(1, (states**2 - 2 * states + 2 - 1).bit_length())):
        power = _product(power, power)
    return np.asarray(power.all(axis=(1, 2)))


def classes_of_m(patterns: Patterns) -> NDArray[np.int64]:
    """Return the number of irreducible classes of M(P) for each pattern."""
    joined = _product(patterns, patterns.transpose(0, 2, 1))
    for _ in range(max(1, (patterns.shape[1] - 1).bit_length())):
        joined = _product(joined, joined)
    # Each class is counted at its first state.
    return np.asarray((joined.argmax(axis=2) == np.arange(patterns.shape[1])).sum(axis=1))


def _product(a: Patterns, b: Patterns) -> Patterns:
    return np.asarray(a.astype(np.float32) @ b.astype(np.float32) > 0)
