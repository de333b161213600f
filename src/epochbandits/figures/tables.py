"""Steps that several plotted tables share.

Curves come as a mean over instances with its 95% t-interval (``line`` = "mean") and as the mean
over seeds of each instance (``line`` = "instance"). Regret is the expected regret, which has the
same mean as the realised one and far less noise; the tables hold both.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd

from epochbandits.io import parquet
from epochbandits.io.tables import Table
from epochbandits.stats import Interval, t_interval, t_margin, wilson_interval


def read(path: str, table: Table) -> pd.DataFrame:
    """Return a table of a run."""
    return pd.DataFrame(parquet.read(path, table).columns)


def with_mean(table: pd.DataFrame, by: list[str], values: list[str]) -> pd.DataFrame:
    """Return the mean over instances, with the t-interval of the first value, and the instances.

    Parameters
    ----------
    by : list[str]
        Columns that identify a point of a curve.
    values : list[str]
        Columns to average.
    """
    single = table[[*by, "instance", *values]].assign(line="instance", low=math.nan, high=math.nan)
    groups = table.groupby(by, sort=True, dropna=False)
    mean = groups[values].mean()
    margin = t_margin(groups[values[0]].std(), groups[values[0]].size())
    mean["low"], mean["high"] = mean[values[0]] - margin, mean[values[0]] + margin
    mean = mean.reset_index().assign(line="mean", instance=-1)
    order = ["line", *by, "instance", *values, "low", "high"]
    return pd.concat([mean[order], single[order]], ignore_index=True)


def missed_share(runs: pd.DataFrame, late: float) -> tuple[Interval, int]:
    """Return the share of instances that miss the best arm, and how many instances there are.

    The interval is Wilson's. An instance counts as missing it if its ``late_gap``, averaged over
    seeds, exceeds ``late``.
    """
    missed = runs.groupby("instance")["late_gap"].mean() > late
    return wilson_interval(int(missed.sum()), len(missed)), len(missed)


def interval_columns(interval: Interval) -> dict[str, float]:
    """Return an interval as the columns ``mean``, ``low`` and ``high``."""
    return dict(zip(("mean", "low", "high"), interval, strict=True))


def over_averaged(values: pd.Series) -> list[tuple[float, ...]]:
    """Return γ, the mean ratio to γ = 1 with its t-interval, and the number of instances.

    Parameters
    ----------
    values : pd.Series
        By γ and instance.
    """
    table = values.unstack()
    ratios = ((gamma, t_interval(table.loc[gamma] / table.loc[1.0])) for gamma in table.index)
    return [(gamma, *ratio, table.shape[1]) for gamma, ratio in ratios]


def in_policy_order(table: pd.DataFrame, policies: Sequence[str]) -> pd.DataFrame:
    """Return a table sorted by policy, in the order of the configuration."""
    rank = {policy: i for i, policy in enumerate(policies)}
    return table.sort_values(
        "policy", key=lambda column: column.map(rank), kind="stable", ignore_index=True
    )
