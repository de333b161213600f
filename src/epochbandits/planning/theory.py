"""The tables of a run that need no experiment: bounds, eigenvalues and inequalities."""

from __future__ import annotations

from epochbandits.planning.instances import Instances
from epochbandits.planning.tasks import Run, Task

KINDS = ("bounds", "eigenvalues", "inequalities")
"""Keys of the configuration, folders of the tables, and modules of `pipeline`."""


class Theory:
    """The tasks of the tables."""

    def __init__(self, run: Run, instances: Instances) -> None:
        self._run, self._instances = run, instances

    def task(self, kind: str, name: str) -> Task:
        """Return the task of ``write_bounds``, ``write_eigenvalues`` or ``write_inequalities``."""
        task = Task(block=self._run.block(kind, name))
        sets = self._instances.folders(kind, name)
        if sets:  # eigenvalues need none
            task["inputs"] = sets
        if kind == "inequalities":  # some are simulated
            task["root"] = self._run.config.root
        keys = list(sets.values())
        task["metadata"] = self._run.metadata(keys, f"pipeline.{kind}", **{kind: [name]})
        return task
