"""Tables on disk: Parquet files with a fixed schema, metadata on their origin, and a checksum.

A file carries its `Table`, and in its schema's metadata two entries: ``about``, the origin of
the table as JSON, and ``digest``, a checksum of the values and of ``about``. `read` refuses, by
name, a file that is truncated, altered by a single bit or of another kind.

Arrow starts no threads here. A thread that outlives the read could release the last reference to a
Python file just as the interpreter ends: Python then ends the thread inside C++ code, which aborts
the process. Tables are small, so threads would save no time.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from epochbandits.io import files, opening
from epochbandits.io.tables import TYPES, Stored, Table
from epochbandits.provenance.versions import lock, versions
from epochbandits.validation import InputError

__all__ = ["about", "numbers", "origin", "read", "read_any", "write", "write_pieces"]

_GROUP = 2**17  # rows of a row group: the memory that writing in pieces needs
# Arrow's own allocators hold on to what they free: 60 MB in a job that writes a shard.
pa.set_memory_pool(pa.system_memory_pool())


def write(
    path: str | os.PathLike[str],
    table: Table,
    columns: Mapping[str, Any],
    about: Mapping[str, Any],
) -> None:
    """Write a table, whole or not at all, with ``about`` (plain data) as its metadata."""
    if set(columns) != set(table.names):
        raise InputError(
            f"a {table.name} table has the columns {', '.join(table.names)}, "
            f"not {', '.join(map(str, columns))}"
        )
    arrays = [pa.array(columns[c.name], type=TYPES[c.type]) for c in table.columns]
    content = pa.Table.from_arrays(arrays, schema=table.schema)
    if table.order and content.num_rows:
        import pyarrow.compute as pc  # 20 ms, which simulations, whose rows are sorted, save

        order = pc.sort_indices(content, [(name, "ascending") for name in table.order])
        content = content.take(order)
    origin = _origin(table, about)
    metadata = {"about": origin, "digest": _digest(content, origin)}
    # Through a handle: with a path, pyarrow would remove what it failed to write, even a device.
    with files.replacing(path, about.get("key")) as temporary, temporary.open("wb") as sink:
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
    """Write a table that comes in pieces, sorted; the file equals the one that `write` makes.

    Memory holds one row group. The checksum goes column by column and Parquet's schema precedes
    the rows, so the rows are first collected in an anonymous temporary file.
    """
    origin = _origin(table, about)
    with (
        files.replacing(path, about.get("key")) as temporary,
        tempfile.TemporaryFile(dir=temporary.parent) as collected,
    ):
        texts = [column.name for column in table.columns if column.type == "text"]
        with pq.ParquetWriter(
            collected, table.schema, compression="lz4", use_dictionary=texts
        ) as writer:
            for group in _groups(table, pieces):
                writer.write_table(group)
        with opening.opened(collected) as source, temporary.open("wb") as sink:
            metadata = {"about": origin, "digest": _digest(source, origin)}
            schema = table.schema.with_metadata(metadata)
            with pq.ParquetWriter(sink, schema, compression="zstd") as writer:
                for group in range(source.num_row_groups):
                    rows = source.read_row_group(group, use_threads=False)
                    writer.write_table(rows.replace_schema_metadata(metadata))
                    del rows  # before the next one is read


def _groups(table: Table, pieces: Iterable[Mapping[str, Any]]) -> Iterator[pa.Table]:
    """Yield the rows of all pieces in groups of `_GROUP`, the last one smaller."""
    schema = table.schema
    waiting: list[pa.Table] = []
    count = 0
    for columns in pieces:
        arrays = [_array(columns[c.name], c.type) for c in table.columns]
        waiting.append(pa.Table.from_arrays(arrays, schema=schema))
        count += waiting[-1].num_rows
        if count < _GROUP:  # joining them at each piece would take time quadratic in their number
            continue
        rows = pa.concat_tables(waiting)
        whole = count - count % _GROUP
        for start in range(0, whole, _GROUP):
            yield rows.slice(start, _GROUP)
        waiting, count = [rows.slice(whole)], count % _GROUP
    if count:
        yield pa.concat_tables(waiting)


def _array(values: NDArray[Any], kind: str) -> pa.Array:
    """Return values as Arrow's; ``pa.array`` would import pandas, which takes 45 MB."""
    if kind != "text":
        plain = np.ascontiguousarray(values).astype(kind, casting="safe", copy=False)
        return pa.Array.from_buffers(TYPES[kind], len(plain), [None, pa.py_buffer(plain)])
    words = [word.encode() for word in values]
    ends = np.cumsum([0, *map(len, words)], dtype=np.int32)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(words))]
    return pa.Array.from_buffers(TYPES[kind], len(words), buffers)


