"""The parameters of a job, which Snakemake records and compares by their text."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

from epochbandits.provenance.code_hash import digest

__all__ = ["Task", "task"]

P = ParamSpec("P")


class Task(dict[str, Any]):
    """Plain data whose text is a hash of each part.

    Snakemake reruns a job when the text of its parameters changes, and prints both texts as the
    reason: with hashes that is one line, which shows what part has changed.
    """

    def __repr__(self) -> str:
        parts = {key: value for key, value in self.items() if key != "metadata"}
        metadata = self.get("metadata")
        parts |= metadata if isinstance(metadata, dict) else {}
        return " ".join(f"{key}:{digest(value)[:8]}" for key, value in sorted(parts.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)  # a script gets a plain mapping, and need not import this


def task(method: Callable[P, dict[str, Any]]) -> Callable[P, Task]:
    """Make a method return a `Task`."""

    @wraps(method)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> Task:
        return Task(method(*args, **kwargs))

    return wrapped
