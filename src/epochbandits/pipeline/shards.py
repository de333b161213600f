"""Runs of policies in one experiment, for a block of seeds: the pipeline's unit of work.

A `Grid` describes what one policy does in an experiment: a `Simulation`, repeated over samplings,
discounts and the values of one swept parameter. All cells of a grid share random streams, so that
the differences between them come from the parameter alone. Seeds are a column of the table, and a
seed's rows do not depend on the block in which they were computed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from epochbandits.engine.selection import record_epochs
from epochbandits.engine.simulation import Simulation
from epochbandits.io import files, parquet
from epochbandits.io.schemas import GROUP, SHARD
from epochbandits.io.tables import constant_columns
from epochbandits.model.instance import Instance
from epochbandits.model.setting import Setting
from epochbandits.pipeline import instance_sets, results
from epochbandits.policies.loading import find_policy
from epochbandits.provenance.code_hash import digest

_PIECE = 2**14  # rows computed at a time


@dataclass(frozen=True)
class Grid:
    """What a policy does in an experiment, as plain data."""

    policy: str
    """A built-in policy, or module:Class."""
    tau0: int
    zeta: int
    gammas: Sequence[float]
    samplings: Sequence[str]
    options: Mapping[str, Any]
    """The other arguments of `Simulation`, ``params`` among them."""
    sweep: tuple[str, Sequence[float]] | None = None
    """A parameter of the policy, ``tau0`` or ``zeta``, and its values."""

    @property
    def cells(self) -> list[tuple[str, float, float]]:
        """The combinations of sampling, discount and swept value (nan without a sweep)."""
        values = self.sweep[1] if self.sweep else [math.nan]
        return [
            (sampling, float(gamma), float(value))
            for sampling in self.samplings
            for gamma in self.gammas
            for value in values
        ]

    def simulation(
        self, instance: Instance, sampling: Any, gamma: float, value: float
    ) -> Simulation:
        """Return the simulation of one cell on an instance."""
        grid = self.with_params({self.sweep[0]: value}) if self.sweep else self
        return Simulation(
            instance,
            find_policy(self.policy),
            setting=Setting(grid.tau0, grid.zeta, gamma),
            sampling=sampling,
            **grid.options,
        )

    def with_params(self, params: Mapping[str, Any]) -> Grid:
        """Return a copy with some parameters of the policy, τ0 or ζ set."""
        lengths = {k: _whole(v) for k, v in params.items() if k in ("tau0", "zeta")}
        others = {k: _whole(v) for k, v in params.items() if k not in lengths}
        merged = {**self.options.get("params", {}), **others}
        return replace(self, options={**self.options, "params": merged}, **lengths)


def _whole(value: float) -> Any:
    """Return a whole swept value as an int, which some parameters must be."""
    return int(value) if float(value).is_integer() else value


def simulate_shard(
    out: str | Path,
    grids: Mapping[str, Mapping[str, Any]],
    folders: Sequence[str],
    seeds: Sequence[int],
    tuned: Sequence[str],
    metadata: Mapping[str, Any],
    inputs: Mapping[str, str] | None = None,
) -> None:
    """Run grids on the instances of some folders, and write `schemas.SHARD`.

    Parameters
    ----------
    grids : Mapping[str, Mapping[str, Any]]
        The fields of a `Grid` for each policy.
    tuned : Sequence[str]
        Files with parameters that were chosen elsewhere (`aggregation.choose_tuned`).
    metadata : Mapping[str, Any]
        Metadata of the table; its ``key`` is the one for all seeds (`shard_key`).
    inputs : Mapping[str, str] | None
        Expected key of each input (`results.accept`).
    """
    results.accept(inputs)
    policies = {policy: Grid(**grid) for policy, grid in grids.items()}
    for path in tuned:
        choice = files.read_sealed(path)
        policies[choice["policy"]] = policies[choice["policy"]].with_params(choice["chosen"])
    instances = instance_sets.read_sets(folders)
    block = (seeds[0], seeds[-1] + 1)
    metadata = {
        **metadata,
        **({"key": shard_key(metadata["key"], *block)} if "key" in metadata else {}),
        "configuration": {"grids": {policy: vars(grid) for policy, grid in policies.items()}},
        "seeds": list(block),
        "instances": instance_sets.digests(instances),
    }
    parquet.write_pieces(out, SHARD, shard_pieces(policies, instances, seeds), metadata)


def shard_key(key: str, first: int, stop: int) -> str:
    """Return the key of the shard with the seeds ``first`` to ``stop`` - 1."""
    return digest([key, first, stop])


def shard_pieces(
    grids: Mapping[str, Grid],
    instances: Mapping[str, Sequence[Instance]],
    seeds: Sequence[int],
) -> Iterator[dict[str, NDArray[Any]]]:
    """Run all cells of the grids on all instances, and yield the rows in the table's order.

    A piece has some seeds of one cell on one instance, so that memory does not grow with the
    number of seeds. Instances are the outer loop: all runs on one share its reward tables, which
    take longer to build than a short run.
    """
    seeds = sorted(seeds)
    for name, members in sorted(instances.items()):
        for index, instance in enumerate(members):
            for policy, grid in sorted(grids.items()):
                for cell in sorted(grid.cells):
                    simulation = grid.simulation(instance, *cell)
                    step = max(1, _PIECE // len(record_epochs(simulation.blocks)))
                    for start in range(0, len(seeds), step):
                        columns = simulation.columns(seeds[start : start + step])
                        group = dict(zip(GROUP, (policy, name, *cell, index), strict=True))
                        yield columns | constant_columns(group, len(columns["seed"]))
