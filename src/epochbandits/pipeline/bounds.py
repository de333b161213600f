"""Tables of the regret bounds over the horizon, for figures: `theory` on a grid of n."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from epochbandits.io import parquet
from epochbandits.io.schemas import BOUNDS
from epochbandits.model.instance import Instance
from epochbandits.model.setting import Setting
from epochbandits.pipeline import instance_sets, results
from epochbandits.theory import greedy, ucb
from epochbandits.theory.penalty import Variant
from epochbandits.theory.useful_horizon import RIVALS, first_useful_horizon
from epochbandits.validation import InputError


def write_bounds(
    out: str | Path,
    folders: Sequence[str],
    block: Mapping[str, Any],
    metadata: Mapping[str, Any],
    inputs: Mapping[str, str] | None = None,
) -> None:
    """Write the bounds of the instances of one folder, for a block of the configuration.

    ``inputs`` maps each input to its expected key (`results.accept`).
    """
    results.accept(inputs)
    settings = {key: value for key, value in block.items() if key != "instances"}
    sets = instance_sets.read_sets(folders)
    metadata = {**metadata, "instances": instance_sets.digests(sets)}
    ((name, instances),) = sets.items()
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
    horizons: Sequence[int] | None = None,
    useful: bool = False,
) -> dict[str, NDArray[Any]]:
    """Return `BOUNDS` for a set of instances.

    EpochGreedy's c is the one with the least corrected bound at the horizon's end (Section 5.2).

    Parameters
    ----------
    horizons : Sequence[int] | None
        Values of n, instead of a grid of ``points`` up to the horizon.
    useful : bool
        Whether to search for the horizons from which the bounds are useful.
    """
    rows: dict[str, list[Any]] = {column: [] for column in BOUNDS.names}
    for index, instance in enumerate(instances):
        if instance.min_gap is None:
            raise InputError(f"instance {index} of {name!r} has no bound: all its arms tie")
        grid = _grid(instance, horizon, points) if horizons is None else np.array(sorted(horizons))
        for gamma, variant in product(gammas, variants):
            setting = Setting(tau0, zeta, gamma)
            chosen = greedy.best_constants(horizon, instance, setting, variant)
            for curve in _curves(grid, instance, setting, chosen, variant):
                from_n = _useful(curve, instance, setting, variant) if useful else {}
                is_greedy = curve["algorithm"] == "epoch-greedy"
                _append(
                    rows,
                    len(grid),
                    instances=name,
                    instance=index,
                    variant=variant,
                    gamma=float(gamma),
                    epoch=grid,
                    c=chosen.c if is_greedy else math.nan,
                    k_prime=chosen.k_prime if is_greedy else math.nan,
                    useful_from=from_n.get("worst", math.nan),
                    beats_random_from=from_n.get("random", math.nan),
                    **curve,
                )
    return {column: np.concatenate(parts) for column, parts in rows.items()}


def _grid(instance: Instance, horizon: int, points: int) -> NDArray[np.int64]:
    return np.unique(np.geomspace(instance.arms, horizon, points).round().astype(np.int64))


def _curves(
    n: NDArray[np.int64],
    instance: Instance,
    setting: Setting,
    chosen: greedy.GreedyConstants,
    variant: Variant,
) -> list[dict[str, Any]]:
    """Return each bound over n, with the algorithm and the form."""
    curves = [
        ("epoch-ucb", "", ucb.regret_bound(n, instance, setting, variant)),
        ("epoch-ucb", "gap-independent", ucb.gap_independent_bound(n, instance, setting, variant)),
        ("trivial", "", n * float(instance.gap.max())),
    ]
    for form in get_args(greedy.Form):
        bound = greedy.regret_bound(n, instance, setting, chosen, variant, form)
        curves.append(("epoch-greedy", form, bound))
    return [{"algorithm": a, "form": form, "bound": bound} for a, form, bound in curves]


def _useful(
    curve: dict[str, Any], instance: Instance, setting: Setting, variant: Variant
) -> dict[str, float]:
    """Return the horizons from which a bound is useful, by rival; none for the printed one."""
    if curve["algorithm"] == "trivial" or curve["form"] == "paper":
        return {}
    bound = curve["form"] if curve["form"] == "gap-independent" else curve["algorithm"]
    return {
        rival: first_useful_horizon(instance, setting, bound, rival, variant) for rival in RIVALS
    }


def _append(rows: dict[str, list[Any]], size: int, **entries: Any) -> None:
    for column, entry in entries.items():
        kind = object if isinstance(entry, str) else None
        rows[column].append(entry if np.ndim(entry) else np.full(size, entry, dtype=kind))
