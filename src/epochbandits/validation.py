"""What input has to look like, and the one error that tells a person what is wrong with it."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from numbers import Integral, Real
from typing import Any

import numpy as np

__all__ = ["InputError", "choice", "integer", "keys", "number", "shown", "suggestion"]


class InputError(ValueError):
    """Input that is refused: one sentence with what was wrong, where, and what is allowed."""


def number(
    value: Any,
    what: str,
    low: float = -math.inf,
    high: float = math.inf,
    *,
    above: bool = False,
    below: bool = False,
) -> float:
    """Return ``value`` as a finite float in [low, high], or refuse it under the name ``what``.

    With ``above`` the number ``low`` itself is not allowed, with ``below`` neither is ``high``.
    """
    result = math.nan
    if isinstance(value, Real) and not isinstance(value, bool | np.bool_):
        try:
            result = float(value)
        except OverflowError:
            result = math.inf
    inside = (
        low <= result <= high and not (above and result == low) and not (below and result == high)
    )
    if not (math.isfinite(result) and inside):
        interval = f"{'(' if above else '['}{low:g}, {high:g}{')' if below else ']'}"
        raise InputError(f"{what} must be a number in {interval}, not {shown(value)}")
    return result


def integer(value: Any, what: str, low: int, high: int) -> int:
    """Return ``value`` as an int in [low, high], or refuse it under the name ``what``."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not (whole and low <= int(value) <= high):
        raise InputError(f"{what} must be a whole number from {low} to {high}, not {shown(value)}")
    return int(value)


def keys(value: Any, what: str, required: Iterable[str]) -> Mapping[str, Any]:
    """Return ``value`` if it is a mapping with exactly the ``required`` keys, or refuse it."""
    required = list(required)
    listed = ", ".join(required)
    if not isinstance(value, Mapping):
        raise InputError(f"{what} must be an object with the keys {listed}, not {shown(value)}")
    for key in value:
        if key not in required:
            raise InputError(
                f"{what} has the unknown key {shown(key)}{suggestion(key, required)}; "
                f"the keys are {listed}"
            )
    for key in required:
        if key not in value:
            raise InputError(f"{what} lacks the key {key!r}; the keys are {listed}")
    return value


def choice(value: Any, what: str, allowed: Iterable[str]) -> str:
    """Return ``value`` if it is one of ``allowed``, or refuse it with the nearest one."""
    allowed = list(allowed)
    if value not in allowed:
        raise InputError(
            f"{what} must be one of {', '.join(allowed)}, not {shown(value)}"
            f"{suggestion(value, allowed)}"
        )
    return str(value)


def suggestion(value: Any, allowed: Iterable[str]) -> str:
    """Return ``' (did you mean ...?)'`` for a near miss of one of ``allowed``, else nothing."""
    if not isinstance(value, str) or len(value) > 100:
        return ""
    near = get_close_matches(value, list(allowed), n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def shown(value: Any) -> str:
    """Return a value for a message, in at most 60 characters, whatever it is."""
    try:
        return _SHORT.repr(value)
    except Exception as error:  # an integer of thousands of digits; an object of the user's own
        return f"a value that cannot be shown ({type(error).__name__})"


class _Short(reprlib.Repr):
    """Like repr, cut at 60 characters, and never looking at more of a value than that needs."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 4
        self.maxstring = self.maxlong = self.maxother = 60
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = 20

    def repr(self, x: Any) -> str:
        text = super().repr(x)
        return text if len(text) <= 60 else text[:57] + "..."


_SHORT = _Short()
