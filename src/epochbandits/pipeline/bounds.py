"""Tables of the regret bounds over the horizon, for figures: `theory` on a grid of n."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from epochbandits.io import parquet
from epochbandits.io.schemas import BOUNDS
from epochbandits.model.instance import Instance
from epochbandits.model.setting import Setting
from epochbandits.pipeline import instance_sets
from epochbandits.theory import greedy, ucb
from epochbandits.theory.penalty import Variant
from epochbandits.validation import InputError

__all__ = ["bound_table", "write_bounds"]


def write_bounds(
    out: str | Path, folder: str | Path, block: Mapping[str, Any], metadata: Mapping[str, Any]
) -> None:
    """Write the bounds of a folder's instances, for a block of the configuration."""
    settings = {key: value for key, value in block.items() if key != "instances"}
    name, instances = Path(folder).name, instance_sets.read(folder)
    metadata = {**metadata, "instances": instance_sets.digests({name: instances})}
    parquet.write(out, BOUNDS, bound_table(name, instances, **settings), metadata)


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
            epochs = Setting(tau0, zeta, gamma)
            for variant in variants:
                constants = greedy.best_constants(horizon, instance, epochs, variant)
                curves: list[tuple[str, str, Any]] = [
                    ("epoch-ucb", "", ucb.regret_bound(grid, instance, epochs, variant))
                ]
                for form in greedy.FORMS:
                    bound = greedy.regret_bound(grid, instance, epochs, constants, variant, form)  # type: ignore[arg-type]
                    curves.append(("epoch-greedy", form, bound))
                curves.append(("trivial", "", grid * float(instance.gap.max())))
                for algorithm, form, bound in curves:
                    is_greedy = algorithm == "epoch-greedy"
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
                        c=constants.c if is_greedy else math.nan,
                        k_prime=constants.k_prime if is_greedy else math.nan,
                    )
    return {column: np.concatenate(parts) for column, parts in rows.items()}


def _append(rows: dict[str, list[Any]], size: int, **entries: Any) -> None:
    for column, entry in entries.items():
        kind = object if isinstance(entry, str) else None
        rows[column].append(entry if np.ndim(entry) else np.full(size, entry, dtype=kind))
