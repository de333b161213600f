r"""Statistics of many runs: means over instances, intervals, shares, and how regret grows.

Instances are the binding sample: they differ from one another far more than the seeds of one
instance do. So a curve is first averaged over the seeds of each instance, and its interval is
Student's t over the instances' means; a hierarchical bootstrap (instances, then seeds within each)
stands beside it. Shares of runs get Wilson's interval.

How a regret curve grows is judged on its tail, from n/4 to n, by least squares of
a + b·log n, a + b·√n and a + b·n, and by the ratio R(n)/R(n/2), which tends to 1, √2 and 2.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from epochbandits.validation import InputError, number

__all__ = [
    "Growth",
    "Interval",
    "aggregate",
    "growth",
    "hierarchical_bootstrap",
    "t_interval",
    "wilson_interval",
]

Array = NDArray[np.float64]
Verdict = Literal["logarithmic", "square root", "linear", "undetermined"]


class Interval(NamedTuple):
    """An estimate with the ends of its interval."""

    estimate: float
    low: float
    high: float


class Growth(NamedTuple):
    """How a curve grows, and what the verdict rests on."""

    verdict: Verdict
    ratio: float
    """R(n)/R(n/2)."""
    errors: dict[str, float]
    """Root mean square error of each fit, relative to the curve's rise over the tail."""


def t_interval(values: ArrayLike, level: float = 0.95) -> Interval:
    """Return the mean and its Student interval; without width for a single value."""
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1 or sample.size == 0:
        raise InputError("an interval needs at least one value")
    number(level, "level", 0, 1, above=True, below=True)
    mean = float(sample.mean())
    if sample.size == 1:
        return Interval(mean, math.nan, math.nan)
    error = sample.std(ddof=1) / math.sqrt(sample.size)
    reach = float(stats.t.ppf(0.5 + level / 2, sample.size - 1) * error)
    return Interval(mean, mean - reach, mean + reach)


def hierarchical_bootstrap(
    groups: list[ArrayLike], rng: np.random.Generator, draws: int = 2000, level: float = 0.95
) -> Interval:
    """Return the mean of group means and its percentile interval.

    A draw takes as many groups (instances) as there are, with replacement, and then as many values
    (seeds) from each as it has, with replacement.
    """
    samples = [np.asarray(group, dtype=np.float64) for group in groups]
    if not samples or any(sample.size == 0 for sample in samples):
        raise InputError("a bootstrap needs at least one group, and no empty ones")
    number(level, "level", 0, 1, above=True, below=True)
    chosen = rng.integers(len(samples), size=(draws, len(samples)))
    means = np.empty((draws, len(samples)))
    for group, sample in enumerate(samples):
        where = chosen == group
        picks = rng.integers(sample.size, size=(int(where.sum()), sample.size))
        means[where] = sample[picks].mean(axis=1)
    low, high = np.quantile(means.mean(axis=1), [0.5 - level / 2, 0.5 + level / 2])
    estimate = float(np.mean([sample.mean() for sample in samples]))
    return Interval(estimate, float(low), float(high))


def wilson_interval(successes: int, trials: int, level: float = 0.95) -> Interval:
    """Return a share and Wilson's score interval for it."""
    if not (trials >= 1 and 0 <= successes <= trials):
        raise InputError(f"a share needs 0 to {trials} successes of at least one trial")
    z = float(stats.norm.ppf(0.5 + level / 2))
    share, scale = successes / trials, 1 + z**2 / trials
    centre = (share + z**2 / (2 * trials)) / scale
    reach = z / scale * math.sqrt(share * (1 - share) / trials + z**2 / (4 * trials**2))
    return Interval(share, max(0.0, centre - reach), min(1.0, centre + reach))


_SHAPES: dict[str, Callable[[Array], Array]] = {
    "logarithmic": np.log,
    "square root": np.sqrt,
    "linear": lambda n: n,
}


def growth(n: ArrayLike, regret: ArrayLike, clear: float = 2.0) -> Growth:
    """Return how a regret curve grows over its tail.

    A verdict needs the best fit to beat the second best by the factor ``clear`` in error, and the
    ratio R(n)/R(n/2) to lie on its side: below 1.25 for a logarithm, above 1.65 for a line, between
    1.2 and 1.7 for a square root. 'Logarithmic' means at most so: a curve that rises by less than
    2% over its tail counts as such.
    """
    x, y = np.asarray(n, dtype=np.float64), np.asarray(regret, dtype=np.float64)
    tail = x >= x[-1] / 4
    if x.shape != y.shape or tail.sum() < 8 or (np.diff(x) <= 0).any():
        raise InputError(
            "growth is judged on an increasing grid with at least 8 points from n/4 on"
        )
    ratio = float(y[-1] / np.interp(x[-1] / 2, x, y)) if y[-1] != 0 else math.nan
    x, y = x[tail], y[tail]
    rise = float(y[-1] - y[0])
    if rise <= 0.02 * abs(y[-1]):
        return Growth("logarithmic", ratio, dict.fromkeys(_SHAPES, 0.0))
    errors = {}
    for name, shape in _SHAPES.items():
        design = np.column_stack([np.ones_like(x), shape(x)])
        fitted = design @ np.linalg.lstsq(design, y, rcond=None)[0]
        errors[name] = float(np.sqrt(np.mean((y - fitted) ** 2)) / rise)
    best, second = sorted(errors, key=lambda name: errors[name])[:2]
    sides = {"logarithmic": ratio < 1.25, "square root": 1.2 < ratio < 1.7, "linear": ratio > 1.65}
    clearly = errors[second] > clear * errors[best] and sides[best]
    verdict: Verdict = best if clearly else "undetermined"  # type: ignore[assignment]
    return Growth(verdict, ratio, errors)


def aggregate(table: pd.DataFrame, column: str, by: list[str], level: float = 0.95) -> pd.DataFrame:
    """Return the mean of a column over instances, with its t-interval, for each group.

    Parameters
    ----------
    table : runs with the columns ``instance``, ``seed``, ``column`` and those of ``by``
    by : what to keep apart, such as ["policy", "epoch"]

    Returns
    -------
    A DataFrame with ``by``, ``mean``, ``low``, ``high``, ``instances`` and ``seeds`` (in all)
    """
    lacking = {"instance", "seed", column, *by} - set(table.columns)
    if lacking:
        raise InputError(f"the table lacks the columns {', '.join(sorted(lacking))}")
    means = table.groupby([*by, "instance"], sort=True)[column].agg(["mean", "size"]).reset_index()
    groups = means.groupby(by, sort=True)
    result = groups["mean"].agg(["mean", "std", "size"])
    reach = stats.t.ppf(0.5 + level / 2, result["size"] - 1) * result["std"]
    reach /= np.sqrt(result["size"])
    result["low"], result["high"] = result["mean"] - reach, result["mean"] + reach
    result["instances"], result["seeds"] = result["size"], groups["size"].sum()
    return result.drop(columns=["std", "size"]).reset_index()
