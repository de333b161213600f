r"""Intervals and tests for means, ratios of means and shares.

Precision is limited by the number of instances, which differ from one another far more than the
seeds of one instance do. So a curve is first averaged over the seeds of each instance, and its
interval is Student's t over the instances' means. Ratios of means have a hierarchical bootstrap
(instances, then seeds within each); shares have Wilson's interval. Each interval comes with a
one-sided p-value, and Holm's method corrects for multiple tests.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from epochbandits.validation import InputError, number

Array = NDArray[np.float64]
LEVEL = 0.95
"""Level of intervals, unless a caller gives another."""


class Interval(NamedTuple):
    """An estimate with the ends of its interval."""

    estimate: float
    low: float
    high: float


def t_interval(values: ArrayLike, level: float = LEVEL) -> Interval:
    """Return the mean and its Student interval; the ends are NaN for a single value."""
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1 or sample.size == 0:
        raise InputError("an interval needs at least one value")
    number(level, "level", 0, 1, above=True, below=True)
    mean = float(sample.mean())
    deviation = sample.std(ddof=1) if sample.size > 1 else math.nan
    margin = float(t_margin(deviation, sample.size, level))
    return Interval(mean, mean - margin, mean + margin)


def t_margin(deviation: ArrayLike, count: ArrayLike, level: float = LEVEL) -> Array:
    """Return half the width of Student's interval, t·s/√n, elementwise; NaN for one value.

    Parameters
    ----------
    deviation : array_like
        Standard deviation s of each sample (with n - 1).
    count : array_like
        Number n of values of each sample.
    """
    size = np.asarray(count, dtype=np.float64)
    quantile = t_quantile(size - 1, level)
    return np.asarray(quantile * np.asarray(deviation, dtype=np.float64) / np.sqrt(size))


def t_quantile(dof: ArrayLike, level: float = LEVEL) -> Array:
    """Return how many standard errors Student's interval reaches to each side, elementwise."""
    return np.asarray(special.stdtrit(dof, 0.5 + level / 2))


def wilson_interval(successes: int, trials: int, level: float = LEVEL) -> Interval:
    """Return a share and Wilson's score interval for it."""
    from scipy.stats import binomtest  # takes half a second to import, and few jobs need it

    if not (trials >= 1 and 0 <= successes <= trials):
        raise InputError(f"a share needs at least one trial, and 0 to {trials} successes")
    low, high = binomtest(successes, trials).proportion_ci(level, method="wilson")
    return Interval(successes / trials, float(low), float(high))


class Bootstrap(NamedTuple):
    """Resampled values of a statistic, and the number of units that were resampled."""

    draws: Array
    units: int
    """Instances, or the seeds of a single instance."""

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        r"""Return the expanded percentile interval; infinite for a single unit.

        The plain percentile interval is too narrow for few units, by √((n-1)/n) and because it has
        a normal quantile in place of Student's t. The expanded one takes the percentile
        Φ(-√(n/(n-1)) t_{n-1}) in place of α/2 (Hesterberg, 2015).
        """
        number(level, "level", 0, 1, above=True, below=True)
        if self.units < 2:
            return -math.inf, math.inf
        reach = t_quantile(self.units - 1, level)
        tail = float(special.ndtr(-reach * math.sqrt(self.units / (self.units - 1))))
        low, high = np.quantile(self.draws, [tail, 1 - tail])
        return float(low), float(high)

    def p_value_at_most(self, threshold: float) -> float:
        """Return the one-sided p-value of the hypothesis that the statistic is ≤ a threshold.

        It is below α/2 where the lower end of `interval` is above the threshold.
        """
        if self.units < 2:
            return 1.0
        share = (1 + np.count_nonzero(self.draws <= threshold)) / (1 + self.draws.size)
        normal = float(special.ndtri(min(share, 1 - 0.5 / self.draws.size)))
        if self.draws.min() > threshold:  # beyond what the draws resolve: use their spread
            distance, spread = float(self.draws.mean()) - threshold, float(self.draws.std())
            normal = min(normal, -distance / spread if spread else -math.inf)
        shrunk = normal * math.sqrt((self.units - 1) / self.units)
        return float(special.stdtr(self.units - 1, shrunk))


def hierarchical_bootstrap(
    statistic: Callable[..., Array],
    parts: Sequence[Array],
    rng: np.random.Generator,
    draws: int = 4000,
) -> Bootstrap:
    """Return resampled values of a statistic of means over instances and seeds.

    A draw takes as many instances as there are, with replacement, and then as many seeds of each
    policy on each of them, with replacement. All policies get the same instances.

    Parameters
    ----------
    statistic : Callable[..., Array]
        Function of the parts' means, (draws, columns) arrays, to a (draws,) array.
    parts : Sequence[Array]
        An (instances, seeds, columns) array for each policy, all on the same instances.
    """
    if not parts or any(0 in part.shape or len(part) != len(parts[0]) for part in parts):
        raise InputError("a bootstrap needs values of every policy on the same instances")
    count = len(parts[0])
    chosen = rng.integers(count, size=(draws, count))
    means = []
    for part in parts:
        seeds = part.shape[1]
        picks = rng.integers(seeds, size=(draws, count, seeds))
        means.append(part[chosen[..., None], picks].mean(axis=(1, 2)))
    units = count if count > 1 else min(part.shape[1] for part in parts)
    return Bootstrap(np.asarray(statistic(*means), dtype=np.float64), units)


def t_p_value_at_most(mean: float, error: float, dof: float, threshold: float) -> float:
    """Return the one-sided p-value of the hypothesis that a mean is ≤ a threshold.

    ``error`` is the mean's standard error; with 0 the mean is exact.
    """
    if error == 0:
        return 0.0 if mean > threshold else 1.0
    return float(special.stdtr(dof, (threshold - mean) / error))


def wilson_p_value_at_most(successes: int, trials: int, share: float) -> float:
    """Return the one-sided p-value of the hypothesis that a share is ≤ a given one.

    It is the score test, which Wilson's interval inverts.
    """
    deviation = math.sqrt(share * (1 - share) / trials)
    return float(special.ndtr((share - successes / trials) / deviation))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number by Holm's method."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    corrected, largest = [0.0] * len(p_values), 0.0
    for rank, i in enumerate(order):
        largest = max(largest, min(1.0, p_values[i] * (len(p_values) - rank)))
        corrected[i] = largest
    return corrected
