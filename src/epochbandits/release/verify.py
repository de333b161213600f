"""Comparison of the published results with what this machine computes: ``epochbandits verify``.

A sample of the numbers behind the published figures is recomputed from the configuration
alone: instances, runs of epoch algorithms and of a baseline, bounds, stationary distributions,
eigenvalues. The verdicts are recomputed from the published tables (`release.verdicts`), and
`compare_all` compares every published table with a complete run. On the machine and with the lock
file that published them every difference is zero. Elsewhere another C library or processor may
round a logarithm, a power or a sum differently in the last bit; `TOLERANCE` is ten times the
largest difference that this was measured to cause (docs/method.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from epochbandits.config import load_files
from epochbandits.io import parquet
from epochbandits.model.instance import Instance
from epochbandits.model.setting import Setting
from epochbandits.pipeline import instance_sets, results
from epochbandits.pipeline.eigenvalues import eigenvalue_table
from epochbandits.pipeline.layout import FigureFolder
from epochbandits.planning.plan import Plan
from epochbandits.release.manifest import check_manifest
from epochbandits.theory import greedy, ucb
from epochbandits.validation import InputError

TOLERANCE = 1e-12
"""Largest difference, relative to the largest value of a line, that counts as rounding."""


class Compared(NamedTuple):
    """A published result that was recomputed, and how much it differs."""

    what: str
    figure: str
    values: int
    difference: float
    """The largest difference, relative to the largest of the values."""


class Published:
    """The published numbers, and the configuration that gave them."""

    def __init__(self, folder: str | Path, config: str | Path) -> None:
        self.folder = Path(folder)
        if not Path(FigureFolder(folder).data).is_dir():
            raise InputError(
                f"{folder}: has no published figures; it must contain the folder data/"
            )
        self.manifest = check_manifest(self.folder)
        self.plan = Plan(load_files([Path(config)]))
        self._tables: dict[str, pd.DataFrame] = {}

    def table(self, figure: str) -> pd.DataFrame:
        """Return the table behind a published figure."""
        if figure not in self._tables:
            path = Path(FigureFolder(self.folder).plotted(figure))
            columns, metadata = parquet.read_any(path)
            if metadata.get("table") != f"figure {figure}":
                raise InputError(f"{path}: is not the table of {figure}")
            self._tables[figure] = pd.DataFrame(columns)
        return self._tables[figure]

    def instance(self, name: str, index: int) -> Instance:
        """Generate the instances of a set, and return one of them."""
        return instance_sets.make(self.plan.run.block("instances", name))[index]

    # --- recomputed results ---------------------------------------------------------------------

    def curve(
        self, figure: str, experiment: str, policy: str, instance: int,
        gamma: float = 1.0, value: float = math.nan,
    ) -> Compared:  # fmt: skip
        """Run all seeds of one instance, and compare with the figure's line, point by point."""
        line = self._line(figure, policy=policy, instance=instance, gamma=gamma, value=value)
        block = self.plan.config.experiments[experiment]
        problem = self.instance(block.instances[0], instance)
        grid = self.plan.grids.of(experiment, policy)
        columns = grid.simulation(problem, "marginal", gamma, value).columns(range(block.seeds))
        epochs = columns["epoch"].reshape(block.seeds, -1)[0]
        shown = np.flatnonzero(np.isin(epochs, line["epoch"]))
        # The mean as the pipeline takes it: floating-point sums depend on their order.
        regret = columns["expected_regret"].reshape(block.seeds, -1)[:, shown].mean(axis=0)
        return _compared(f"{policy}, γ = {gamma:g}", figure, regret, line["expected_regret"])

    def ucb_bound(self, figure: str, instance: int, gamma: float) -> Compared:
        """Compute EpochUCB's bound on the figure's grid."""
        line, problem, setting, _ = self._bound(figure, instance, gamma, "epoch-ucb", "")
        bound = ucb.regret_bound(line["epoch"].to_numpy(), problem, setting)
        return _compared(f"EpochUCB's bound, γ = {gamma:g}", figure, bound, line["bound"])

    def greedy_bound(self, figure: str, instance: int, gamma: float) -> Compared:
        """Search for EpochGreedy's constants, and compute its bound on the figure's grid."""
        line, problem, setting, horizon = self._bound(
            figure, instance, gamma, "epoch-greedy", "corrected"
        )
        constants = greedy.best_constants(horizon, problem, setting)
        bound = greedy.regret_bound(line["epoch"].to_numpy(), problem, setting, constants)
        published = np.append(line["bound"], line["c"].iloc[0])
        what = f"EpochGreedy's bound and c, γ = {gamma:g}"
        return _compared(what, figure, np.append(bound, constants.c), published)

    def stationary(self, figure: str) -> Compared:
        """Generate the figure's instance; compute stationary distributions and mean rewards."""
        problem = self.instance(self.plan.config.figures[figure].source[0], 0)
        data = self.table(figure)
        computed = np.append(problem.pi.ravel(), problem.reward_means.ravel())
        published = np.append(data["stationary"], data["mean_reward"])
        what = "stationary distributions and mean rewards"
        return _compared(what, figure, computed, published)

    def eigenvalues(self, figure: str, count: int) -> Compared:
        """Draw the first ``count`` matrices of each law."""
        block = self.plan.config.eigenvalues[self.plan.config.figures[figure].source[0]]
        data = self.table(figure).sort_values("index")
        first = [data.loc[data["law"] == law, "lambda2"].to_numpy()[:count] for law in block.laws]
        computed = eigenvalue_table(block.laws, count, block.states, block.seed)["lambda2"]
        return _compared("eigenvalues", figure, computed, np.concatenate(first))

    # --- rows of the published tables -----------------------------------------------------------

    def _line(self, figure: str, **values: Any) -> pd.DataFrame:
        """Return the rows of one instance's line; columns that the figure lacks are ignored."""
        data = self.table(figure)
        rows = data["line"] == "instance"
        for column, value in values.items():
            if column in data:
                rows &= data[column].isna() if value != value else data[column] == value
        return data[rows].sort_values("epoch")

    def _bound(
        self, figure: str, instance: int, gamma: float, algorithm: str, form: str
    ) -> tuple[pd.DataFrame, Instance, Setting, int]:
        block = self.plan.config.bounds[self.plan.config.figures[figure].source[0]]
        line = self._line(
            figure, instance=instance, gamma=gamma, algorithm=algorithm, form=form, variant="paper"
        )
        problem = self.instance(block.instances, instance)
        return line, problem, Setting(block.tau0, block.zeta, gamma), block.horizon


