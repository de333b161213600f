"""Samples for the claims, taken from a run's tables.

Unless a function says otherwise a sample has one value per instance, averaged over its seeds:
instances are the binding sample.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from epochbandits.claims.rules import Sample
from epochbandits.io import parquet
from epochbandits.io.schemas import BOUNDS, CURVES, EIGENVALUES, FINALS, INEQUALITIES
from epochbandits.model.setting import Setting
from epochbandits.pipeline import instance_sets
from epochbandits.theory import greedy, ucb
from epochbandits.validation import InputError

__all__ = ["Evidence", "Runs"]

Array = NDArray[np.float64]


class Runs:
    """The runs of one policy under one condition."""

    def __init__(self, finals: pd.DataFrame) -> None:
        if finals.empty:
            raise InputError("there are no runs under a claim's condition")
        self.finals = finals

    def mean(self, column: str = "expected_regret") -> Sample:
        """Return a column's final value for each instance."""
        return Sample.of(lambda own: own[..., 0], self.part(column))

    def per_run(self, column: str) -> Sample:
        """Return a column's final value for each run."""
        return Sample(self.finals[column].to_numpy(dtype=float), len(self.finals))

    def ratio(self, other: Runs, column: str = "expected_regret") -> Sample:
        """Return final values over another policy's on the same instances."""
        parts = self.part(column), other.part(column)
        return Sample.of(lambda own, others: own[..., 0] / others[..., 0], *parts)

    def difference(self, other: Runs, column: str) -> Sample:
        """Return final values minus another policy's on the same instances."""
        parts = self.part(column), other.part(column)
        return Sample.of(lambda own, others: own[..., 0] - others[..., 0], *parts)

    def doubling(self) -> Sample:
        """Return R(n)/R(n/2) for each instance: near 2 for a line, near 1 for a logarithm."""
        part = self.part("expected_regret", "half_regret")
        return Sample.of(lambda own: own[..., 0] / own[..., 1], part)

    def doubling_per_run(self) -> Sample:
        """Return R(n)/R(n/2) for each run."""
        runs = self.finals
        return Sample((runs["expected_regret"] / runs["half_regret"]).to_numpy(), len(runs))

    def found_best(self) -> Sample:
        """Return 1 minus the mean gap of later plays over Δ_min: 1 is the best arm throughout."""
        return Sample.of(lambda own: 1 - own[..., 0], self.part("late_gap"))

    def found_best_per_run(self) -> Sample:
        """Return the same for each run."""
        return Sample(1 - self.finals["late_gap"].to_numpy(dtype=float), len(self.finals))

    def part(self, *columns: str) -> Array:
        """Return columns' final values as an (instances, seeds, columns) array."""
        ordered = self.finals.sort_values(["instances", "instance", "seed"])
        values = ordered[list(columns)].to_numpy(dtype=np.float64)
        return np.asarray(values.reshape(len(self.instances()), -1, len(columns)))

    def margins(self, column: str = "expected_regret") -> Array:
        """Return the half-width of each instance's 95% t-interval over its seeds."""
        grouped = self.finals.groupby(["instances", "instance"], sort=True)[column]
        size = grouped.size().to_numpy()
        reach = stats.t.ppf(0.975, np.maximum(size - 1, 1)) * grouped.std().to_numpy()
        return np.asarray(np.where(size > 1, reach / np.sqrt(size), np.inf))

    def instances(self) -> list[tuple[str, int]]:
        """Return the instances, in the order of the samples' values."""
        grouped = self.finals.groupby(["instances", "instance"], sort=True)
        return [(str(name), int(index)) for name, index in grouped.groups]


class Evidence:
    """A run's tables, read when they are first asked for."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._table = cache(self._read)
        self._instances = cache(lambda name: instance_sets.read(self.folder / "instances" / name))

    def _read(self, name: str) -> pd.DataFrame:
        kinds = {"curves": CURVES, "finals": FINALS, "bounds": BOUNDS,
                 "eigenvalues": EIGENVALUES, "inequalities": INEQUALITIES}  # fmt: skip
        path = self.folder / f"{name}.parquet"
        kind = path.stem if path.stem in kinds else path.parent.name
        return pd.DataFrame(parquet.read(path, kinds[kind]).columns)

    def runs(
        self,
        experiment: str,
        policy: str,
        *,
        instances: str | None = None,
        sampling: str = "marginal",
        gamma: float = 1.0,
        value: float | None = None,
        instance: int | None = None,
    ) -> Runs:
        """Return the runs of a policy; ``value`` of a sweep, one ``instance`` of the set."""
        table = self._table(f"aggregates/{experiment}/finals")
        chosen = (
            (table["policy"] == policy)
            & (table["sampling"] == sampling)
            & np.isclose(table["gamma"], gamma)
        )
        if instances is not None:
            chosen &= table["instances"] == instances
        if value is not None:
            chosen &= np.isclose(table["value"], value)
        if instance is not None:
            chosen &= table["instance"] == instance
        return Runs(table[chosen])

    def bound(
        self,
        name: str,
        algorithm: str,
        *,
        at: float,
        gamma: float = 1.0,
        variant: str = "paper",
        form: str = "",
    ) -> Array:
        """Return a bound for each instance at the grid's last n that is not above ``at``."""
        table = self._table(f"bounds/{name}")
        table = table[
            (table["algorithm"] == algorithm)
            & (table["variant"] == variant)
            & (table["form"] == form)
            & np.isclose(table["gamma"], gamma)
            & (table["epoch"] <= at)
        ]
        last = table.sort_values("epoch").groupby("instance").last()
        return np.asarray(last["bound"], dtype=np.float64)

    def over_bound(self, which: str, experiment: str, policy: str, **where: Any) -> Sample:
        """Return measured regret over its bound for each instance, with the seeds' margins.

        ``which`` is "gap-dependent", "gap-independent" (both EpochUCB's) or "greedy".
        """
        runs = self.runs(experiment, policy, **where)
        about = parquet.about(self.folder / f"aggregates/{experiment}/finals.parquet")
        block = about["configuration"]["experiments"][experiment]
        setting = Setting(block["tau0"], block["zeta"], where.get("gamma", 1.0))
        n = int(runs.finals["epoch"].max())
        bounds = []
        for name, index in runs.instances():
            instance = self._instances(name)[index]
            if which == "greedy":
                found = greedy.best_constants(n, instance, setting)
                bounds.append(float(greedy.regret_bound(n, instance, setting, found)))
            elif which == "gap-dependent":
                bounds.append(float(ucb.regret_bound(n, instance, setting)))
            else:
                bounds.append(float(ucb.gap_independent_bound(n, instance, setting)))
        bound = np.array(bounds)
        return Sample(runs.mean().values / bound, len(runs.finals), runs.margins() / bound)

    def eigenvalues(self, law: str, column: str) -> Sample:
        """Return the eigenvalues of all matrices of a law."""
        table = self._table("eigenvalues/mixing")
        return Sample(table.loc[table["law"] == law, column].to_numpy(dtype=float), 0)

    def inequality(self, name: str) -> Sample:
        """Return left/right of every case of an inequality, with the left sides' own margins."""
        table = self._table("inequalities/theory")
        table = table[table["name"] == name]
        runs = int(table.groupby(["instances", "instance", "gamma"])["runs"].max().sum())
        right = table["right"].to_numpy()
        return Sample(
            (table["left"] / right).to_numpy(), runs, (table["margin"] / right).to_numpy()
        )
