"""What the tables of the studies share: the sources with their settings, and regret per unit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from epochbandits.figures.registry import Inputs, Settings
from epochbandits.figures.tables import read
from epochbandits.io.schemas import CURVES
from epochbandits.model.instance import Instance
from epochbandits.model.schedules import parse_schedule
from epochbandits.model.setting import Setting
from epochbandits.pipeline import instance_sets
from epochbandits.pipeline.study_comparisons import Difference, at_iteration, pooled
from epochbandits.stats import holm, t_interval

SAMPLINGS = {"marginal": "redrawn", "trajectory": "path"}
ALL = "all"


class Source(NamedTuple):
    """An experiment behind a figure: its block of the configuration, and its curves."""

    name: str
    block: Mapping[str, Any]
    curves: pd.DataFrame


def sources(inputs: Inputs, settings: Settings) -> list[Source]:
    """Return the experiments behind a figure, in their order."""
    pairs = zip(settings.sources.items(), inputs.curves, strict=True)
    return [Source(name, block, read(path, CURVES)) for (name, block), path in pairs]


def mean_gaps(instances: Mapping[str, Sequence[Instance]]) -> dict[str, list[float]]:
    """Return the mean gap of all arms, of each instance of each set."""
    return {
        name: [float(instance.gap.mean()) for instance in members]
        for name, members in instances.items()
    }


def units(inputs: Inputs, settings: Settings) -> pd.DataFrame:
    """Return `units_at` after the number of iterations that the figure declares."""
    gaps = mean_gaps(instance_sets.read_sets(inputs.instances))
    return units_at(settings.at, sources(inputs, settings), settings, gaps)


def units_at(
    at: float, data: Sequence[Source], settings: Settings, gaps: Mapping[str, list[float]]
) -> pd.DataFrame:
    """Return the regret of each instance as a share of what arms at random cost.

    ``r`` is per iteration after ``at`` iterations (`study_comparisons`), ``r_epoch`` per epoch at
    the end of the run; ``iteration`` is where r was taken, earlier if the run ended earlier.
    ``schedule`` is that of the experiment, ``tau0`` and ``zeta`` are its base and its rate.

    Parameters
    ----------
    gaps : Mapping[str, list[float]]
        `mean_gaps` of the experiments' instances.
    """
    parts = []
    for _, block, curves in data:
        part = _shares(curves, settings, gaps, at)
        name = block.get("schedule") or "linear"
        schedule = parse_schedule(name, Setting(block["tau0"], block["zeta"]))
        parts.append(part.assign(schedule=name, tau0=schedule.base, zeta=schedule.rate))
    return pd.concat(parts, ignore_index=True)


def _shares(
    curves: pd.DataFrame, settings: Settings, gaps: Mapping[str, list[float]], at: float
) -> pd.DataFrame:
    table = at_iteration(curves, at)
    scale = [gaps[name][i] for name, i in zip(table["instances"], table["instance"], strict=True)]
    table["r"] = table["iteration_regret"] / (table["iteration"] * np.array(scale))
    by = ["policy", "instances", "sampling", "value", "instance"]
    last = (
        curves.sort_values("epoch").groupby(by, dropna=False)[["epoch", "expected_regret"]].last()
    )
    table = table.merge(last.reset_index(), on=by)
    table["r_epoch"] = table["expected_regret"] / (table["epoch"] * np.array(scale))
    table["class"] = [settings.sets[name]["class"] for name in table["instances"]]
    return table


def cell_means(table: pd.DataFrame, by: list[str], value: str = "r") -> pd.DataFrame:
    """Return the mean over instances of each group, with its t-interval and their number."""
    rows = []
    for key, group in table.groupby(by, sort=False, dropna=False):
        rows.append((*key, *t_interval(group[value]), len(group)))
    return pd.DataFrame(rows, columns=[*by, "mean", "low", "high", "count"])


def class_means(table: pd.DataFrame, by: list[str], value: str = "r") -> pd.DataFrame:
    """Return the means of each group by class, and then over classes (``class`` "all")."""
    rows = []
    for key, group in table.assign(r=table[value]).groupby(by, sort=False, dropna=False):
        head = {**dict(zip(by, key, strict=True)), "class": ALL, "count": len(group)}
        rows.append(add_interval(head, pooled(group)))
    cells = cell_means(table, [*by, "class"], value)
    return pd.concat([cells, pd.DataFrame(rows)], ignore_index=True)


def add_interval(head: Mapping[str, Any], difference: Difference) -> dict[str, Any]:
    """Return a row of a table: what is compared, the mean difference, its interval and p-value."""
    return {**head, **difference._asdict()}


def add_holm(rows: Sequence[dict[str, Any]]) -> None:
    """Add ``p_holm`` to rows: their p-values corrected for their number by Holm's method."""
    for row, p in zip(rows, holm([row["p"] for row in rows]), strict=True):
        row["p_holm"] = p
