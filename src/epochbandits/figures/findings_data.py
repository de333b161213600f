"""What the findings' figures show, as tables: where the result departs from the paper's."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from epochbandits.io import parquet
from epochbandits.io.schemas import BOUNDS, EIGENVALUES, FINALS, INEQUALITIES
from epochbandits.stats import t_interval, wilson_interval

__all__ = ["decay", "discount_classes", "exploration", "near_one", "resampling", "scales"]

LATE = 0.5
"""A run has not found the best arm if its later plays' mean gap is above this part of Δ_min."""
PRINTED = {"uniform": (0.32, 0.38), "normal": (0.70, 0.83)}
"""Mean and 95th percentile in Section 3.3."""
_REGRET = "expected_regret"


def resampling(inputs: Sequence[str], **_: Any) -> pd.DataFrame:
    """Return final regrets of UCB and EpochUCB by sampling, and UCB's failures by stickiness.

    ``panel`` "samplings": one row per policy, sampling and instance, ``low`` and ``high`` empty.
    ``panel`` "stickiness": the share of instances on which UCB fails, for each range of a*.
    """
    finals = _read(inputs[1], FINALS)
    finals = finals[finals["policy"].isin(["ucb", "epoch-ucb"])]
    by = ["policy", "sampling", "instance"]
    regrets = finals.groupby(by)[_REGRET].mean().reset_index(name="mean")
    regrets = regrets.assign(panel="samplings", low=math.nan, high=math.nan, a_low=math.nan,
                             a_high=math.nan, count=1)  # fmt: skip
    sticky = _read(inputs[3], FINALS)
    sets = parquet.about(inputs[3])["configuration"]["instances"]
    rows = []
    for name, runs in sticky.groupby("instances"):
        late = runs.groupby("instance")["late_gap"].mean() > LATE
        share = wilson_interval(int(late.sum()), len(late))
        a_low, a_high = sets[name]["knobs"]["stick_optimal"]
        rows.append(("ucb", "marginal", -1, *share, "stickiness", a_low, a_high, len(late)))
    columns = [*by, "mean", "low", "high", "panel", "a_low", "a_high", "count"]
    return pd.concat([regrets[columns], pd.DataFrame(rows, columns=columns)], ignore_index=True)


def decay(inputs: Sequence[str], **_: Any) -> pd.DataFrame:
    """Return EpochGreedy's final regret over EpochUCB's, and its share of failed instances."""
    finals = _read(inputs[1], FINALS)
    own = finals[finals["policy"] == "epoch-ucb"].groupby("instance")[_REGRET].mean()
    rows = []
    for value, runs in finals[finals["value"].notna()].groupby("value"):
        grouped = runs.groupby("instance")
        ratio = t_interval(grouped[_REGRET].mean() / own)
        late = grouped["late_gap"].mean() > LATE
        failed = wilson_interval(int(late.sum()), len(late))
        rows.append(("ratio", float(value), *ratio, len(late)))
        rows.append(("failed", float(value), *failed, len(late)))
    return pd.DataFrame(rows, columns=["panel", "value", "mean", "low", "high", "count"])


def discount_classes(inputs: Sequence[str], **_: Any) -> pd.DataFrame:
    """Return EpochUCB's final regret at γ over that at 1, for each class of instances."""
    finals = pd.concat([_read(path, FINALS) for path in inputs[1::2]], ignore_index=True)
    finals = finals[finals["policy"] == "epoch-ucb"]
    regret = finals.groupby(["instances", "gamma", "instance"])[_REGRET].mean()
    rows = []
    for name in regret.index.get_level_values(0).unique():
        one = regret[name].unstack()
        for gamma in one.index:
            ratio = t_interval(one.loc[gamma] / one.loc[1.0])
            rows.append(
                (name.replace("ensemble_4x4", "anticorrelated"), gamma, *ratio, one.shape[1])
            )
    return pd.DataFrame(rows, columns=["instances", "gamma", "mean", "low", "high", "count"])


def near_one(inputs: Sequence[str], **_: Any) -> pd.DataFrame:
    """Return each bound at γ over that at 1, at the horizon's end, for each form of L."""
    table = _read(inputs[0], BOUNDS)
    table = table[(table["epoch"] == table["epoch"].max()) & (table["form"] != "paper")]
    rows = []
    for (algorithm, variant), part in table.groupby(["algorithm", "variant"]):
        if algorithm == "trivial":
            continue
        bound = part.set_index(["gamma", "instance"])["bound"].unstack()
        for gamma in bound.index:
            ratio = t_interval(bound.loc[gamma] / bound.loc[1.0])
            rows.append((algorithm, variant, gamma, *ratio, bound.shape[1]))
    columns = ["algorithm", "variant", "gamma", "mean", "low", "high", "count"]
    return pd.DataFrame(rows, columns=columns)


def scales(inputs: Sequence[str], **_: Any) -> pd.DataFrame:
    """Return mean and 95th percentile of λ₂ and √λ₂ for each law, with what the paper prints."""
    table = _read(inputs[0], EIGENVALUES)
    rows = []
    for law, part in table.groupby("law", sort=False):
        mean, high = PRINTED[law.split(":")[0]]
        for scale in ("lambda2", "root"):
            values = part[scale]
            rows.append((law, scale, values.mean(), values.quantile(0.95), mean, high, len(values)))
    columns = ["law", "scale", "mean", "high", "printed_mean", "printed_high", "count"]
    return pd.DataFrame(rows, columns=columns)


def exploration(inputs: Sequence[str], **_: Any) -> pd.DataFrame:
    """Return x₀(k) with its printed and corrected lower bounds, and Theorem 2 against shares.

    ``panel`` "x0" is for m = 2 and c/d² = 10 (errata E6): ``line`` exact, printed or corrected.
    ``panel`` "theorem2" has the measured share of suboptimal plays and the bound on it.
    """
    m, scale = 2, 10.0
    k_prime = scale * m
    k = np.arange(1, 2001)
    exact = np.cumsum(np.minimum(1.0, k_prime / k)) / (2 * m)
    late = k > k_prime
    printed = scale * np.log(k * math.sqrt(math.e) / k_prime)
    corrected = scale / 2 * np.log(math.e * (k + 1) / k_prime) - 1 / (2 * m)
    frames = [
        pd.DataFrame({"line": name, "k": k[late], "mean": values[late]})
        for name, values in (("exact", exact), ("printed", printed), ("corrected", corrected))
    ]
    x0 = pd.concat(frames).assign(panel="x0", low=math.nan, high=math.nan, instance=-1)
    table = _read(inputs[0], INEQUALITIES)
    table = table[table["name"] == "theorem2"]
    names = {"at": "k", "left": "mean"}
    measured = table.rename(columns=names).assign(line="measured")
    measured["low"] = measured["mean"] - measured["margin"]
    measured["high"] = measured["mean"] + measured["margin"]
    bound = table.assign(mean=table["right"], k=table["at"], line="bound", low=math.nan,
                         high=math.nan)  # fmt: skip
    columns = ["panel", "line", "instance", "k", "mean", "low", "high"]
    parts = [x0[columns]]
    parts += [part.assign(panel="theorem2")[columns] for part in (measured, bound)]
    return pd.concat(parts, ignore_index=True)


def _read(path: str, table: parquet.Table) -> pd.DataFrame:
    return pd.DataFrame(parquet.read(path, table).columns)
