"""The runs of an experiment, one group at a time.

A group is what the seeds of one cell on one instance have in common (`schemas.GROUP`); a shard
holds some seeds of many groups. Each shard is read once, column by column, and its numbers go to a
temporary file, where the seeds of a group are read by position. So memory holds one column
of one group, and the disk 72 bytes for each row of the shards.
"""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from epochbandits.io.parquet import run_starts, scan
from epochbandits.io.schemas import GROUP, REGRETS, SHARD
from epochbandits.validation import InputError

_TYPES = {column.name: column.type for column in SHARD.columns}
_STORED = ("seed", "epoch", "iteration", "arm", *(c.name for c in REGRETS))
_BYTES = 8  # of each stored number


class _Part(NamedTuple):
    """Rows of a shard in the temporary file."""

    offsets: Mapping[str, int]
    """The byte at which each column of the shard begins."""
    start: int
    stop: int


class _Runs(NamedTuple):
    """Which runs the rows of a group belong to."""

    seeds: NDArray[np.int64]
    epochs: NDArray[np.int64]
    order: NDArray[np.int64] | None
    """Positions of the runs by ascending seed; None if they are sorted already."""


class Group:
    """The runs of one cell on one instance, as stored in the temporary file."""

    def __init__(self, key: Mapping[str, Any], file: IO[bytes]) -> None:
        self.key = dict(key)
        self._file = file
        self._parts: list[_Part] = []

    def add(self, part: _Part) -> None:
        """Add rows of a shard."""
        self._parts.append(part)

    def forget(self) -> None:
        """Free the memory of seeds and epochs; they are read again when they are needed."""
        self.__dict__.pop("runs", None)

    @cached_property
    def runs(self) -> _Runs:
        """Seeds and recorded epochs; all runs must have the same epochs."""
        seeds, epochs = self._read("seed"), self._read("epoch")
        starts = run_starts(seeds)
        length = len(seeds) // len(starts)
        if (
            (starts != length * np.arange(len(starts))).any()
            or len(seeds) != length * len(starts)
            or (epochs.reshape(-1, length) != epochs[:length]).any()
        ):
            raise InputError(f"the runs of {self.key['policy']!r} do not share one grid of epochs")
        seeds = seeds[starts]
        order = np.argsort(seeds)
        in_order = seeds[order]
        if (in_order[1:] == in_order[:-1]).any():
            raise InputError("two shards have the same seed of the same instance")
        is_sorted = bool((seeds == in_order).all())
        return _Runs(in_order, epochs[:length].copy(), None if is_sorted else order)

    def column(self, name: str) -> NDArray[Any]:
        """Return a (seeds, epochs) array of a column, by ascending seed."""
        values = self._read(name).reshape(-1, len(self.runs.epochs))
        return values if self.runs.order is None else values[self.runs.order]

    def _read(self, name: str) -> NDArray[Any]:
        """Return a column in the order of the shards."""
        values = np.empty(sum(stop - start for _, start, stop in self._parts), _TYPES[name])
        row = 0
        for offsets, start, stop in self._parts:
            self._file.seek(offsets[name] + _BYTES * start)
            self._file.readinto(values[row : row + stop - start])  # type: ignore[attr-defined]
            row += stop - start
        return values


@contextmanager
def read_groups(
    shards: Sequence[str], expected: Mapping[str, Any], folder: str | Path
) -> Iterator[list[Group]]:
    """Read shards, whose metadata must have the expected entries, and yield the groups in order.

    The temporary file is in ``folder`` and has no name: a crash leaves nothing behind.
    """
    if not shards:
        raise InputError("there are no shards to read")
    groups: dict[tuple[Any, ...], Group] = {}
    Path(folder).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryFile(dir=folder) as file:
        for path in shards:
            for part, key in _collect(path, expected, file):
                groups.setdefault(_sortable(key), Group(key, file)).add(part)
        yield [groups[key] for key in sorted(groups)]


def _collect(
    path: str, expected: Mapping[str, Any], file: IO[bytes]
) -> Iterator[tuple[_Part, dict[str, Any]]]:
    """Copy the numbers of a shard to the file; yield the rows of each group with its key."""
    offsets: dict[str, int] = {}
    rows = dict.fromkeys(GROUP, 0)
    changes: dict[str, dict[int, Any]] = {name: {} for name in GROUP}
    file.seek(0, os.SEEK_END)
    for name, values in scan(path, SHARD, expected):
        if name in GROUP:
            starts = run_starts(values)
            changes[name].update(
                zip((starts + rows[name]).tolist(), values[starts].tolist(), strict=True)
            )
            rows[name] += len(values)
        elif name in _STORED:
            offsets.setdefault(name, file.tell())
            file.write(values.data)
    key: dict[str, Any] = {}
    starts_at = sorted({row for column in changes.values() for row in column})
    for start, stop in pairwise([*starts_at, rows[GROUP[0]]]):
        key |= {name: column[start] for name, column in changes.items() if start in column}
        yield _Part(offsets, start, stop), key


def _sortable(key: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return a key's values in a form that sorts, with nan last."""
    return tuple(
        (math.isnan(value), 0.0 if math.isnan(value) else value)
        if isinstance(value, float)
        else value
        for value in key.values()
    )
