"""Whether the committed paper results are what this machine computes: ``epochbandits verify``.

A sample of the published figures' numbers is computed again from the configuration alone:
instances, runs of epoch algorithms and of a baseline, bounds, stationary laws, eigenvalues. On the
machine and with the lock that published them every difference is zero. Elsewhere another C library
or processor may round a logarithm, a power or a sum differently in the last bit; `TOLERANCE` is
ten times what that was measured to come to (docs/method.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from epochbandits.config import load_files
from epochbandits.io import parquet
from epochbandits.model.instance import Instance
from epochbandits.model.setting import Setting
from epochbandits.pipeline import instance_sets
from epochbandits.pipeline.eigenvalues import eigenvalue_table
from epochbandits.pipeline.plan import Plan
from epochbandits.theory import greedy, ucb
from epochbandits.validation import InputError

__all__ = ["SAMPLE", "TOLERANCE", "Compared", "Published", "compare", "difference", "report"]

TOLERANCE = 1e-12
"""Largest difference, relative to the largest value of a line, that is put down to rounding."""


class Compared(NamedTuple):
    """What was computed again, and by how much it differs from what was published."""

    what: str
    figure: str
    values: int
    difference: float
    """The largest one, relative to the largest of the values."""


class Published:
    """The published numbers, and the configuration that they were made with."""

    def __init__(self, folder: str | Path, config: str | Path) -> None:
        self.folder = Path(folder)
        if not (self.folder / "data").is_dir():
            raise InputError(f"{folder}: has no published figures; give the folder that has data/")
        self.plan = Plan(load_files([Path(config)]))
        self._tables: dict[str, pd.DataFrame] = {}

    def table(self, figure: str) -> pd.DataFrame:
        """Return the numbers that a published figure shows."""
        if figure not in self._tables:
            path = self.folder / "data" / f"{figure}.parquet"
            columns, told = parquet.read_any(path)
            if told.get("table") != f"figure {figure}":
                raise InputError(f"{path}: is not that figure's table")
            self._tables[figure] = pd.DataFrame(columns)
        return self._tables[figure]

    def instance(self, name: str, index: int) -> Instance:
        """Return an instance of a set, made anew."""
        return instance_sets.make(self.plan.instance_set(name))[index]

    # --- what is computed again -------------------------------------------------------------------

    def curve(
        self, figure: str, experiment: str, policy: str, instance: int,
        gamma: float = 1.0, value: float = math.nan,
    ) -> Compared:  # fmt: skip
        """Run all seeds of one instance, and compare with the figure's line point for point."""
        line = self._line(figure, policy=policy, instance=instance, gamma=gamma, value=value)
        block = self.plan.config.experiments[experiment]
        problem = self.instance(block.instances[0], instance)
        task = self.plan.task(experiment, policy)
        columns = task.simulation(problem, "marginal", gamma, value).columns(range(block.seeds))
        epochs = columns["epoch"].reshape(block.seeds, -1)[0]
        kept = np.flatnonzero(np.isin(epochs, line["epoch"]))
        # In the order in which the pipeline takes the mean: sums are not associative.
        found = columns["expected_regret"].reshape(block.seeds, -1)[:, kept].mean(axis=0)
        return _compared(f"{policy}, γ = {gamma:g}", figure, found, line["expected_regret"])

    def ucb_bound(self, figure: str, instance: int, gamma: float) -> Compared:
        """Compute EpochUCB's bound on the figure's grid."""
        line, problem, epochs, _ = self._bound(figure, instance, gamma, "epoch-ucb", "")
        found = ucb.regret_bound(line["epoch"].to_numpy(), problem, epochs)
        return _compared(f"EpochUCB's bound, γ = {gamma:g}", figure, found, line["bound"])

    def greedy_bound(self, figure: str, instance: int, gamma: float) -> Compared:
        """Search EpochGreedy's constants, and compute its bound on the figure's grid."""
        asked = (figure, instance, gamma, "epoch-greedy", "corrected")
        line, problem, epochs, horizon = self._bound(*asked)
        constants = greedy.best_constants(horizon, problem, epochs)
        found = greedy.regret_bound(line["epoch"].to_numpy(), problem, epochs, constants)
        values = np.append(line["bound"], line["c"].iloc[0])
        what = f"EpochGreedy's bound and c, γ = {gamma:g}"
        return _compared(what, figure, np.append(found, constants.c), values)

    def stationary(self, figure: str) -> Compared:
        """Make the figure's instance, and compute its stationary laws and mean rewards."""
        problem = self.instance(self.plan.config.figures[figure].source[0], 0)
        data = self.table(figure)
        found = np.append(problem.pi.ravel(), problem.reward_means.ravel())
        values = np.append(data["stationary"], data["mean_reward"])
        return _compared("stationary laws and mean rewards", figure, found, values)

    def eigenvalues(self, figure: str, count: int) -> Compared:
        """Draw the first matrices of each law again."""
        block = self.plan.config.eigenvalues[self.plan.config.figures[figure].source[0]]
        data = self.table(figure).sort_values("index")
        first = [data.loc[data["law"] == law, "lambda2"].to_numpy()[:count] for law in block.laws]
        found = eigenvalue_table(block.laws, count, block.states, block.seed)["lambda2"]
        return _compared("eigenvalues", figure, found, np.concatenate(first))

    # --- rows -------------------------------------------------------------------------------------

    def _line(self, figure: str, **wanted: Any) -> pd.DataFrame:
        data = self.table(figure)
        chosen = data["line"] == "instance"
        for column, entry in wanted.items():
            if column in data:
                same = data[column].isna() if entry != entry else data[column] == entry
                chosen &= same
        return data[chosen].sort_values("epoch")

    def _bound(
        self, figure: str, instance: int, gamma: float, algorithm: str, form: str
    ) -> tuple[pd.DataFrame, Instance, Setting, int]:
        block = self.plan.config.bounds[self.plan.config.figures[figure].source[0]]
        wanted = {"algorithm": algorithm, "form": form, "variant": "paper"}
        line = self._line(figure, instance=instance, gamma=gamma, **wanted)
        problem = self.instance(block.instances, instance)
        return line, problem, Setting(block.tau0, block.zeta, gamma), block.horizon


