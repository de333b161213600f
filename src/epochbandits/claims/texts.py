"""Numbers as texts: as many digits as an interval supports."""

from __future__ import annotations

import math
from collections.abc import Sequence

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def amount(value: float | None, decimals: int | None = None) -> str:
    """Return a number with three digits or ``decimals``; in scientific notation if that is long."""
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
    if value:  # the ledger has six digits
        decimals = min(decimals, 5 - math.floor(math.log10(abs(value))))
    return amount(value, decimals), f"{amount(low, decimals)} to {amount(high, decimals)}"
