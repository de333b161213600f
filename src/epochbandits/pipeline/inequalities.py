"""Tables of inequalities with both sides computed, case by case in the ``*_cases`` modules.

A table holds the checks that its block of the configuration names (`io.schemas.CHECKS`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from epochbandits.io import parquet
from epochbandits.io.schemas import CHECKS, INEQUALITIES, PAPER_CHECKS
from epochbandits.model.instance import Instance
from epochbandits.model.moments import Sampling
from epochbandits.model.setting import TAU0, ZETA, Setting
from epochbandits.pipeline import (
    benchmark_cases,
    exact_cases,
    instance_sets,
    results,
    simulated_cases,
)
from epochbandits.pipeline.cases import Case
from epochbandits.pipeline.simulated_cases import Runs
from epochbandits.validation import choice

_WITHOUT_INSTANCES: dict[str, Callable[[], Iterator[Case]]] = {
    "example2": exact_cases.example2,
    "theorem2_valid": exact_cases.theorem2_valid,
    "irreducible": exact_cases.irreducible,
}
_EXACT: dict[str, Callable[[Instance, Setting, int], Iterator[Case]]] = {
    "lemmas": exact_cases.lemmas,
    "remark1": exact_cases.remark1,
    "corollary2_order": exact_cases.corollary2_order,
    "reasonable": exact_cases.reasonable,
    "benchmarks": benchmark_cases.benchmarks,
}
_SIMULATED: dict[str, Callable[[Runs, float], Iterator[Case]]] = {
    "theorem1": lambda runs, _: simulated_cases.theorem1(runs),
    "theorem2": simulated_cases.theorem2,
}


def write_inequalities(
    out: str | Path,
    folders: Sequence[str],
    block: Mapping[str, Any],
    root: int,
    metadata: Mapping[str, Any],
    inputs: Mapping[str, str] | None = None,
) -> None:
    """Write the inequalities of some folders' instances, for a block of the configuration.

    ``root`` is the root seed of the random streams, ``metadata`` goes into the table, and
    ``inputs`` maps each input to its expected key (`results.accept`).
    """
    results.accept(inputs)
    sets = instance_sets.read_sets(folders)
    settings = {key: value for key, value in block.items() if key != "instances"}
    cases = inequality_table(sets, root=root, **settings)
    columns = {name: [getattr(case, name) for case in cases] for name in INEQUALITIES.names}
    metadata = {**metadata, "instances": instance_sets.digests(sets)}
    parquet.write(out, INEQUALITIES, columns, metadata)


def inequality_table(
    sets: Mapping[str, Sequence[Instance]],
    *,
    tau0: int = TAU0,
    zeta: int = ZETA,
    gammas: Sequence[float] = (1.0,),
    sampling: Sequence[Sampling] = ("marginal",),
    epochs: int,
    seeds: int = 2,
    c: float = 100.0,
    checks: Sequence[str] = PAPER_CHECKS,
    root: int = 0,
) -> list[Case]:
    """Return the rows of `INEQUALITIES` for sets of instances, given by name.

    Parameters
    ----------
    epochs : int
        Horizon n of the simulations and of the constants that depend on it.
    seeds : int
        Number of simulated runs.
    c : float
        Constant of Theorem 2.
    """
    for check in checks:
        choice(check, "check", CHECKS)
    cases = [
        case for check, make in _WITHOUT_INSTANCES.items() if check in checks for case in make()
    ]
    for name, members in sets.items():
        for index, instance in enumerate(members):
            for gamma in gammas:
                setting = Setting(tau0, zeta, float(gamma))
                rows: list[Case] = []
                for check, compute in _EXACT.items():
                    if check in checks:
                        rows += compute(instance, setting, epochs)
                for kind in sampling:
                    runs = Runs(instance, setting, kind, epochs, seeds, root)
                    for check, simulate in _SIMULATED.items():
                        if check in checks:
                            rows += simulate(runs, c)
                cases += [replace(case, instances=name, instance=index) for case in rows]
    return cases
