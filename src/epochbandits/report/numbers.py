"""Numbers for people: as many digits as an interval supports, and places on a small axis."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

__all__ = ["Axis", "amount", "estimate", "size"]

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_WIDE = 30.0  # positive values further apart than this are shown on a logarithmic axis


def amount(value: float | None, decimals: int | None = None) -> str:
    """Return a number with three digits, or with some decimals; a power of ten if that is long."""
    if value is None:
        return "–"
    if value != 0 and not 1e-3 <= abs(value) < 1e6:
        exponent = math.floor(math.log10(abs(value)))
        digits = 2 if decimals is None else min(max(decimals + exponent, 1), 5)
        mantissa = f"{value / 10.0**exponent:.{digits}f}"
        return f"{mantissa} × 10{str(exponent).translate(_RAISED)}".replace("-", "−")
    if decimals is None:
        plain = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    else:
        plain = f"{value:,.{max(decimals, 0)}f}"
    return plain.replace("-", "−")


def estimate(value: float | None, interval: Sequence[float | None] | None) -> tuple[str, str]:
    """Return an estimate and its interval as texts, with two digits of the interval's width."""
    if value is None:
        return "–", ""
    low, high = interval or (None, None)
    if low is None or high is None:
        ends = ("−∞" if low is None else amount(low), "∞" if high is None else amount(high))
        return amount(value), f"{ends[0]} to {ends[1]}"
    if high == low:
        return amount(value), "± 0"
    decimals = 1 - math.floor(math.log10(abs(high - low)))
    if value:  # the ledger itself keeps six digits
        decimals = min(decimals, 5 - math.floor(math.log10(abs(value))))
    return amount(value, decimals), f"{amount(low, decimals)} to {amount(high, decimals)}"


def size(count: int) -> str:
    """Return the size of a file."""
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{max(count / 1e3, 0.1):.3g} kB"


class Axis:
    """Places, in per cent of the width, of the numbers of one claim."""

    def __init__(self, numbers: Iterable[float | None]) -> None:
        values = [number for number in numbers if number is not None]
        self.empty = not values
        low, high = (min(values), max(values)) if values else (0.0, 1.0)
        self.log = low > 0 and high / low > _WIDE
        self.low, self.high = self._scaled(low), self._scaled(high)
        if self.high == self.low:
            self.low, self.high = self.low - 1, self.high + 1

    def place(self, value: float | None, otherwise: float = 0.0) -> float:
        """Return where a number stands; ``otherwise`` is for an end that there is none of."""
        if value is None:
            return otherwise
        return round(4 + 92 * (self._scaled(value) - self.low) / (self.high - self.low), 2)

    def bar(self, found: dict[str, Any]) -> dict[str, float] | None:
        """Return the places of an estimate and of its interval's ends."""
        if found.get("estimate") is None:
            return None
        low, high = found.get("interval") or (None, None)
        return {
            "at": self.place(found["estimate"]),
            "low": self.place(low, 0.0),
            "high": self.place(high, 100.0),
        }

    def _scaled(self, value: float) -> float:
        return math.log10(value) if self.log else value
