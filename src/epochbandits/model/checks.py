"""What the parts of an instance must satisfy, and the error for each part that does not.

Each error names the place, such as ``transition[1][0] (arm 1, state 0)``, and what is allowed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from epochbandits import limits
from epochbandits.model import chains
from epochbandits.model.rewards import Law, law_from_dict
from epochbandits.validation import InputError, number, short_repr

Array = NDArray[np.float64]

_SUM_TOLERANCE = 1e-9
_SMALLEST_CHANCE = 1e-60  # squares and products of smaller ones underflow


def is_text(name: Any) -> bool:
    """Return whether a name is a non-empty string that can be written to a file."""
    try:
        return isinstance(name, str) and name.encode() != b""
    except UnicodeEncodeError:  # half of a surrogate pair, which JSON can contain
        return False


def transition_matrices(value: Any) -> Array:
    """Return (m, S, S) row-stochastic matrices."""
    _list_of(value, "transition", None, "a list of matrices, one for each arm")
    first = value[0]
    states = len(first) if isinstance(first, Sequence | np.ndarray) else 0
    limits.check_instance(len(value), states)
    return np.array(
        [
            [
                probabilities(row, f"transition[{arm}][{state}] (arm {arm}, state {state})", states)
                for state, row in enumerate(
                    _list_of(matrix, f"transition[{arm}] (arm {arm})", states, "a square matrix")
                )
            ]
            for arm, matrix in enumerate(value)
        ]
    )


def reward_laws(value: Any, arms: int, states: int) -> tuple[tuple[Law, ...], ...]:
    """Return m rows of S reward laws, from laws or their JSON form."""

    def law(arm: int, state: int, entry: Any) -> Law:
        if isinstance(entry, Law):
            return entry
        try:
            return law_from_dict(entry)
        except InputError as error:
            raise InputError(
                f"rewards[{arm}][{state}] (arm {arm}, state {state}): {error}"
            ) from None

    _list_of(value, "rewards", arms, "a list with one row of laws for each arm")
    return tuple(
        tuple(
            law(arm, state, entry)
            for state, entry in enumerate(
                _list_of(row, f"rewards[{arm}] (arm {arm})", states, "a list of one law per state")
            )
        )
        for arm, row in enumerate(value)
    )


def probabilities(value: Any, what: str, states: int) -> Array:
    """Return a probability vector over the states."""
    _list_of(value, what, states, "a list of probabilities, one for each state")
    row = np.array([number(entry, f"{what}[{i}]", 0, 1) for i, entry in enumerate(value)])
    total = math.fsum(row)
    if abs(total - 1) > _SUM_TOLERANCE:
        raise InputError(f"{what} sums to {total:.12g}; probabilities must sum to 1 (to 1e-9)")
    return row if abs(total - 1) <= len(row) * np.finfo(float).eps else row / total


def check_arm(P: Array, arm: int) -> None:
    """Reject an arm that breaks Assumption 1 or 2 (errata D7), or does so to double precision."""
    where = f"transition[{arm}] (arm {arm})"
    if (pair := chains.unreachable(P > 0)) is not None:
        start, state = pair
        raise InputError(
            f"{where}: the chain is reducible: state {state} is never reached from state {start}; "
            "every state must be reachable (Assumption 1)"
        )
    if (length := chains.period(P)) > 1:
        raise InputError(
            f"{where}: the chain has period {length}; it must be aperiodic, for which one positive "
            "diagonal entry suffices (Assumption 1)"
        )
    if (pair := chains.unreachable(chains.reversiblization_graph(P))) is not None:
        start, state = pair
        raise InputError(
            f"{where}: M(P) is reducible: no chain of shared successors joins state {start} with "
            f"state {state}; M(P) must be irreducible, for which a positive diagonal suffices "
            "(Assumption 2)"
        )
    least = np.where(P > 0, P, 1.0).min(axis=1)
    for what, chances in (
        ("smallest positive probability", least),
        ("stationary probability", chains.stationary(P)),
    ):
        state = int(np.argmin(chances))
        if chances[state] < _SMALLEST_CHANCE:
            raise InputError(
                f"transition[{arm}] (arm {arm}, state {state}): the {what} is "
                f"{chances[state]:.3g}; it must be at least {_SMALLEST_CHANCE:g}, or exactly 0 "
                "where there is no transition"
            )


def _list_of(value: Any, what: str, length: int | None, kind: str) -> Any:
    is_list = isinstance(value, Sequence | np.ndarray) and not isinstance(value, str | bytes)
    if not is_list or (isinstance(value, np.ndarray) and value.ndim == 0):
        raise InputError(f"{what} must be {kind}, not {short_repr(value)}")
    if len(value) == 0 or (length is not None and len(value) != length):
        expected = "at least 1" if length is None else str(length)
        raise InputError(f"{what} must be {kind}: {expected} expected, {len(value)} found")
    return value
