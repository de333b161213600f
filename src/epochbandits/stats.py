r"""Intervals for means and shares.

Instances are the binding sample: they differ from one another far more than the seeds of one
instance do. So a curve is first averaged over the seeds of each instance, and its interval is
Student's t over the instances' means; a hierarchical bootstrap (instances, then seeds within each)
stands beside it. Shares of runs get Wilson's interval.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special  # scipy.stats gives the same bits and takes a second to import

from epochbandits.validation import InputError, number

__all__ = ["Interval", "hierarchical_bootstrap", "t_interval", "t_margin", "wilson_interval"]

Array = NDArray[np.float64]


class Interval(NamedTuple):
    """An estimate with the ends of its interval."""

    estimate: float
    low: float
    high: float


def t_interval(values: ArrayLike, level: float = 0.95) -> Interval:
    """Return the mean and its Student interval; the ends are NaN for a single value."""
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1 or sample.size == 0:
        raise InputError("an interval needs at least one value")
    number(level, "level", 0, 1, above=True, below=True)
    mean = float(sample.mean())
    if sample.size == 1:
        return Interval(mean, math.nan, math.nan)
    # Not `t_margin`: its order of operations differs in the last bit, and both are published.
    error = sample.std(ddof=1) / math.sqrt(sample.size)
    margin = float(special.stdtrit(sample.size - 1, 0.5 + level / 2) * error)
    return Interval(mean, mean - margin, mean + margin)


def t_margin(deviation: ArrayLike, count: ArrayLike, level: float = 0.95) -> Array:
    """Return half the width of Student's interval, t·s/√n, elementwise; NaN for one value.

    Parameters
    ----------
    deviation : standard deviation s of each sample (with n - 1)
    count : number n of values of each sample
    """
    size = np.asarray(count, dtype=np.float64)
    quantile = special.stdtrit(size - 1, 0.5 + level / 2)
    return np.asarray(quantile * np.asarray(deviation, dtype=np.float64) / np.sqrt(size))


def wilson_interval(successes: int, trials: int, level: float = 0.95) -> Interval:
    """Return a share and Wilson's score interval for it."""
    if not (trials >= 1 and 0 <= successes <= trials):
        raise InputError(f"a share needs 0 to {trials} successes of at least one trial")
    # SciPy's proportion_ci differs in the last bit, and figures' tables publish every bit.
    z = float(special.ndtri(0.5 + level / 2))
    share, scale = successes / trials, 1 + z**2 / trials
    centre = (share + z**2 / (2 * trials)) / scale
    margin = z / scale * math.sqrt(share * (1 - share) / trials + z**2 / (4 * trials**2))
    return Interval(share, max(0.0, centre - margin), min(1.0, centre + margin))


def hierarchical_bootstrap(
    statistic: Callable[..., Array],
    parts: Sequence[Array],
    rng: np.random.Generator,
    draws: int = 1000,
    level: float = 0.95,
) -> tuple[float, float]:
    """Return the percentile interval of the mean over instances of a statistic.

    A draw takes as many instances as there are, with replacement, and then as many seeds of each
    policy on each of them, with replacement.

    Parameters
    ----------
    statistic : function of the parts' means over seeds, (..., columns) arrays, to a (...) array
    parts : an (instances, seeds, columns) array for each policy, all on the same instances
    """
    if not parts or any(0 in part.shape or len(part) != len(parts[0]) for part in parts):
        raise InputError("a bootstrap needs values of every policy on the same instances")
    number(level, "level", 0, 1, above=True, below=True)
    count = len(parts[0])
    chosen = rng.integers(count, size=(draws, count))
    means = []
    for part in parts:
        seeds = part.shape[1]
        picks = rng.integers(seeds, size=(draws, count, seeds))
        means.append(part[chosen[..., None], picks].mean(axis=2))
    resampled = statistic(*means).mean(axis=1)
    low, high = np.quantile(resampled, [0.5 - level / 2, 0.5 + level / 2])
    return float(low), float(high)
