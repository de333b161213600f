"""Decision rules: from a sample to an estimate, its interval, and p-values for and against.

A rule is fixed before the data are seen. Its two p-values are one-sided: ``holds`` is small where
the data show that the statement is true, ``fails`` where they show that it is false. Each is below
half of 1 - level where the whole interval is on that side of the rule's threshold. `verdicts` makes
the verdicts from them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import special

from epochbandits.claims.sample import RuleResult, Sample
from epochbandits.stats import (
    Bootstrap,
    hierarchical_bootstrap,
    holm,
    t_interval,
    t_p_value_at_most,
    t_quantile,
    wilson_interval,
    wilson_p_value_at_most,
)
from epochbandits.validation import InputError


def _result(
    sample: Sample, estimate: float, ends: tuple[float, float], holds: float, fails: float
) -> RuleResult:
    return RuleResult(
        estimate,
        *ends,
        holds,
        fails,
        len(sample.values),
        sample.runs,
        sample.vacuous,
        sample.useful_from,
    )


@dataclass(frozen=True)
class OneSided:
    """A mean or a ratio of means is on one side of a threshold; `Above` and `Below` say which."""

    threshold: float
    level: float
    side: ClassVar[str]

    @property
    def marks(self) -> tuple[float, ...]:
        return (self.threshold,)

    @property
    def text(self) -> str:
        return f"{self.side} {self.threshold:g}"

    def judge(self, sample: Sample) -> RuleResult:
        estimate, ends, not_above, not_below = _location(sample, self.level, self.threshold)
        holds, fails = (not_above, not_below) if self.side == "above" else (not_below, not_above)
        return _result(sample, estimate, ends, holds, fails)


class Above(OneSided):
    """The estimate is above a threshold."""

    side = "above"


class Below(OneSided):
    """The estimate is below a threshold."""

    side = "below"


@dataclass(frozen=True)
class Near:
    """A mean is a printed number, up to a tolerance."""

    target: float
    tolerance: float
    level: float

    @property
    def marks(self) -> tuple[float, ...]:
        return (self.target - self.tolerance, self.target + self.tolerance)

    @property
    def text(self) -> str:
        return f"within {self.tolerance:g} of {self.target:g}"

    def judge(self, sample: Sample) -> RuleResult:
        bottom, top = self.marks
        mean, ends, at_most_bottom, at_least_bottom = _location(sample, self.level, bottom)
        *_, at_most_top, at_least_top = _location(sample, self.level, top)
        holds = max(at_most_bottom, at_least_top)
        return _result(sample, mean, ends, holds, min(at_least_bottom, at_most_top))


@dataclass(frozen=True)
class NearQuantile(Near):
    """A quantile is a printed number, up to a tolerance."""

    quantile: float

    def judge(self, sample: Sample) -> RuleResult:
        _check(sample)
        bottom, top = self.marks
        reach = special.ndtri(0.5 + self.level / 2) * math.sqrt(
            self.quantile * (1 - self.quantile) / len(sample.values)
        )
        places = np.clip([self.quantile, self.quantile - reach, self.quantile + reach], 0, 1)
        estimate, low, high = (float(end) for end in np.quantile(sample.values, places))
        holds = max(self._p_value_at_most(sample, bottom), self._p_value_at_least(sample, top))
        fails = min(self._p_value_at_least(sample, bottom), self._p_value_at_most(sample, top))
        return _result(sample, estimate, (low, high), holds, fails)

    def _p_value_at_most(self, sample: Sample, mark: float) -> float:
        above = int((sample.values > mark).sum())
        return wilson_p_value_at_most(above, len(sample.values), 1 - self.quantile)

    def _p_value_at_least(self, sample: Sample, mark: float) -> float:
        below = int((sample.values < mark).sum())
        return wilson_p_value_at_most(below, len(sample.values), self.quantile)


@dataclass(frozen=True)
class MostOf:
    """More than a share of the values exceed a threshold."""

    threshold: float
    share: float
    level: float
    below: ClassVar[bool] = False
    """Whether values below the threshold are counted, instead of those above."""

    @property
    def marks(self) -> tuple[float, ...]:
        return (self.share,)

    @property
    def text(self) -> str:
        return f"above {self.share:g}"

    def judge(self, sample: Sample) -> RuleResult:
        _check(sample)
        side = -1.0 if self.below else 1.0
        counted = int((side * sample.values > side * self.threshold).sum())
        count = len(sample.values)
        share, low, high = wilson_interval(counted, count, self.level)
        holds = wilson_p_value_at_most(counted, count, self.share)
        fails = wilson_p_value_at_most(count - counted, count, 1 - self.share)
        return _result(sample, share, (low, high), holds, fails)


class MostBelow(MostOf):
    """More than a share of the values are below a threshold."""

    below = True


@dataclass(frozen=True)
class Holds:
    """An inequality, left/right ≤ 1, holds in every single case.

    It is shown if every case's interval is below 1, and refuted by one case that is significantly
    above 1, corrected for the number of cases (Holm).
    """

    level: float

    @property
    def marks(self) -> tuple[float, ...]:
        return (1.0,)

    @property
    def text(self) -> str:
        return "at most 1 in every case"

    def judge(self, sample: Sample) -> RuleResult:
        _check(sample)
        values = sample.values
        errors = np.zeros_like(values) if sample.errors is None else sample.errors
        dof = np.ones_like(values) if sample.dof is None else sample.dof
        cases = list(zip(values, errors, dof, strict=True))
        holds = max(_p_value_above_one(*case) for case in cases)
        fails = min(holm([t_p_value_at_most(*case, 1.0) for case in cases]))
        worst = int(np.argmax(values))
        reach = t_quantile(dof[worst], self.level) * errors[worst]
        margin = float(reach) if errors[worst] else 0.0
        estimate = float(values[worst])
        return _result(sample, estimate, (estimate - margin, estimate + margin), holds, fails)


Rule = OneSided | Near | MostOf | Holds
"""A rule judges a sample, and says its threshold in words and in numbers (``text``, ``marks``)."""


def _p_value_above_one(value: float, error: float, dof: float) -> float:
    """Return the p-value of the hypothesis that a value is above 1; an exact 1 is not."""
    if error == 0:
        return 0.0 if value <= 1 else 1.0
    return t_p_value_at_most(-value, error, dof, -1.0)


def _location(
    sample: Sample, level: float, mark: float
) -> tuple[float, tuple[float, float], float, float]:
    """Return estimate, interval, and the p-values of 'at most' and 'at least' a mark."""
    _check(sample)
    if sample.statistic is not None:
        estimate = float(
            sample.statistic(*(part.mean(axis=(0, 1))[None] for part in sample.parts))[0]
        )
        rng = np.random.default_rng(0)
        bootstrap = hierarchical_bootstrap(sample.statistic, sample.parts, rng)
        mirrored = Bootstrap(-bootstrap.draws, bootstrap.units)
        return (
            estimate,
            bootstrap.interval(level),
            bootstrap.p_value_at_most(mark),
            mirrored.p_value_at_most(-mark),
        )
    mean, low, high = t_interval(sample.values, level)
    count = len(sample.values)
    if count == 1:  # a single value has no spread to judge by
        return mean, (-math.inf, math.inf), 1.0, 1.0
    error = float(sample.values.std(ddof=1)) / math.sqrt(count)
    return (
        mean,
        (low, high),
        t_p_value_at_most(mean, error, count - 1, mark),
        t_p_value_at_most(-mean, error, count - 1, -mark),
    )


def _check(sample: Sample) -> None:
    if len(sample.values) == 0 or not np.isfinite(sample.values).all():
        raise InputError("a claim's sample must have values, all of them finite")
