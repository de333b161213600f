"""Tables of the regret bounds over the horizon, for figures: `theory` on a grid of n."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from epochbandits import instance_sets, parquet
from epochbandits.instance import Instance
from epochbandits.parquet import Column, Table
from epochbandits.theory import Epochs, greedy, ucb
from epochbandits.theory.penalty import Variant
from epochbandits.validation import InputError

__all__ = ["BOUNDS", "bound_table", "write_bounds"]

BOUNDS = Table(
    "bounds",
    (
        Column("instances", "text", "name", "set of instances"),
        Column("instance", "int", "1", "number of the instance in its set"),
        Column("algorithm", "text", "name", "epoch-ucb, epoch-greedy or trivial (n·Δ_max)"),
        Column("variant", "text", "name", "form of L: paper, tight or min"),
        Column("form", "text", "name", "EpochGreedy's bound: corrected or paper; else empty"),
        Column("gamma", "float", "1", "discount of the feedback; 1: time average"),
        Column("epoch", "int", "epochs", "n"),
        Column("bound", "float", "reward", "bound on the regret at n"),
        Column("c", "float", "1", "EpochGreedy's c with the least bound at the end; else nan"),
        Column("k_prime", "float", "epochs", "exploration is certain until then; else nan"),
    ),
    ("instances", "algorithm", "variant", "form", "gamma", "instance", "epoch"),
)


def write_bounds(
    out: str | Path, folder: str | Path, block: Mapping[str, Any], about: Mapping[str, Any]
) -> None:
    """Write the bounds of a folder's instances, as a block of the configuration asks for."""
    settings = {key: value for key, value in block.items() if key != "instances"}
    name, instances = Path(folder).name, instance_sets.read(folder)
    told = {**about, "instances": instance_sets.digests({name: instances})}
    parquet.write(out, BOUNDS, bound_table(name, instances, **settings), told)


def bound_table(
    name: str,
    instances: Sequence[Instance],
    *,
    tau0: int,
    zeta: int,
    gammas: Sequence[float],
    variants: Sequence[Variant],
    horizon: int,
    points: int,
) -> dict[str, NDArray[Any]]:
    """Return `BOUNDS` for a set of instances.

    EpochGreedy's c is the one with the least corrected bound at the horizon's end (Section 5.2).
    """
    rows: dict[str, list[Any]] = {column: [] for column in BOUNDS.names}
    for index, instance in enumerate(instances):
        if instance.min_gap is None:
            raise InputError(f"instance {index} of {name!r} has no bound: all its arms tie")
        grid = np.unique(np.geomspace(instance.arms, horizon, points).round().astype(np.int64))
        for gamma in gammas:
            epochs = Epochs(tau0, zeta, gamma)
            for variant in variants:
                found = greedy.best_constants(horizon, instance, epochs, variant)
                curves: list[tuple[str, str, Any]] = [
                    ("epoch-ucb", "", ucb.regret_bound(grid, instance, epochs, variant))
                ]
                for form in greedy.FORMS:
                    bound = greedy.regret_bound(grid, instance, epochs, found, variant, form)  # type: ignore[arg-type]
                    curves.append(("epoch-greedy", form, bound))
                curves.append(("trivial", "", grid * float(instance.gap.max())))
                for algorithm, form, bound in curves:
                    own = algorithm == "epoch-greedy"
                    _append(
                        rows,
                        len(grid),
                        instances=name,
                        instance=index,
                        algorithm=algorithm,
                        variant=variant,
                        form=form,
                        gamma=float(gamma),
                        epoch=grid,
                        bound=bound,
                        c=found.c if own else math.nan,
                        k_prime=found.k_prime if own else math.nan,
                    )
    return {column: np.concatenate(parts) for column, parts in rows.items()}


def _append(rows: dict[str, list[Any]], size: int, **entries: Any) -> None:
    for column, entry in entries.items():
        kind = object if isinstance(entry, str) else None
        rows[column].append(entry if np.ndim(entry) else np.full(size, entry, dtype=kind))