def _origin(table: Table, about: Mapping[str, Any]) -> str:
    return json.dumps(
        {"table": table.name, "versions": versions(), "lock": lock(), **about},
        sort_keys=True,
        default=_plain,
    )


def read(path: str | os.PathLike[str], table: Table) -> Stored:
    """Read a table of a kind; refuse a file that is missing, damaged or of another kind."""
    content, metadata = _open(path)
    opening.check_kind(path, table, content.schema, metadata)
    return Stored(_columns(content), metadata)


def read_any(path: str | os.PathLike[str]) -> Stored:
    """Read a table of any kind and check its values; the caller checks its kind."""
    content, metadata = _open(path)
    return Stored(_columns(content), metadata)


def about(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the metadata of a table of any kind, after checking its values."""
    return _open(path)[1]


def origin(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the metadata of a table without reading, or checking, its values."""
    try:
        entries = pq.read_metadata(path).metadata
    except (pa.ArrowException, OSError, ValueError) as error:
        raise opening.damaged(path, error) from None
    return opening.metadata_of(path, entries)[1]


def _open(path: str | os.PathLike[str]) -> tuple[pa.Table, dict[str, Any]]:
    """Return the content of a file and its metadata, or refuse a damaged file."""
    if not Path(path).is_file():
        raise InputError(f"{path}: does not exist")
    try:
        with opening.opened(path) as file:
            opening.check_footer(path, file)
            schema = file.schema_arrow
        texts = [field.name for field in schema if pa.types.is_string(field.type)]
        with opening.opened(path, texts) as file:
            content = file.read(use_threads=False)
        content.validate(full=True)
        opening.check_texts(path, content, texts)
        content = content.cast(schema)
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError) as error:
        raise opening.damaged(path, error) from None
    entries, metadata = opening.metadata_of(path, content.schema.metadata)
    if _digest(content, entries["about"]) != entries["digest"]:
        raise opening.refused(path, "it was changed after it was written (its checksum differs)")
    return content, metadata


def _columns(content: pa.Table) -> dict[str, NDArray[Any]]:
    return {
        field.name: np.asarray(content[field.name].to_pylist(), dtype=object)
        if pa.types.is_string(field.type)
        else content[field.name].to_numpy()
        for field in content.schema
    }


def _digest(content: pa.Table | pq.ParquetFile, origin: str) -> str:
    """Return a checksum of the values, column by column, and of the metadata."""
    is_table = isinstance(content, pa.Table)
    rows = content.num_rows if is_table else content.metadata.num_rows
    digest = hashlib.sha256(origin.encode())
    for field in content.schema if is_table else content.schema_arrow:
        digest.update(f"{field.name}:{field.type}:{rows}".encode())
        if is_table:
            parts = iter(content[field.name].chunks)
        else:
            batches = content.iter_batches(columns=[field.name], use_threads=False)
            parts = (batch.column(0) for batch in batches)
        if pa.types.is_integer(field.type) or pa.types.is_floating(field.type):
            for part in parts:
                digest.update(numbers(part).tobytes())
        else:  # as the JSON of the whole list, computed part by part
            separator = "["
            for part in parts:
                if len(part):
                    digest.update(
                        (separator + json.dumps(part.to_pylist(), default=str)[1:-1]).encode()
                    )
                    separator = ", "
            digest.update(b"]" if rows else b"[]")
    return digest.hexdigest()


def numbers(part: pa.Array) -> NDArray[Any]:
    """Return the numbers of an array; ``to_numpy`` does the same and imports pandas."""
    if part.null_count or not len(part):
        return np.asarray(part.to_pylist(), dtype=np.float64)
    kind = np.int64 if pa.types.is_integer(part.type) else np.float64
    start = part.offset * np.dtype(kind).itemsize
    return np.frombuffer(part.buffers()[1], kind, len(part), start)


def _plain(value: Any) -> Any:
    """Convert NumPy's numbers to Python's, for JSON."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} is not plain data")
