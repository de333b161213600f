"""The task of a job, and what the tasks of all stages share.

Tasks are plain data: Snakemake reruns a job when its task changes, and a task holds the hash of the
code that its result depends on. A task's metadata has the key of its result, and ``inputs`` the
keys that its inputs must have (`pipeline.results`).

Rules ask for tasks in each of thousands of jobs, and Snakemake asks twice. So most are cached; the
caches keep a plan in memory as long as its process lives.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from epochbandits.config.models import Config
from epochbandits.pipeline.layout import Layout
from epochbandits.provenance.code_hash import code_hash, digest


class Task(dict[str, Any]):
    """Plain data whose ``repr`` is a hash of each part.

    Snakemake reruns a job when the ``repr`` of its parameters changes, and prints both as the
    reason: with hashes that is one line, which shows what part has changed.
    """

    @property
    def key(self) -> str:
        """The key of the job's result, which all tasks but a page's have in their metadata."""
        return str(self.get("metadata", self)["key"])

    def __repr__(self) -> str:
        parts = {key: value for key, value in self.items() if key != "metadata"}
        metadata = self.get("metadata")
        parts |= metadata if isinstance(metadata, dict) else {}
        return " ".join(f"{key}:{digest(value)[:8]}" for key, value in sorted(parts.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)  # a script gets a plain mapping, and need not import this


class Run:
    """Configuration, paths and code of a run."""

    def __init__(self, config: Config) -> None:
        self.config = config
        self.layout = Layout(config.run)
        self.code_hash = cache(code_hash)  # for each plan: code may be edited between two plans

    @cache  # noqa: B019
    def block(self, kind: str, name: str) -> dict[str, Any]:
        """Return a block of the configuration as plain data, without the size of its jobs.

        The size of jobs is a matter of scheduling: no result depends on it.
        """
        block = getattr(self.config, kind)[name]
        return dict(block.model_dump(mode="json", by_alias=True, exclude={"seeds_per_job"}))

    def metadata(
        self, dependencies: list[Any], *modules: str, **blocks: list[str]
    ) -> dict[str, Any]:
        """Return the origin of a result: blocks of the configuration, root seed, code, and key.

        The key is a hash of these and of other ``dependencies``, such as the keys of its inputs.
        The name of the run is not part of it.
        """
        configuration = {
            kind: {name: self.block(kind, name) for name in names} for kind, names in blocks.items()
        }
        code = self.code_hash(*(f"epochbandits.{module}" for module in modules))
        return {
            "configuration": {"run": self.config.run, **configuration},
            "root": self.config.root,
            "code": code,
            "key": digest([configuration, self.config.root, code, dependencies]),
        }
