"""The runs of policies in one experiment, for a block of seeds: the pipeline's unit of work.

A `Task` is all that fixes a policy's runs but instances and seeds, as plain data. Seeds are a
column of the table, and a seed's rows are the same in whatever block they were computed: the blocks
are a matter of scheduling. A sweep gives one parameter of the policy several values; its runs, and
those of all discounts, share random streams, so that their differences are of the parameter's
doing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from epochbandits.engine.simulation import Simulation, record_epochs
from epochbandits.io import files, parquet
from epochbandits.io.schemas import GROUP, SHARD
from epochbandits.model.instance import Instance
from epochbandits.model.moments import Sampling
from epochbandits.model.setting import Setting
from epochbandits.pipeline import instance_sets
from epochbandits.policies.loading import find_policy

__all__ = ["Task", "run_shard", "shard_pieces", "simulate_shard"]

_PIECE = 2**16  # rows that are run at a time


class Task(NamedTuple):
    """What a policy does in an experiment."""

    experiment: str
    policy: str
    """A built-in policy, or module:Class."""
    params: Mapping[str, Any]
    sweep: tuple[str, Sequence[float]] | None
    """A parameter and its values."""
    epochs: int
    tau0: int
    zeta: int
    gammas: Sequence[float]
    samplings: Sequence[Sampling]
    paired: bool
    """Whether a policy that decides each iteration is cut at EpochUCB's epochs."""
    root: int

    def simulation(
        self, instance: Instance, sampling: Sampling, gamma: float, value: float
    ) -> Simulation:
        """Return the checked simulation of one cell; ``value`` is nan without a sweep."""
        params = dict(self.params) | ({self.sweep[0]: value} if self.sweep else {})
        return Simulation(
            instance,
            find_policy(self.policy),
            params,
            epochs=self.epochs,
            setting=Setting(self.tau0, self.zeta, gamma),
            pair=self.paired,
            sampling=sampling,
            experiment=self.experiment,
            root=self.root,
        )

    @property
    def cells(self) -> list[tuple[Sampling, float, float]]:
        """The combinations of sampling, discount and swept value."""
        values = self.sweep[1] if self.sweep else [math.nan]
        return [
            (s, float(g), float(v)) for s in self.samplings for g in self.gammas for v in values
        ]


def simulate_shard(
    out: str | Path,
    tasks: Mapping[str, Mapping[str, Any]],
    folders: Sequence[str],
    seeds: Sequence[int],
    tuned: Sequence[str],
    key: str,
    code: Mapping[str, str],
) -> None:
    """Run tasks on the instances of some folders, and write `schemas.SHARD`.

    Parameters
    ----------
    tasks : the fields of a `Task` for each policy
    tuned : files with parameters that were chosen elsewhere (`aggregation.choose_tuned`)
    key : what tells this shard from those of other code or configuration
    code : hash of the code behind each policy's runs
    """
    chosen = {policy: Task(**task) for policy, task in tasks.items()}
    for path in tuned:
        found = files.read_sealed(path)
        task = chosen[found["policy"]]
        chosen[found["policy"]] = task._replace(params={**task.params, **found["chosen"]})
    instances = {Path(folder).name: instance_sets.read(folder) for folder in folders}
    about = {
        "key": key,
        "code": dict(code),
        "configuration": {"tasks": {policy: task._asdict() for policy, task in chosen.items()}},
        "root": next(iter(chosen.values())).root,
        "seeds": [seeds[0], seeds[-1] + 1],
        "instances": instance_sets.digests(instances),
    }
    parquet.write_pieces(out, SHARD, shard_pieces(chosen, instances, seeds), about)


def run_shard(
    tasks: Mapping[str, Task],
    instances: Mapping[str, Sequence[Instance]],
    seeds: Sequence[int],
) -> dict[str, NDArray[Any]]:
    """Run all cells of the tasks on all instances, and return the columns of `schemas.SHARD`."""
    parts = list(shard_pieces(tasks, instances, seeds))
    return {name: np.concatenate([part[name] for part in parts]) for name in SHARD.names}


def shard_pieces(
    tasks: Mapping[str, Task],
    instances: Mapping[str, Sequence[Instance]],
    seeds: Sequence[int],
) -> Iterator[dict[str, NDArray[Any]]]:
    """Run all cells of the tasks on all instances, and yield the rows in the table's order.

    A piece is some seeds of a cell on an instance: thousands of seeds need no more memory.
    """
    seeds = sorted(seeds)
    for policy, task in sorted(tasks.items()):
        for name, members in sorted(instances.items()):
            for sampling, gamma, value in sorted(task.cells):
                for index, instance in enumerate(members):
                    run = task.simulation(instance, sampling, gamma, value)
                    some = max(1, _PIECE // len(record_epochs(run.blocks)))
                    for start in range(0, len(seeds), some):
                        columns = run.columns(seeds[start : start + some])
                        group = (policy, name, sampling, gamma, value, index)
                        for key, entry in zip(GROUP, group, strict=True):
                            kind = object if isinstance(entry, str) else type(entry)
                            columns[key] = np.full(len(columns["seed"]), entry, dtype=kind)
                        yield columns
