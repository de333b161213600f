"""What each figure shows, as a table: from instances and aggregates to the plotted numbers.

Curves come as a mean over instances with its 95% t-interval (``line`` = "mean") and as the mean
over seeds of each instance (``line`` = "instance"). Regret is the expected one, which has far less
noise than the realised one and the same mean; the realised one stands beside it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from epochbandits.io import parquet
from epochbandits.io.schemas import BOUNDS, CURVES, EIGENVALUES, FINALS
from epochbandits.model.instance import Instance
from epochbandits.pipeline import instance_sets
from epochbandits.stats import wilson_interval

__all__ = ["arms", "bounds", "curves", "eigenvalues", "failure", "transitions"]

LOCKED = 0.5
"""A run is locked on bad arms if the mean gap of its later plays is above this share of Δ_min."""


def transitions(inputs: Sequence[str], **_: Any) -> pd.DataFrame:
    """Return each transition of the first instance, with the mean reward of where it starts."""
    instance = _first(inputs)
    return pd.DataFrame(
        {
            "instance": instance.name,
            "arm": arm,
            "state": state,
            "target": target,
            "probability": instance.transition[arm, state, target],
            "mean_reward": instance.reward_means[arm, state],
        }
        for arm in range(instance.arms)
        for state in range(instance.states)
        for target in range(instance.states)
    )


def arms(inputs: Sequence[str], **_: Any) -> pd.DataFrame:
    """Return stationary probability and mean reward by arm and state of the first instance."""
    instance = _first(inputs)
    return pd.DataFrame(
        {
            "instance": instance.name,
            "arm": arm,
            "state": state,
            "stationary": instance.pi[arm, state],
            "mean_reward": instance.reward_means[arm, state],
            "law": type(instance.rewards[arm][state]).__name__.lower(),
            "best": arm == instance.best_arm,
        }
        for arm in range(instance.arms)
        for state in range(instance.states)
    )


def bounds(inputs: Sequence[str], **_: Any) -> pd.DataFrame:
    """Return the bounds of each instance and their mean over instances."""
    table = _read(inputs[0], BOUNDS)
    by = ["algorithm", "variant", "form", "gamma", "epoch"]
    return _with_mean(table, by, ["bound", "c", "k_prime"])


def curves(
    inputs: Sequence[str],
    *,
    policies: Sequence[str],
    labels: Mapping[str, str],
) -> pd.DataFrame:
    """Return the regret curves of some policies: of each instance, and their mean."""
    table = _read(inputs[0], CURVES)
    table = table[table["policy"].isin(policies)]
    by = ["policy", "instances", "sampling", "gamma", "value", "epoch"]
    result = _with_mean(table, by, ["expected_regret", "regret", "iteration_regret"])
    result.insert(1, "label", result["policy"].map(labels))
    return _in_order(result, policies)


def failure(
    inputs: Sequence[str],
    *,
    policies: Sequence[str],
    labels: Mapping[str, str],
) -> pd.DataFrame:
    """Return Example 1's curves on two axes, and the share of locked runs against ε.

    Each instance is one ε, so intervals are over seeds: Student's for curves, Wilson's for shares.
    ``panel`` is "decisions", "epochs" or "locked".
    """
    parts = []
    for panel, path in zip(("decisions", "epochs"), (inputs[0], inputs[2]), strict=True):
        table = _read(path, CURVES)
        reach = stats.t.ppf(0.975, table["seeds"] - 1) * table["deviation"]
        reach /= np.sqrt(table["seeds"])
        mean = table["expected_regret"]
        table = table.assign(panel=panel, mean=mean, low=mean - reach, high=mean + reach)
        parts.append(table.assign(epsilon=_epsilons(path, table)))
    for panel, path in (("locked", inputs[5]), ("locked on the main axis", inputs[1])):
        table = _read(path, FINALS)
        table = table.assign(epsilon=_epsilons(path, table), locked=table["late_gap"] > LOCKED)
        rows = []
        for (policy, epsilon), runs in table.groupby(["policy", "epsilon"], sort=True):
            share = wilson_interval(int(runs["locked"].sum()), len(runs))
            rows.append((policy, epsilon, runs["epoch"].max(), len(runs), *share))
        names = ["policy", "epsilon", "epoch", "seeds", "mean", "low", "high"]
        parts.append(pd.DataFrame(rows, columns=names).assign(panel=panel))
    columns = ["panel", "policy", "epsilon", "epoch", "seeds", "mean", "low", "high"]
    result = pd.concat([part[columns] for part in parts], ignore_index=True)
    result = result[result["policy"].isin(policies)]
    result.insert(2, "label", result["policy"].map(labels))
    return _in_order(result, policies)


def eigenvalues(inputs: Sequence[str], **_: Any) -> pd.DataFrame:
    """Return the eigenvalues of all matrices."""
    return _read(inputs[0], EIGENVALUES)


def _with_mean(table: pd.DataFrame, by: list[str], values: list[str]) -> pd.DataFrame:
    """Return instances' curves and, beneath, their mean with the t-interval of the first value."""
    lines = table[[*by, "instance", *values]].assign(line="instance", low=math.nan, high=math.nan)
    groups = table.groupby(by, sort=True, dropna=False)
    mean = groups[values].mean()
    spread, size = groups[values[0]].std(), groups[values[0]].size()
    reach = stats.t.ppf(0.975, np.maximum(size - 1, 1)) * spread / np.sqrt(size)
    mean["low"], mean["high"] = mean[values[0]] - reach, mean[values[0]] + reach
    mean = mean.reset_index().assign(line="mean", instance=-1)
    order = ["line", *by, "instance", *values, "low", "high"]
    return pd.concat([mean[order], lines[order]], ignore_index=True)


def _in_order(table: pd.DataFrame, policies: Sequence[str]) -> pd.DataFrame:
    """Return a table whose policies come as the configuration lists them."""
    place = {policy: i for i, policy in enumerate(policies)}
    return table.sort_values(
        "policy", key=lambda column: column.map(place), kind="stable", ignore_index=True
    )


def _epsilons(path: str, table: pd.DataFrame) -> pd.Series:
    """Return ε of each row's instance."""
    sets = parquet.about(path)["configuration"]["instances"]
    return pd.Series(
        [
            sets[name]["epsilon"][index]
            for name, index in zip(table["instances"], table["instance"], strict=True)
        ],
        index=table.index,
    )


def _first(inputs: Sequence[str]) -> Instance:
    return instance_sets.read(Path(inputs[0]))[0]


def _read(path: str, table: parquet.Table) -> pd.DataFrame:
    return pd.DataFrame(parquet.read(path, table).columns)
