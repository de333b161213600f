"""From the runs of an experiment to curves, final values and tuned parameters.

Instances are the sampling unit, so the seeds of an instance are averaged first (`CURVES`).
`FINALS` has the last epoch of every run, for shares of runs and for resampling.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from epochbandits.io import files, parquet
from epochbandits.io.schemas import CURVES, FINALS, REGRETS
from epochbandits.io.tables import constant_columns
from epochbandits.pipeline import instance_sets, results
from epochbandits.pipeline.shard_reading import Group, read_groups
from epochbandits.provenance.versions import lock, versions
from epochbandits.validation import InputError

Columns = dict[str, NDArray[Any]]

MEANS = ("iteration", *(c.name for c in REGRETS))


def aggregate_experiment(
    curves: str | Path,
    finals: str | Path,
    shards: Sequence[str],
    folders: Sequence[str],
    points: int,
    metadata: Mapping[str, Any],
    inputs: Mapping[str, str] | None = None,
) -> None:
    """Write `CURVES` and `FINALS` of an experiment, group by group.

    Parameters
    ----------
    folders : Sequence[str]
        The sets of instances.
    points : int
        Approximate number of recorded epochs in a curve, first and last included.
    metadata : Mapping[str, Any]
        Metadata of the tables.
    inputs : Mapping[str, str] | None
        Expected key of each input (`results.accept`).
    """
    results.accept(inputs)
    instances = instance_sets.read_sets(folders)
    metadata = {**metadata, "instances": instance_sets.digests(instances)}
    expected = {"instances": metadata["instances"]}
    with read_groups(shards, expected, Path(curves).parent) as groups:
        pieces = (_free(curve(group, points), group) for group in groups)
        parquet.write_pieces(curves, CURVES, pieces, metadata)
        gaps = {
            name: [instance.min_gap for instance in members] for name, members in instances.items()
        }
        pieces = (_free(final_rows(group, gaps), group) for group in groups)
        parquet.write_pieces(finals, FINALS, pieces, metadata)


def choose_tuned(
    out: str | Path,
    shards: Sequence[str],
    folders: Sequence[str],
    policy: str,
    parameter: str,
    metadata: Mapping[str, Any],
    inputs: Mapping[str, str] | None = None,
) -> None:
    """Write the value of a policy's swept parameter with the least regret, and all regrets."""
    results.accept(inputs)
    instances = instance_sets.read_sets(folders)
    gaps = {name: [instance.min_gap for instance in members] for name, members in instances.items()}
    expected = {"instances": instance_sets.digests(instances)}
    with read_groups(shards, expected, Path(out).parent) as groups:
        tables = [_free(final_rows(group, gaps), group) for group in groups]
    last = {name: np.concatenate([table[name] for table in tables]) for name in FINALS.names}
    value, scores = best_value(last, policy)
    result = {
        "policy": policy,
        "chosen": {parameter: value},
        "mean_expected_regret": scores,
        "about": {**metadata, "versions": versions(), "lock": lock()},
    }
    files.write_sealed(out, result)


def _free(table: Columns, group: Group) -> Columns:
    """Free the memory of a group, and return the table computed from it."""
    group.forget()
    return table


def curve(group: Group, points: int) -> Columns:
    """Return the rows of `CURVES` for a group: means over its seeds."""
    seeds, epochs = len(group.runs.seeds), group.runs.epochs
    indices = np.unique(np.linspace(0, len(epochs) - 1, points).round().astype(int))
    table = constant_columns(group.key | {"seeds": seeds}, len(indices))
    table["epoch"] = epochs[indices]
    for name in MEANS:
        values = group.column(name)[:, indices]
        table[name] = values.mean(axis=0)
        if name == "expected_regret":
            spread = values.std(axis=0, ddof=1) if seeds > 1 else np.zeros(len(indices))
            table["deviation"] = spread
    return table


def final_rows(group: Group, gaps: Mapping[str, Sequence[float | None]]) -> Columns:
    """Return the rows of `FINALS` for a group.

    Parameters
    ----------
    gaps : Mapping[str, Sequence[float | None]]
        The smallest gap of each instance of a set.
    """
    seeds, epochs = group.runs.seeds, group.runs.epochs
    half = int(np.searchsorted(epochs, epochs[-1] / 2))
    table = constant_columns(group.key | {"epoch": epochs[-1]}, len(seeds)) | {"seed": seeds}
    middle = {}
    for name in ("iteration", "arm", *(c.name for c in REGRETS)):
        values = group.column(name)
        table[name], middle[name] = values[:, -1].copy(), values[:, half].copy()
    table["half_regret"] = middle["expected_regret"]
    late = table["subopt_regret"] - middle["subopt_regret"]
    min_gap = gaps[group.key["instances"]][group.key["instance"]] or math.nan
    table["late_gap"] = late / max(1, epochs[-1] - epochs[half]) / min_gap
    return table


def best_value(finals: Columns, policy: str) -> tuple[float, list[tuple[float, float]]]:
    """Return the swept value with the least mean expected regret in `FINALS`, and all the means.

    Means are over seeds, then instances.
    """
    last = (finals["policy"] == policy) & (finals["epoch"] == finals["epoch"].max())
    scores: list[tuple[float, float]] = []
    for value in np.unique(finals["value"][last]):
        chosen = last & (finals["value"] == value)
        means = []
        for name, index in set(
            zip(finals["instances"][chosen], finals["instance"][chosen], strict=True)
        ):
            here = chosen & (finals["instances"] == name) & (finals["instance"] == index)
            means.append(float(finals["expected_regret"][here].mean()))
        scores.append((float(value), math.fsum(means) / len(means)))
    if not scores:
        raise InputError(f"there is nothing to choose from: {policy!r} was not run")
    return min(scores, key=lambda pair: pair[1])[0], scores
