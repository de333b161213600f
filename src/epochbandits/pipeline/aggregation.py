"""From the runs of an experiment to curves, final values and tuned parameters.

Instances are the binding sample, so the seeds of an instance are averaged first (`CURVES`).
`FINALS` has the end of every run, for shares of runs and for resampling.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from epochbandits.io import files, parquet
from epochbandits.io.schemas import CURVES, FINALS, GROUP, REGRETS, SHARD
from epochbandits.model.instance import Instance
from epochbandits.pipeline import instance_sets, results
from epochbandits.provenance.versions import lock, versions
from epochbandits.validation import InputError

__all__ = [
    "aggregate_experiment",
    "best_value",
    "choose_tuned",
    "join",
    "summarise",
]

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
    """Write `CURVES` and `FINALS` of an experiment.

    Parameters
    ----------
    folders : the sets of instances
    metadata : of the tables
    inputs : with the keys that they must have (`results.accept`)
    """
    results.accept(inputs)
    instances = {Path(folder).name: instance_sets.read(folder) for folder in folders}
    tables = summarise(_read(shards, instances), instances, points)
    metadata = {**metadata, "instances": instance_sets.digests(instances)}
    for path, kind, table in zip((curves, finals), (CURVES, FINALS), tables, strict=True):
        parquet.write(path, kind, table, metadata)


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
    instances = {Path(folder).name: instance_sets.read(folder) for folder in folders}
    value, scores = best_value(_read(shards, instances), policy)
    result = {
        "policy": policy,
        "chosen": {parameter: value},
        "mean_expected_regret": scores,
        "about": {**metadata, "versions": versions(), "lock": lock()},
    }
    files.write_sealed(out, result)


def _read(shards: Sequence[str], instances: Mapping[str, Sequence[Instance]]) -> Columns:
    """Return the runs in the shards; a shard of other instances is refused."""
    expected = {"instances": instance_sets.digests(instances)}
    return join([parquet.read(path, SHARD, expected).columns for path in shards])


def join(shards: Sequence[Columns]) -> Columns:
    """Return shards as one table, in the order of groups, seeds and epochs."""
    if not shards:
        raise InputError("there are no shards to join")
    whole = {name: np.concatenate([shard[name] for shard in shards]) for name in shards[0]}
    # lexsort cannot sort text beside numbers; np.unique turns both into codes, nan included.
    keys = [np.unique(whole[name], return_inverse=True)[1] for name in (*GROUP, "seed", "epoch")]
    order = np.lexsort(keys[::-1])
    rows = np.stack(keys)[:, order]
    if rows.shape[1] > 1 and (rows[:, 1:] == rows[:, :-1]).all(axis=0).any():
        raise InputError("two shards have the same seed of the same instance")
    return {name: column[order] for name, column in whole.items()}


def summarise(
    runs: Columns, instances: Mapping[str, Sequence[Instance]], points: int
) -> tuple[Columns, Columns]:
    """Return `CURVES` and `FINALS` of an experiment's runs, as `join` gives them.

    Parameters
    ----------
    instances : the sets of instances by name, for their smallest gaps
    points : about how many of the recorded epochs the curves have, first and last included
    """
    curves: dict[str, list[NDArray[Any]]] = {name: [] for name in CURVES.names}
    finals: dict[str, list[NDArray[Any]]] = {name: [] for name in FINALS.names}
    for start, stop in _groups(runs):
        part = {name: column[start:stop] for name, column in runs.items()}
        seeds = len(np.unique(part["seed"]))
        grid = part["epoch"].reshape(seeds, -1)
        if (grid != grid[0]).any():
            raise InputError(f"the runs of {part['policy'][0]!r} do not share one grid of epochs")
        points_at = np.unique(np.linspace(0, grid.shape[1] - 1, points).round().astype(int))
        for table, rows in ((curves, len(points_at)), (finals, seeds)):
            for name in GROUP:
                table[name].append(np.full(rows, part[name][0], dtype=part[name].dtype))
        curves["epoch"].append(grid[0, points_at])
        curves["seeds"].append(np.full(len(points_at), seeds))
        for name in MEANS:
            curves[name].append(part[name].reshape(grid.shape)[:, points_at].mean(axis=0))
        spread = part["expected_regret"].reshape(grid.shape)[:, points_at]
        curves["deviation"].append(
            spread.std(axis=0, ddof=1) if seeds > 1 else np.zeros(len(points_at))
        )
        chosen = instances[str(part["instances"][0])][int(part["instance"][0])]
        _finals(finals, part, grid, chosen.min_gap or math.nan)
    return (
        {name: np.concatenate(arrays) for name, arrays in curves.items()},
        {name: np.concatenate(arrays) for name, arrays in finals.items()},
    )


def _finals(
    finals: dict[str, list[NDArray[Any]]], part: Columns, grid: NDArray[Any], min_gap: float
) -> None:
    last = {name: column.reshape(grid.shape)[:, -1] for name, column in part.items()}
    for name in FINALS.names:
        if name in last and name not in GROUP:
            finals[name].append(last[name])
    half = int(np.searchsorted(grid[0], grid[0, -1] / 2))
    middle = {
        name: part[name].reshape(grid.shape)[:, half]
        for name in ("expected_regret", "subopt_regret")
    }
    finals["half_regret"].append(middle["expected_regret"])
    late = (last["subopt_regret"] - middle["subopt_regret"]) / max(1, grid[0, -1] - grid[0, half])
    finals["late_gap"].append(late / min_gap)


def best_value(runs: Columns, policy: str) -> tuple[float, list[tuple[float, float]]]:
    """Return the swept value with the least mean expected regret at the end, and all the means.

    Means are over seeds, then instances.
    """
    last = (runs["policy"] == policy) & (runs["epoch"] == runs["epoch"].max())
    scores: list[tuple[float, float]] = []
    for value in np.unique(runs["value"][last]):
        chosen = last & (runs["value"] == value)
        means = []
        for name, index in set(
            zip(runs["instances"][chosen], runs["instance"][chosen], strict=True)
        ):
            here = chosen & (runs["instances"] == name) & (runs["instance"] == index)
            means.append(float(runs["expected_regret"][here].mean()))
        scores.append((float(value), math.fsum(means) / len(means)))
    if not scores:
        raise InputError(f"there is nothing to choose from: {policy!r} was not run")
    return min(scores, key=lambda pair: pair[1])[0], scores


def _groups(table: Columns) -> list[tuple[int, int]]:
    """Return where each group of a sorted table starts and stops."""
    codes = np.stack([np.unique(table[name], return_inverse=True)[1] for name in GROUP])
    starts = np.flatnonzero(np.r_[True, (codes[:, 1:] != codes[:, :-1]).any(axis=0)])
    return list(zip(starts.tolist(), [*starts[1:].tolist(), codes.shape[1]], strict=True))
