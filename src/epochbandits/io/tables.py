"""Kinds of tables: their columns, with type, unit and meaning, and what sorts their rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

TYPES = {"int": pa.int64(), "float": pa.float64(), "text": pa.string()}


class Column(NamedTuple):
    """A column: its type ("int", "float" or "text"), its unit and its meaning."""

    name: str
    type: str
    unit: str
    text: str


class Table(NamedTuple):
    """A kind of table."""

    name: str
    columns: tuple[Column, ...]
    order: tuple[str, ...]
    """The columns that sort and identify its rows; if empty, rows keep the order of writing."""

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    @property
    def schema(self) -> pa.Schema:
        return pa.schema(
            pa.field(
                c.name, TYPES[c.type], nullable=False, metadata={"unit": c.unit, "text": c.text}
            )
            for c in self.columns
        )


class Stored(NamedTuple):
    """A table in memory: its columns by name, and its metadata."""

    columns: dict[str, NDArray[Any]]
    about: dict[str, Any]


def constant_columns(values: Mapping[str, Any], rows: int) -> dict[str, NDArray[Any]]:
    """Return a column for each name, with the same value in all rows."""
    return {
        name: np.full(rows, value, dtype=object if isinstance(value, str) else type(value))
        for name, value in values.items()
    }
