r"""How the studies compare policies: regret on a common scale, paired intervals, rankings.

Classes, schedules and horizons differ in the size of their regret. So regret is divided by what
playing arms at random costs,

.. math:: r = \frac{R(N)}{N \, \bar Δ}, \qquad \bar Δ = \frac{1}{m} \sum_j Δ_j ,

with R the expected regret per iteration after N iterations (or per epoch after N epochs): 0 is the
best arm throughout, 1 is arms at random. A unit is an instance: its runs are averaged over seeds.

Two policies are compared by the mean over classes of the mean of r_a - r_b over the instances that
both were run on. With s_c² the variance of the differences in class c and n_c their number, the
variance of the mean over k classes is Σ s_c²/n_c / k², and the degrees of freedom are Welch and
Satterthwaite's. Several comparisons are corrected by Holm's method.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import special

from epochbandits.stats import holm, t_quantile

UNIT = ["class", "sampling", "instance"]
"""Columns that identify an instance under a sampling."""


class Difference(NamedTuple):
    """A mean over classes with its 95% interval and the two-sided p-value against 0."""

    mean: float
    low: float
    high: float
    p: float


def at_iteration(curves: pd.DataFrame, at: float) -> pd.DataFrame:
    """Return the regret per iteration of each curve after ``at`` iterations.

    Between recorded points regret is interpolated. A curve that ends earlier gives its last point:
    ``iteration`` says where.

    Parameters
    ----------
    curves : pd.DataFrame
        Rows of `io.schemas.CURVES`.
    """
    by = ["policy", "instances", "sampling", "value", "instance"]
    rows = []
    for key, curve in curves.sort_values("epoch").groupby(by, dropna=False):
        t, regret = curve["iteration"].to_numpy(), curve["iteration_regret"].to_numpy()
        end = min(at, float(t[-1]))
        rows.append((*key, end, float(np.interp(end, np.r_[0, t], np.r_[0, regret]))))
    return pd.DataFrame(rows, columns=[*by, "iteration", "iteration_regret"])


def pooled(values: pd.DataFrame) -> Difference:
    """Return the mean over classes of a quantity of instances, column ``r``, with its interval."""
    groups = values.groupby("class")["r"]
    mean, count = groups.mean(), groups.size()
    parts = (groups.var(ddof=1) / count).fillna(0.0) / len(mean) ** 2
    centre, variance = float(mean.mean()), float(parts.sum())
    if count.min() < 2 or variance == 0:
        exact = count.min() >= 2
        ends = (centre, centre) if exact else (math.nan, math.nan)
        return Difference(centre, *ends, 0.0 if exact and centre else 1.0)
    dof = variance**2 / float((parts**2 / (count - 1)).sum())
    error = math.sqrt(variance)
    margin = float(t_quantile(dof)) * error
    p = 2 * float(special.stdtr(dof, -abs(centre) / error))
    return Difference(centre, centre - margin, centre + margin, p)


def compare(a: pd.DataFrame, b: pd.DataFrame) -> Difference:
    """Return the mean of r_a - r_b over the units that both have; negative: a is better."""
    both = a.merge(b, on=UNIT, suffixes=("_a", "_b"))
    # The samplings of an instance are not independent: they are averaged first.
    both["r"] = both["r_a"] - both["r_b"]
    return pooled(both.groupby(["class", "instance"], as_index=False)["r"].mean())


def ranking(entries: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Return the entries in order of mean r, each with its difference from the first.

    ``mean``, ``low``, ``high`` are of r itself; ``behind`` with its interval is the paired
    difference to the best, and ``p`` its p-value after Holm's correction. ``worst`` is the largest
    mean of r in any class and sampling, ``where`` the name of that cell.
    """
    rows = []
    for name, units in entries.items():
        cells = units.groupby(["class", "sampling"])["r"].mean()
        place = ", ".join(cells.idxmax())
        single = units.groupby(["class", "instance"], as_index=False)["r"].mean()
        rows.append((name, *pooled(single)[:3], float(cells.max()), place))
    table = pd.DataFrame(rows, columns=["name", "mean", "low", "high", "worst", "where"])
    table = table.sort_values("mean", kind="stable", ignore_index=True)
    best = entries[table["name"][0]]
    behind = [compare(entries[name], best) for name in table["name"][1:]]
    first = Difference(0.0, 0.0, 0.0, 1.0)
    for key in ("mean", "low", "high"):
        column = "behind" if key == "mean" else f"behind_{key}"
        table[column] = [getattr(difference, key) for difference in (first, *behind)]
    table["p"] = [1.0, *holm([difference.p for difference in behind])]
    return table
