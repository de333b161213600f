"""What a rule judges, and what it finds."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Sample(NamedTuple):
    """What a rule judges."""

    values: Array
    """One per instance (means over seeds), per run, or per case of an inequality."""
    runs: int
    """Number of simulated runs behind the values; 0 if they are computed exactly."""
    errors: Array | None = None
    """Standard errors of the values, for `Holds`; None: the values are exact."""
    dof: Array | None = None
    """Degrees of freedom of the errors."""
    parts: tuple[Array, ...] = ()
    """For a ratio of means: an (instances, seeds, columns) array for each policy."""
    statistic: Callable[..., Array] | None = None
    """Function of the parts' means that gives the estimate; None: the mean of the values."""
    vacuous: bool | None = None
    """For a bound: whether it is so large that nothing could exceed it."""
    useful_from: float | None = None
    """For a bound: the horizon from which it says something (median over instances)."""

    @classmethod
    def of(cls, statistic: Callable[..., Array], *parts: Array) -> Sample:
        """Return the sample of a statistic of means over instances and seeds."""
        values = statistic(*(part.mean(axis=1) for part in parts))
        runs = sum(part.shape[0] * part.shape[1] for part in parts)
        return cls(values, runs, parts=parts, statistic=statistic)


class RuleResult(NamedTuple):
    """What a rule finds in a sample."""

    estimate: float
    low: float
    high: float
    holds: float
    """p-value of the hypothesis that the statement is false."""
    fails: float
    """p-value of the hypothesis that the statement is true."""
    size: int
    """Number of values in the sample."""
    runs: int
    vacuous: bool | None = None
    useful_from: float | None = None
    controlled: bool = True
    """Whether the rule judges the controls of this condition correctly."""
