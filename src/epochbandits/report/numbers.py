"""File sizes as text, and positions of numbers on a small axis."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

_WIDE = 30.0  # positive values with a larger ratio are shown on a logarithmic axis


def size(count: int) -> str:
    """Return the size of a file as text."""
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{max(count / 1e3, 0.1):.3g} kB"


class Axis:
    """Positions of the numbers of one claim, in percent of the width."""

    def __init__(self, numbers: Iterable[float | None]) -> None:
        values = [number for number in numbers if number is not None]
        low, high = (min(values), max(values)) if values else (0.0, 1.0)
        self.log = low > 0 and high / low > _WIDE
        self.low, self.high = self._scaled(low), self._scaled(high)
        if self.high == self.low:
            self.low, self.high = self.low - 1, self.high + 1

    def position(self, value: float | None, missing: float = 0.0) -> float:
        """Return the position of a number; ``missing`` if there is none."""
        if value is None:
            return missing
        return round(4 + 92 * (self._scaled(value) - self.low) / (self.high - self.low), 2)

    def bar(self, outcome: dict[str, Any]) -> dict[str, float] | None:
        """Return the positions of an estimate and of the ends of its interval."""
        if outcome.get("estimate") is None:
            return None
        low, high = outcome.get("interval") or (None, None)
        return {
            "at": self.position(outcome["estimate"]),
            "low": self.position(low, 0.0),
            "high": self.position(high, 100.0),
        }

    def _scaled(self, value: float) -> float:
        return math.log10(value) if self.log else value
