"""Sizes of files as texts, and places of numbers on a small axis."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

__all__ = ["Axis", "size"]

_WIDE = 30.0  # positive values further apart than this are shown on a logarithmic axis


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