def _compared(what: str, figure: str, computed: ArrayLike, published: ArrayLike) -> Compared:
    a, b = np.asarray(computed, dtype=np.float64), np.asarray(published, dtype=np.float64)
    if a.shape != b.shape or not b.size:
        raise InputError(
            f"{figure}: {what}: {b.size} values are published, but {a.size} are computed; "
            "the figure was published with another configuration"
        )
    return Compared(what, figure, b.size, difference(a, b))


def difference(computed: ArrayLike, published: ArrayLike) -> float:
    """Return the largest difference, relative to the largest value; nan equals only nan."""
    a, b = np.asarray(computed, dtype=np.float64), np.asarray(published, dtype=np.float64)
    if (np.isnan(a) != np.isnan(b)).any():
        return math.inf
    present = ~np.isnan(b)
    largest = float(np.abs(a[present] - b[present]).max(initial=0))
    return largest / (float(np.abs(b[present]).max(initial=0)) or 1.0)


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
"""The recomputed results, by name."""


def compare(published: Published) -> Iterator[Compared]:
    """Yield the comparisons of the sample, each as soon as it is computed."""
    for comparison in SAMPLE.values():
        yield comparison(published)


def compare_all(published: Published, captions: str) -> Iterator[Compared]:
    """Yield the comparison of each published table with that of the complete run on this machine.

    ``captions`` has the templates of the captions: the run must be one of the current
    configuration and code (`results.accept`).
    """
    plan, figures = published.plan, published.plan.layout.figures
    keys = plan.keys(captions)
    for name in plan.config.figures:
        path = figures.plotted(name)
        _require(figures.sidecar(name), keys)
        yield _compare_tables(
            f"all of {name}", name, path, FigureFolder(published.folder).plotted(name)
        )
    for path in plan.verdict_tables:
        _require(path, keys)
        yield _compare_tables("table of the verdicts", path, path, str(published.folder / path))


def _require(path: str, keys: Mapping[str, str]) -> None:
    if not Path(path).exists():
        raise InputError(f"{path}: does not exist; --all needs a complete run: 'make figures'")
    results.accept({path: keys[path]})


def _compare_tables(what: str, name: str, computed: str, published: str) -> Compared:
    """Compare all numbers of two tables; other columns must be equal."""
    ours, theirs = (parquet.read_any(path).columns for path in (computed, published))
    largest, values = 0.0, 0
    if list(ours) != list(theirs):
        return Compared(what, name, 0, math.inf)
    for column, numbers in theirs.items():
        values += len(numbers)
        if len(ours[column]) != len(numbers):
            return Compared(what, name, values, math.inf)
        if numbers.dtype.kind == "f":
            largest = max(largest, difference(ours[column], numbers))
        elif (ours[column] != numbers).any():
            largest = math.inf
    return Compared(what, name, values, largest)


def report(compared: Compared, tolerance: float) -> str:
    """Return a comparison as a line of text."""
    word = "equal" if compared.difference == 0 else f"differs by {compared.difference:.1e}"
    excess = "" if compared.difference <= tolerance else f", more than {tolerance:g}"
    return f"{compared.figure}: {compared.what}: {compared.values} values, {word}{excess}"
