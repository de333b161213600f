"""Compare the regret distributions of two engines, for all experiments of a configuration.

A case is a policy with its parameters, a sampling, a discount and the first instance of a set; a
case that several experiments share counts once. It runs for a few epochs with some seeds in the
fast engine and with others in the plain one, which makes each decision by itself. The final regret,
its expectation and its suboptimality part are compared by two-sample Kolmogorov-Smirnov tests.
Holm's correction is over all tests: the program fails if a corrected p-value is below ``--level``.

    python benchmarks/compare_laws.py config/paper.yaml --epochs 60 --runs 200
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from functools import reduce
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from epochbandits.config import merge, read_yaml
from epochbandits.model.instance import Instance
from epochbandits.pipeline import instance_sets
from epochbandits.pipeline.shards import Grid
from epochbandits.planning.loading import load_plan
from epochbandits.planning.plan import Plan

COLUMNS = ("regret", "expected_regret", "subopt_regret")
DIGITS = 8  # equal regrets of the two engines differ by rounding


class Case(NamedTuple):
    """A cell of a grid on an instance."""

    label: str
    grid: Grid
    instance: Instance
    cell: tuple[str, float, float]

    def finals(self, engine: str, seeds: range) -> dict[str, NDArray[np.float64]]:
        """Return the last values of `COLUMNS` of each seed."""
        simulation = replace(self.grid.simulation(self.instance, *self.cell), engine=engine)
        columns = simulation.columns(seeds)
        last = columns["epoch"] == columns["epoch"].max()
        return {name: np.round(columns[name][last], DIGITS) for name in COLUMNS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("config", type=Path, nargs="+", help="files; later ones override")
    parser.add_argument("--epochs", type=int, default=60, help="most epochs of a run")
    parser.add_argument("--runs", type=int, default=200, help="runs of a case in each engine")
    parser.add_argument("--level", type=float, default=0.01, help="of the corrected p-values")
    options = parser.parse_args()
    plan = load_plan(reduce(merge, map(read_yaml, options.config)), options.config)
    results = []
    for case in cases(plan, options.epochs):
        fast = case.finals("fast", range(options.runs))
        plain = case.finals("plain", range(options.runs, 2 * options.runs))
        for name in COLUMNS:
            p = float(stats.ks_2samp(fast[name], plain[name], method="asymp").pvalue)
            results.append((p, name, case.label))
    results.sort()
    p_values = np.array([p for p, _, _ in results])
    corrected = np.maximum.accumulate(p_values * np.arange(len(results), 0, -1))
    print(f"{len(results)} comparisons; the smallest p-values, and corrected by Holm:")
    for (p, name, label), holm in list(zip(results, corrected, strict=True))[:5]:
        print(f"  {p:.2g}  {min(1.0, holm):.2g}  {name}: {label}")
    if corrected[0] < options.level:
        raise SystemExit("the engines differ")


def cases(plan: Plan, epochs: int) -> Iterator[Case]:
    """Yield the cases of all experiments, each once."""
    seen = set()
    for experiment, block in plan.config.experiments.items():
        instances = {name: first_instance(plan, name) for name in block.instances}
        for policy in block.policies:
            grid = plan.grids.of(experiment, policy)
            options = {**grid.options, "epochs": min(epochs, block.epochs)}
            grid = replace(grid, options=options)
            what = {k: v for k, v in options.items() if k not in ("experiment", "root")}
            for name, instance in instances.items():
                for cell in grid.cells:
                    setting = (grid.policy, grid.tau0, grid.zeta, grid.sweep and grid.sweep[0])
                    key = repr((setting, sorted(what.items()), instance.digest, cell))
                    if key not in seen:
                        seen.add(key)
                        yield Case(f"{experiment}, {policy}, {name}, {cell}", grid, instance, cell)


def first_instance(plan: Plan, name: str) -> Instance:
    """Return the first instance of a set."""
    block: dict[str, Any] = plan.instances.task(name)["block"]
    return instance_sets.make(block, first_only=True)[0]


if __name__ == "__main__":
    main()
