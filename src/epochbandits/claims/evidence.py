"""Evidence: the rows of a run's tables that a condition takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from epochbandits.claims.conditions import (
    AnyCondition,
    BoundAt,
    Condition,
    Inequality,
    InstancesOf,
    Matrices,
)
from epochbandits.io import parquet
from epochbandits.io.schemas import BOUNDS, EIGENVALUES, FINALS, INEQUALITIES
from epochbandits.model.instance import Instance
from epochbandits.model.setting import Setting
from epochbandits.pipeline import instance_sets
from epochbandits.pipeline.layout import Layout
from epochbandits.validation import InputError

if TYPE_CHECKING:
    import pandas as pd

Array = NDArray[np.float64]

_KINDS = {
    "finals": FINALS,
    "bounds": BOUNDS,
    "eigenvalues": EIGENVALUES,
    "inequalities": INEQUALITIES,
}


class Evidence:
    """A run's tables, each read once, when it is first needed.

    Parameters
    ----------
    layout : Layout
        Where the run's tables are.
    config : Mapping[str, Any]
        The run's configuration as plain data, with the keys of the YAML file.
    instances : Callable[[str], list[Instance]] | None
        Returns the instances of a set; by default they are read from the run's folder.
    """

    def __init__(
        self,
        layout: Layout,
        config: Mapping[str, Any],
        instances: Callable[[str], list[Instance]] | None = None,
    ) -> None:
        self.layout = layout
        self.config = config
        self._table = cache(self._read)
        self._instances = cache(
            instances or (lambda name: instance_sets.read(layout.instances(name)))
        )

    def _read(self, kind: str, name: str) -> pd.DataFrame:
        import pandas as pd  # not needed to list the claims when a configuration is checked

        layout = self.layout
        path = layout.finals(name) if kind == "finals" else layout.theory(kind, name)
        return pd.DataFrame(parquet.read(path, _KINDS[kind]).columns)

    def _rows(self, kind: str, name: str, condition: AnyCondition, *fields: str) -> pd.DataFrame:
        """Return the rows of a table with the values of a condition's fields; None: any value."""
        table = self._table(kind, name)
        for field in fields:
            value = getattr(condition, field)
            if value is not None:
                table = table[table[field] == value]
        return table

    def finals(self, condition: Condition) -> pd.DataFrame:
        """Return the final values of a condition's runs, by instance and seed."""
        fields = ("policy", "sampling", "gamma", "instances", "value")
        table = self._rows("finals", condition.experiment, condition, *fields)
        if condition.epsilon is not None:
            epsilons = self.config["instances"][condition.instances]["epsilon"]
            indices = np.flatnonzero(np.equal(epsilons, condition.epsilon))
            table = table[table["instance"].isin(indices)]
        return _not_empty(table, condition).sort_values(["instances", "instance", "seed"])

    def by_instance(self, condition: Condition, *columns: str) -> Array:
        """Return final values as an (instances, seeds, columns) array."""
        rows = self.finals(condition)
        count = rows.groupby(["instances", "instance"]).ngroups
        values = rows[list(columns)].to_numpy(dtype=np.float64)
        return np.asarray(values.reshape(count, -1, len(columns)))

    def instances(self, condition: Condition) -> list[Instance]:
        """Return the instances of a condition's runs, in the order of `by_instance`."""
        keys = self.finals(condition)[["instances", "instance"]].drop_duplicates()
        return [self._instances(name)[index] for name, index in keys.itertuples(index=False)]

    def members(self, condition: InstancesOf) -> list[Instance]:
        """Return the instances of a set."""
        return list(self._instances(condition.instances))

    def setting(self, condition: Condition) -> Setting:
        """Return τ0, ζ and γ of a condition's runs."""
        block = self.config["experiments"][condition.experiment]
        return Setting(block["tau0"], block["zeta"], condition.gamma)

    def bound(self, condition: BoundAt) -> Array:
        """Return a bound for each instance, at the grid's last n up to the condition's n.

        The grid is rounded to whole epochs and need not contain n.
        """
        fields = ("algorithm", "variant", "form", "gamma")
        table = self._rows("bounds", condition.table, condition, *fields)
        table = table[table["epoch"] <= condition.n]
        last = _not_empty(table, condition).sort_values("epoch").groupby("instance").last()
        return np.asarray(last["bound"], dtype=np.float64)

    def eigenvalues(self, condition: Matrices) -> Array:
        """Return the condition's column for each random matrix."""
        rows = _not_empty(self._rows("eigenvalues", condition.table, condition, "law"), condition)
        return np.asarray(rows[condition.column], dtype=np.float64)

    def inequality(self, condition: Inequality) -> pd.DataFrame:
        """Return the cases of an inequality."""
        fields = ("name", "instances", "sampling")
        table = self._rows("inequalities", condition.table, condition, *fields)
        if condition.gammas:
            table = table[table["gamma"].isin(condition.gammas)]
        return _not_empty(table, condition)


def _not_empty(rows: pd.DataFrame, condition: AnyCondition) -> pd.DataFrame:
    if rows.empty:
        raise InputError(f"the run's tables have no rows for the claims' condition {condition}")
    return rows
