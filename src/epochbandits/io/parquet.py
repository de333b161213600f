"""Tables on disk: Parquet files with a fixed schema, a record of their origin, and a digest.

Each kind of table is a `Table`: its columns with type, unit and meaning, and the columns by which
its rows are sorted. A file carries all of that in its metadata, together with what its writer says
about it and a digest of the values. `read` gives a table back only if everything agrees: a file
that is cut short, altered by a single bit, of another kind, or made by other code or configuration
than asked for is refused by name.

Arrow's own threads are not used: tables are small, and a job may end right after writing one.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from epochbandits import limits
from epochbandits.io import files
from epochbandits.provenance.versions import lock, versions
from epochbandits.validation import InputError

__all__ = ["Column", "Stored", "Table", "about", "read", "write", "write_pieces"]

_GROUP = 2**17  # rows of a row group: what is held when a table is written in pieces
_TYPES = {"int": pa.int64(), "float": pa.float64(), "text": pa.string()}


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
    """The columns that sort and identify its rows; empty: rows stand as they were written."""

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    @property
    def schema(self) -> pa.Schema:
        return pa.schema(
            pa.field(
                c.name, _TYPES[c.type], nullable=False, metadata={"unit": c.unit, "text": c.text}
            )
            for c in self.columns
        )


class Stored(NamedTuple):
    """What was read: the columns by name, and what the writer said about them."""

    columns: dict[str, NDArray[Any]]
    about: dict[str, Any]


def write(
    path: str | os.PathLike[str],
    table: Table,
    columns: Mapping[str, Any],
    about: Mapping[str, Any],
) -> None:
    """Write a table, whole or not at all, with ``about`` (plain data) in its metadata."""
    if set(columns) != set(table.names):
        raise InputError(
            f"a {table.name} table has the columns {', '.join(table.names)}, "
            f"not {', '.join(map(str, columns))}"
        )
    arrays = [pa.array(columns[c.name], type=_TYPES[c.type]) for c in table.columns]
    content = pa.Table.from_arrays(arrays, schema=table.schema)
    if table.order and content.num_rows:
        order = pc.sort_indices(content, [(name, "ascending") for name in table.order])
        content = content.take(order)
    told = _told(table, about)
    metadata = {"about": told, "digest": _digest(content, told)}
    # Through a handle: given a path, pyarrow would remove what it failed to write, even a device.
    with files.replacing(path) as temporary, temporary.open("wb") as sink:
        pq.write_table(
            content.replace_schema_metadata(metadata),
            sink,
            row_group_size=_GROUP,
            compression="zstd",
        )


def write_pieces(
    path: str | os.PathLike[str],
    table: Table,
    pieces: Iterable[Mapping[str, Any]],
    about: Mapping[str, Any],
) -> None:
    """Write a table that comes in pieces, in the table's order; the file is that of `write`.

    No more than a group of rows is held. The digest goes column by column and stands before the
    values are known to be whole, so they wait in a file without a name that is gone with us.
    """
    told = _told(table, about)
    with (
        files.replacing(path) as temporary,
        tempfile.TemporaryFile(dir=temporary.parent) as waiting,
    ):
        with pq.ParquetWriter(waiting, table.schema, compression="lz4") as writer:
            for group in _groups(table, pieces):
                writer.write_table(group)
        with pq.ParquetFile(waiting) as source, temporary.open("wb") as sink:
            metadata = {"about": told, "digest": _digest(source, told)}
            schema = table.schema.with_metadata(metadata)
            with pq.ParquetWriter(sink, schema, compression="zstd") as writer:
                for group in range(source.num_row_groups):
                    rows = source.read_row_group(group, use_threads=False)
                    writer.write_table(rows.replace_schema_metadata(metadata))


def _groups(table: Table, pieces: Iterable[Mapping[str, Any]]) -> Iterator[pa.Table]:
    """Yield the rows of all pieces in groups of `_GROUP`, the last one smaller."""
    held = table.schema.empty_table()
    for columns in pieces:
        arrays = [pa.array(columns[c.name], type=_TYPES[c.type]) for c in table.columns]
        held = pa.concat_tables([held, pa.Table.from_arrays(arrays, schema=table.schema)])
        while held.num_rows >= _GROUP:
            yield held.slice(0, _GROUP)
            held = held.slice(_GROUP)
    if held.num_rows:
        yield held


def _told(table: Table, about: Mapping[str, Any]) -> str:
    return json.dumps(
        {"table": table.name, "versions": versions(), "lock": lock(), **about},
        sort_keys=True,
        default=_plain,
    )


def read(
    path: str | os.PathLike[str], table: Table, expected: Mapping[str, Any] | None = None
) -> Stored:
    """Read a table of the given kind, and check it.

    Parameters
    ----------
    expected : entries that the file's ``about`` must have, such as the hash of the code
    """
    content, told = _open(path)
    found = told.get("table", "unknown")
    if found != table.name or not content.schema.equals(table.schema):
        wanted = f"a {table.name} table with the columns {', '.join(table.names)}"
        raise _refused(path, f"it is not {wanted} (its kind: {found})")
    for key, value in (expected or {}).items():
        if told.get(key) != value:
            raise _refused(path, f"it was made with another {key} than this run's")
    return Stored(_columns(content), told)


def read_any(path: str | os.PathLike[str]) -> Stored:
    """Read a table of any kind; its values are checked, and its kind is for the caller to check."""
    content, told = _open(path)
    return Stored(_columns(content), told)


def about(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return what the writer of any of our tables said about it, once its values are checked."""
    return _open(path)[1]


