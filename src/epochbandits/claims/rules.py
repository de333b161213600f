"""Decision rules: from a sample to a verdict, with the estimate and interval that it rests on.

A rule is fixed before the data are seen. It says `reproduced` if the whole interval is on the
claim's side of its threshold, `not reproduced` if the whole interval is on the other side, and
`undetermined` otherwise. A claim is tried under several conditions (samplings, sizes, classes), the
paper's own first; `combine` makes one verdict of theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from epochbandits.stats import t_interval, wilson_interval
from epochbandits.validation import InputError

__all__ = [
    "VERDICTS",
    "Above",
    "Below",
    "Finding",
    "Holds",
    "MostOf",
    "Near",
    "OneSided",
    "Rule",
    "Sample",
    "Verdict",
    "combine",
]

Array = NDArray[np.float64]
Verdict = Literal["reproduced", "partly", "not reproduced", "undetermined"]
VERDICTS: tuple[Verdict, ...] = ("reproduced", "partly", "not reproduced", "undetermined")


class Sample(NamedTuple):
    """What a rule judges."""

    values: Array
    """One per instance (means over seeds), per run, or per case of an inequality."""
    runs: int
    """Number of simulated runs behind the values; 0 if they are computed exactly."""
    margins: Array | None = None
    """Half-widths of the values' intervals, for `Holds`; None: the values are exact."""
    parts: tuple[Array, ...] = ()
    """For values that are means over seeds: an (instances, seeds, columns) array per policy."""
    statistic: Callable[..., Array] | None = None
    """Function of the parts' means over seeds that gives the values."""

    @classmethod
    def of(cls, statistic: Callable[..., Array], *parts: Array) -> Sample:
        """Return the sample of a statistic of means over seeds, with what a bootstrap needs."""
        values = statistic(*(part.mean(axis=1) for part in parts))
        runs = sum(part.shape[0] * part.shape[1] for part in parts)
        return cls(values, runs, None, parts, statistic)


class Finding(NamedTuple):
    """The result of a rule."""

    verdict: Verdict
    estimate: float
    low: float
    high: float
    size: int
    """Number of values in the sample."""
    runs: int
    bootstrap: tuple[float, float] | None = None
    """The hierarchical bootstrap's interval beside a mean's t-interval."""


class Rule(Protocol):
    """A decision rule."""

    def judge(self, sample: Sample) -> Finding:
        """Return the verdict on a sample."""
        ...

    @property
    def text(self) -> str:
        """The rule in words."""
        ...

    @property
    def marks(self) -> tuple[float, ...]:
        """The numbers that the interval is compared with."""
        ...


def _finding(
    sample: Sample, estimate: float, low: float, high: float, holds: bool, fails: bool
) -> Finding:
    verdict: Verdict = "reproduced" if holds else "not reproduced" if fails else "undetermined"
    return Finding(verdict, estimate, low, high, len(sample.values), sample.runs)


@dataclass(frozen=True)
class OneSided:
    """The mean is on one side of a threshold; `Above` and `Below` say which."""

    threshold: float
    level: float
    side: ClassVar[str]

    @property
    def marks(self) -> tuple[float, ...]:
        return (self.threshold,)

    @property
    def text(self) -> str:
        return f"mean {self.side} {self.threshold:g} ({self.level:.0%} t-interval)"

    def judge(self, sample: Sample) -> Finding:
        mean, low, high = _interval(sample, self.level)
        above, below = low > self.threshold, high < self.threshold
        holds, fails = (above, below) if self.side == "above" else (below, above)
        return _finding(sample, mean, low, high, holds, fails)


class Above(OneSided):
    """The mean is above a threshold."""

    side = "above"


class Below(OneSided):
    """The mean is below a threshold."""

    side = "below"


@dataclass(frozen=True)
class Near:
    """The mean is a printed number, up to a tolerance."""

    target: float
    tolerance: float
    level: float

    @property
    def marks(self) -> tuple[float, ...]:
        return (self.target - self.tolerance, self.target + self.tolerance)

    @property
    def text(self) -> str:
        return f"{self.target:g} ± {self.tolerance:g} ({self.level:.0%} t-interval)"

    def judge(self, sample: Sample) -> Finding:
        mean, low, high = _interval(sample, self.level)
        bottom, top = self.marks
        inside, outside = bottom <= low and high <= top, high < bottom or low > top
        return _finding(sample, mean, low, high, inside, outside)


@dataclass(frozen=True)
class MostOf:
    """More than a share of the values exceed a threshold."""

    threshold: float
    share: float
    level: float

    @property
    def marks(self) -> tuple[float, ...]:
        return (self.share,)

    @property
    def text(self) -> str:
        return (
            f"more than {self.share:.0%} of them above {self.threshold:g} "
            f"({self.level:.0%} Wilson interval)"
        )

    def judge(self, sample: Sample) -> Finding:
        _check(sample)
        above = int((sample.values > self.threshold).sum())
        share, low, high = wilson_interval(above, len(sample.values), self.level)
        return _finding(sample, share, low, high, low > self.share, high < self.share)


@dataclass(frozen=True)
class Holds:
    """An inequality, left/right ≤ 1, holds in every single case."""

    @property
    def marks(self) -> tuple[float, ...]:
        return (1.0,)

    @property
    def text(self) -> str:
        return "no case above 1; a case whose whole interval is above 1 refutes it"

    def judge(self, sample: Sample) -> Finding:
        _check(sample)
        margins = np.zeros_like(sample.values) if sample.margins is None else sample.margins
        low, high = sample.values - margins, sample.values + margins
        holds, fails = bool((high <= 1).all()), bool((low > 1).any())
        worst = int(np.argmax(sample.values))
        estimate = float(sample.values[worst])
        return _finding(sample, estimate, float(low[worst]), float(high.max()), holds, fails)


def combine(findings: Mapping[str, Finding]) -> tuple[Verdict, str]:
    """Return one verdict for all conditions of a claim, and a text that lists them by finding.

    All reproduced: reproduced; none: not reproduced. Some of each: partly, with the conditions
    under which it holds. If nothing holds and something is open, it is undetermined.
    """
    if not findings:
        raise InputError("a claim needs at least one condition")
    by = {v: [c for c, f in findings.items() if f.verdict == v] for v in VERDICTS}
    holds, fails, opened = by["reproduced"], by["not reproduced"], by["undetermined"]
    if len(holds) == len(findings):
        return "reproduced", "under all conditions tried" if len(holds) > 1 else ""
    if len(fails) == len(findings):
        return "not reproduced", "under no condition tried" if len(fails) > 1 else ""
    groups = {"holds": holds, "fails": fails, "open": opened}
    text = ". ".join(f"{word}: {'; '.join(names)}" for word, names in groups.items() if names)
    return ("partly" if holds else "undetermined"), text


def _interval(sample: Sample, level: float) -> tuple[float, float, float]:
    _check(sample)
    mean, low, high = t_interval(sample.values, level)
    if len(sample.values) == 1:  # a single value has no spread to judge by
        low, high = -np.inf, np.inf
    return mean, low, high


def _check(sample: Sample) -> None:
    if len(sample.values) == 0 or not np.isfinite(sample.values).all():
        raise InputError("a claim's sample must have values, all of them finite")
