"""The sets of instances of a run."""

from __future__ import annotations

from functools import cache

from epochbandits.model.instance import Instance
from epochbandits.pipeline import instance_sets
from epochbandits.planning.tasks import Run, Task
from epochbandits.provenance.code_hash import file_digest


class Instances:
    """The tasks and keys of sets of instances."""

    def __init__(self, run: Run) -> None:
        self._run = run

    @cache  # noqa: B019
    def task(self, name: str) -> Task:
        """Return the task of `pipeline.instance_sets.write_set`."""
        block = self._run.block("instances", name)
        contents = {path: file_digest(path) for path in block.get("files", ())}
        dependencies = list(contents.values())
        metadata = self._run.metadata(dependencies, "pipeline.instance_sets", instances=[name])
        return Task(block=block, metadata=metadata | ({"sources": contents} if contents else {}))

    @cache  # noqa: B019
    def first(self, name: str) -> Instance:
        """Return the first instance of a set, on which runs are checked before any job starts."""
        return instance_sets.make(self._run.block("instances", name), first_only=True)[0]

    def keys(self, names: list[str]) -> dict[str, str]:
        """Return the folders of sets, with their keys."""
        return {self._run.layout.instances(name): self.task(name).key for name in names}

    def folders(self, kind: str, name: str) -> dict[str, str]:
        """Return the folders of the sets that a block of the configuration names, with keys."""
        names = getattr(getattr(self._run.config, kind)[name], "instances", [])
        return self.keys([names] if isinstance(names, str) else names)
