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
    "bootstrap",
    "combine",
]

Verdict = Literal["reproduced", "partly", "not reproduced", "undetermined"]
VERDICTS: tuple[Verdict, ...] = ("reproduced", "partly", "not reproduced", "undetermined")


class Sample(NamedTuple):
    """What a rule judges."""

    values: NDArray[np.float64]
    """One per instance (means over seeds), per run, or per inequality, as the claim says."""
    runs: int
    """Simulated runs behind them; 0 for what is computed exactly."""
    margins: NDArray[np.float64] | None = None
    """Half-widths of the values' own intervals, for `Holds`; none: the values are exact."""
    parts: tuple[NDArray[np.float64], ...] = ()
    """Behind values that are means over seeds: (instances, seeds, columns) of each policy."""
    statistic: Callable[..., NDArray[np.float64]] | None = None
    """How the values follow from the parts' means over seeds."""

    @classmethod
    def of(
        cls, statistic: Callable[..., NDArray[np.float64]], *parts: NDArray[np.float64]
    ) -> Sample:
        """Return the sample of a statistic of means over seeds, with what it takes to resample."""
        values = statistic(*(part.mean(axis=1) for part in parts))
        runs = sum(part.shape[0] * part.shape[1] for part in parts)
        return cls(values, runs, None, parts, statistic)


class Finding(NamedTuple):
    """What a rule found."""

    verdict: Verdict
    estimate: float
    low: float
    high: float
    size: int
    """How many values it rests on."""
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


def _sided(sample: Sample, low: float, high: float, estimate: float, right: bool, wrong: bool
           ) -> Finding:  # fmt: skip
    verdict: Verdict = "reproduced" if right else "not reproduced" if wrong else "undetermined"
    return Finding(verdict, estimate, low, high, len(sample.values), sample.runs)


@dataclass(frozen=True)
class OneSided:
    """The mean is on one side of a threshold; `Above` and `Below` say which."""

    threshold: float
    level: float = 0.95
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
        right, wrong = (above, below) if self.side == "above" else (below, above)
        return _sided(sample, low, high, mean, right, wrong)


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
    level: float = 0.95

    @property
    def marks(self) -> tuple[float, ...]:
        return (self.target - self.tolerance, self.target + self.tolerance)

    @property
    def text(self) -> str:
        return f"{self.target:g} ± {self.tolerance:g} ({self.level:.0%} t-interval)"

    def judge(self, sample: Sample) -> Finding:
        mean, low, high = _interval(sample, self.level)
        bottom, top = self.target - self.tolerance, self.target + self.tolerance
        inside, outside = bottom <= low and high <= top, high < bottom or low > top
        return _sided(sample, low, high, mean, inside, outside)


@dataclass(frozen=True)
class MostOf:
    """More than a share of the values exceed a threshold."""

    threshold: float
    share: float = 0.5
    level: float = 0.95

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
        return _sided(sample, low, high, share, low > self.share, high < self.share)


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
        worst = int(np.argmax(sample.values))
        low, high = sample.values - margins, sample.values + margins
        right, wrong = bool((high <= 1).all()), bool((low > 1).any())
        value = float(sample.values[worst])
        return _sided(sample, float(low[worst]), float(high.max()), value, right, wrong)


def bootstrap(
    sample: Sample, rng: np.random.Generator, draws: int = 1000, level: float = 0.95
) -> tuple[float, float] | None:
    """Return the hierarchical bootstrap's interval for the mean of a sample's values, if it can.

    A draw takes as many instances as there are, with replacement, and as many seeds of each policy
    on each of them, with replacement.
    """
    if sample.statistic is None:
        return None
    count = len(sample.values)
    chosen = rng.integers(count, size=(draws, count))
    means = []
    for part in sample.parts:
        picks = rng.integers(part.shape[1], size=(draws, count, part.shape[1]))
        means.append(part[chosen[..., None], picks].mean(axis=2))
    resampled = sample.statistic(*means).mean(axis=1)
    low, high = np.quantile(resampled, [0.5 - level / 2, 0.5 + level / 2])
    return float(low), float(high)


def combine(findings: Mapping[str, Finding]) -> tuple[Verdict, str]:
    """Return one verdict for the conditions that a claim was tried under, and what to add to it.

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
    told = ". ".join(f"{word}: {'; '.join(names)}" for word, names in groups.items() if names)
    return ("partly" if holds else "undetermined"), told


def _interval(sample: Sample, level: float) -> tuple[float, float, float]:
    _check(sample)
    mean, low, high = t_interval(sample.values, level)
    if len(sample.values) == 1:  # nothing can be said of a single value
        low, high = -np.inf, np.inf
    return mean, low, high


def _check(sample: Sample) -> None:
    if len(sample.values) == 0 or not np.isfinite(sample.values).all():
        raise InputError("a claim's sample must have values, all of them finite")
