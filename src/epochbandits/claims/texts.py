"""Numbers as texts: estimates with the digits that an interval supports, thresholds in words."""

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


def span(low: float, high: float) -> str:
    """Return the ends of a range without leading zeros."""
    ends = (f"{end:.6f}".rstrip("0").rstrip(".") for end in (low, high))
    return "–".join(end.removeprefix("0") or "0" for end in ends)


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


def plain(value: float) -> str:
    """Return a number without a leading zero."""
    return f"{value:.6g}".removeprefix("0") or "0"


def share(value: float) -> str:
    """Return a share, to be followed by 'of': half, or .25."""
    return "half" if value == 0.5 else plain(value)


def multiple(factor: float) -> str:
    """Return a factor, to be followed by what it multiplies: half, or .25 times."""
    return "half" if factor == 0.5 else f"{plain(factor)} times"


def percent(factor: float) -> str:
    """Return by how much a factor is above 1, in percent."""
    return f"{plain(100 * (factor - 1))}%"