def _compared(what: str, figure: str, found: ArrayLike, published: ArrayLike) -> Compared:
    a, b = np.asarray(found, dtype=np.float64), np.asarray(published, dtype=np.float64)
    if a.shape != b.shape or not b.size:
        raise InputError(
            f"{figure}: {what}: {b.size} values are published, and {a.size} are computed; "
            "the configuration is not the one that it was published with"
        )
    return Compared(what, figure, b.size, difference(a, b))


def difference(found: ArrayLike, published: ArrayLike) -> float:
    """Return the largest difference, relative to the largest value; nan stands for nothing."""
    a, b = np.asarray(found, dtype=np.float64), np.asarray(published, dtype=np.float64)
    if (np.isnan(a) != np.isnan(b)).any():
        return math.inf
    kept = ~np.isnan(b)
    largest = float(np.abs(a[kept] - b[kept]).max(initial=0))
    return largest / (float(np.abs(b[kept]).max(initial=0)) or 1.0)


SAMPLE: dict[str, Callable[[Published], Compared]] = {
    "epoch-ucb": lambda p: p.curve("fig4a_ucb_vs_greedy", "epochs", "epoch-ucb", 0),
    "epoch-greedy": lambda p: p.curve(
        "fig4b_greedy_decay", "epochs", "epoch-greedy-decayed", 3, value=1000.0
    ),
    "discount": lambda p: p.curve("fig5a_ucb_discount", "discounts", "epoch-ucb", 1, gamma=0.9),
    "baseline": lambda p: p.curve("fig6a_baselines_4x4", "baselines_4x4", "ucb", 2),
    "ucb-bound": lambda p: p.ucb_bound("fig3b_ucb_bound_discount", 2, 0.9),
    "greedy-bound": lambda p: p.greedy_bound("fig3c_greedy_bound_discount", 2, 0.9),
    "stationary": lambda p: p.stationary("fig2a_stationary"),
    "eigenvalues": lambda p: p.eigenvalues("tab1_mixing", 100),
}
"""What is computed again."""


def compare(published: Published) -> Iterator[Compared]:
    """Compute the sample again, one after the other."""
    for again in SAMPLE.values():
        yield again(published)


def report(found: Compared, tolerance: float) -> str:
    """Return a line for people."""
    word = "equal" if found.difference == 0 else f"differs by {found.difference:.1e}"
    verdict = "" if found.difference <= tolerance else f", more than {tolerance:g}"
    return f"{found.figure}: {found.what}: {found.values} values, {word}{verdict}"