def _open(path: str | os.PathLike[str]) -> tuple[pa.Table, dict[str, Any]]:
    """Return the content of a file and its ``about``, or refuse a damaged one."""
    if not Path(path).is_file():
        raise InputError(f"{path}: does not exist")
    try:
        with pq.ParquetFile(path) as file:
            _check_footer(path, file)
            content = file.read(use_threads=False)
        content.validate(full=True)
        metadata = {k.decode(): v.decode() for k, v in (content.schema.metadata or {}).items()}
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError) as error:
        raise _damaged(path, error) from None
    if "about" not in metadata or "digest" not in metadata:
        raise _refused(path, "it was not written by epochbandits")
    if _digest(content, metadata["about"]) != metadata["digest"]:
        raise _refused(path, "its values are not those that were written (the digest differs)")
    try:
        told = json.loads(metadata["about"])
    except (ValueError, RecursionError) as error:
        raise _damaged(path, error) from None
    if not isinstance(told, dict):
        raise _refused(path, "it was not written by epochbandits")
    return content, told


def _columns(content: pa.Table) -> dict[str, NDArray[Any]]:
    return {
        field.name: np.asarray(content[field.name].to_pylist(), dtype=object)
        if pa.types.is_string(field.type)
        else content[field.name].to_numpy()
        for field in content.schema
    }


def _check_footer(path: str | os.PathLike[str], file: pq.ParquetFile) -> None:
    """Refuse what no table of ours has, or what is too large, before any value is read."""
    kinds = {field.type for field in file.schema_arrow}
    if not kinds <= set(_TYPES.values()):
        raise _refused(path, "it was not written by epochbandits")
    footer = file.metadata
    groups = [footer.row_group(i) for i in range(footer.num_row_groups)]
    # A run-length can stand for any number of rows, a compressed page for any number of bytes.
    size = max(8 * footer.num_columns * footer.num_rows, *(0, *(g.total_byte_size for g in groups)))
    if size > limits.LARGEST_TABLE or footer.num_rows != sum(g.num_rows for g in groups):
        raise _refused(
            path,
            f"it says that it has {footer.num_rows} rows and {size} bytes, and is damaged or "
            f"larger than {limits.LARGEST_TABLE >> 30} GB",
        )


def _digest(content: pa.Table | pq.ParquetFile, told: str) -> str:
    """Return a hash of the values, column by column, and of what is said about them."""
    is_table = isinstance(content, pa.Table)
    rows = content.num_rows if is_table else content.metadata.num_rows
    digest = hashlib.sha256(told.encode())
    for field in content.schema if is_table else content.schema_arrow:
        digest.update(f"{field.name}:{field.type}:{rows}".encode())
        if is_table:
            parts = iter(content[field.name].chunks)
        else:
            batches = content.iter_batches(columns=[field.name], use_threads=False)
            parts = (batch.column(0) for batch in batches)
        if pa.types.is_integer(field.type) or pa.types.is_floating(field.type):
            for part in parts:
                digest.update(np.ascontiguousarray(part.to_numpy(zero_copy_only=False)).tobytes())
        else:  # the JSON of the whole list, part by part
            between = "["
            for part in parts:
                if len(part):
                    digest.update(
                        (between + json.dumps(part.to_pylist(), default=str)[1:-1]).encode()
                    )
                    between = ", "
            digest.update(b"]" if rows else b"[]")
    return digest.hexdigest()


def _damaged(path: str | os.PathLike[str], error: Exception) -> InputError:
    first = str(error).splitlines()[0] if str(error) else type(error).__name__
    return _refused(path, f"it is damaged or no Parquet file ({first:.120})")


def _refused(path: str | os.PathLike[str], why: str) -> InputError:
    return InputError(f"{path}: {why}; delete the file and run again to make it anew")


def _plain(value: Any) -> Any:
    """Turn NumPy's numbers into Python's, for JSON."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} is not plain data")
