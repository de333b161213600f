"""Input checks, and the one exception that tells a user what is wrong."""

from __future__ import annotations

import math
import reprlib
from collections.abc import Iterable, Mapping
from copy import copy
from difflib import get_close_matches
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np

Name = TypeVar("Name", bound=str)
Path = tuple[str | int, ...]
"""Keys and list indices that lead from the top of a configuration to one of its values."""


class InputError(ValueError):
    """Input that is invalid.

    The message is one sentence: what is wrong, where, and what is allowed. The other fields hold
    the same facts as data, so that a caller can add the line of a file or print a correction.

    Parameters
    ----------
    message : str
        What is wrong.
    path : tuple of str and int, optional
        Where it is in the configuration; printed before the message.
    value : object, optional
        The invalid value, or the invalid key if ``key`` is true.
    allowed : iterable of str, optional
        What is allowed instead.
    suggestion : str, optional
        The allowed value that the user probably meant.
    key : bool, optional
        Whether the last key of ``path`` is invalid, rather than its value.

    Examples
    --------
    >>> str(InputError("must be at least 1", path=("experiments", "mine", "epochs"), value=0))
    'experiments.mine.epochs: must be at least 1'
    """

    def __init__(
        self,
        message: str,
        *,
        path: Path = (),
        value: Any = None,
        allowed: Iterable[str] = (),
        suggestion: str | None = None,
        key: bool = False,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.path = tuple(path)
        self.value = value
        self.allowed = tuple(allowed)
        self.suggestion = suggestion
        self.key = key

    def __str__(self) -> str:
        """Return the path as dotted keys, and the message."""
        return f"{'.'.join(map(str, self.path))}: {self.message}" if self.path else self.message

    def at(self, path: Path, context: str = "") -> InputError:
        """Return the same error below ``path``; ``context`` is printed before the message."""
        error = copy(self)
        error.message = f"{context}: {self.message}" if context else self.message
        error.path = (*path, *self.path)
        return error


def number(
    value: Any,
    what: str,
    low: float = -math.inf,
    high: float = math.inf,
    *,
    above: bool = False,
    below: bool = False,
) -> float:
    """Return ``value`` as a finite float in [low, high]; an error calls it ``what``.

    With ``above``, ``low`` itself is not allowed; with ``below``, ``high`` is not.
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
        raise InputError(
            f"{what} must be a number in {interval}, not {short_repr(value)}",
            value=value,
            allowed=[interval],
        )
    return result


def integer(value: Any, what: str, low: int, high: int) -> int:
    """Return ``value`` as an int in [low, high]; an error calls it ``what``."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not (whole and low <= int(value) <= high):
        raise InputError(
            f"{what} must be a whole number from {low} to {high}, not {short_repr(value)}",
            value=value,
            allowed=[f"[{low}, {high}]"],
        )
    return int(value)


def keys(value: Any, what: str, required: Iterable[str]) -> Mapping[str, Any]:
    """Return a mapping with exactly the ``required`` keys; reject anything else."""
    required = list(required)
    listed = ", ".join(required)
    if not isinstance(value, Mapping):
        raise InputError(
            f"{what} must be an object with the keys {listed}, not {short_repr(value)}",
            value=value,
            allowed=required,
        )
    for key in value:
        if key not in required:
            raise unknown_key(
                key, f"{what} has the unknown key {short_repr(key)}", "the keys are", required
            )
    for key in required:
        if key not in value:
            raise InputError(
                f"{what} lacks the key {key!r}; the keys are {listed}", value=key, allowed=required
            )
    return value


def choice(
    value: Any, what: str, allowed: Iterable[Name], *, path: Path = (), key: bool = False
) -> Name:
    """Return the entry of ``allowed`` that ``value`` equals; the error suggests the nearest one.

    ``path`` and ``key`` are those of `InputError`.
    """
    names = list(allowed)
    if value not in names:
        raise InputError(
            f"{what} must be one of {', '.join(names)}, not {short_repr(value)}"
            f"{suggestion(value, names)}",
            path=path,
            value=value,
            allowed=names,
            suggestion=nearest(value, names),
            key=key,
        )
    return names[names.index(value)]


def unknown_key(
    key: Any, what: str, listing: str, known: Iterable[str], *, path: Path = ()
) -> InputError:
    """Return the error for a key that is not ``known``; ``listing`` introduces the known ones."""
    known = list(known)
    return InputError(
        f"{what}{suggestion(key, known)}; {listing} {', '.join(known) or 'none'}",
        path=path,
        value=key,
        allowed=known,
        suggestion=nearest(key, known),
        key=True,
    )


def nearest(value: Any, allowed: Iterable[str]) -> str | None:
    """Return the entry of ``allowed`` that ``value`` probably misspells, or None."""
    if not isinstance(value, str) or len(value) > 100:
        return None
    return next(iter(get_close_matches(value, list(allowed), n=1)), None)


def suggestion(value: Any, allowed: Iterable[str]) -> str:
    """Return ``' (did you mean ...?)'`` with the nearest of ``allowed``, or ``''``."""
    near = nearest(value, allowed)
    return "" if near is None else f" (did you mean {near!r}?)"


def short_repr(value: Any) -> str:
    """Return any value as text of at most 60 characters, for a message."""
    try:
        return _SHORT.repr(value)
    except Exception as error:  # an integer with thousands of digits, or a user's object
        return f"a value that cannot be shown ({type(error).__name__})"


def printable(text: str) -> str:
    """Return text with its control characters escaped: they could rewrite a terminal's screen."""
    return "".join(
        c if c.isprintable() or "\ud800" <= c <= "\udfff" else c.encode("unicode_escape").decode()
        for c in text
    )


class _Short(reprlib.Repr):
    """Like `repr`, but cut at 60 characters, and reads no more of a value than it prints."""

    def __init__(self) -> None:
        super().__init__()
        self.maxlevel = 4
        self.maxstring = self.maxlong = self.maxother = 60
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = 20

    def repr(self, x: Any) -> str:
        text = super().repr(x)
        return text if len(text) <= 60 else text[:57] + "..."


_SHORT = _Short()
