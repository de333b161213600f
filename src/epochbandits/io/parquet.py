"""Tables on disk: Parquet files with a fixed schema, metadata on their origin, and a checksum.

A file has the schema of its `Table`, with two entries in its metadata: ``about``, the origin of
the table as JSON, and ``digest``, a checksum of the values and of ``about``. `read` holds a whole
table in memory, `scan` one batch; both reject a file that is truncated, altered by a single bit or
of another kind.

Arrow starts no threads here. A thread that outlives the read could release the last reference to a
Python file just as the interpreter exits: Python then ends the thread inside C++ code, which aborts
the process. Tables are small, so threads would save no time.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from epochbandits import limits
from epochbandits.io import files, opening
from epochbandits.io.tables import TYPES, Stored, Table
from epochbandits.provenance.versions import lock, versions
from epochbandits.validation import InputError

_GROUP = 2**17  # rows in a row group; writing in pieces holds one in memory
# Arrow's own allocators hold on to what they free: 60 MB in a job that writes a shard.
pa.set_memory_pool(pa.system_memory_pool())


def write(
    path: str | os.PathLike[str],
    table: Table,
    columns: Mapping[str, Any],
    about: Mapping[str, Any],
) -> None:
    """Write a table atomically, with ``about`` (plain data) as its metadata."""
    if set(columns) != set(table.names):
        raise InputError(
            f"a {table.name} table has the columns {', '.join(table.names)}, "
            f"not {', '.join(map(str, columns))}"
        )
    arrays = [pa.array(columns[c.name], type=TYPES[c.type]) for c in table.columns]
    if nulls := [
        c.name for c, array in zip(table.columns, arrays, strict=True) if array.null_count
    ]:
        raise InputError(f"a {table.name} table must not have missing values: {', '.join(nulls)}")
    content = pa.Table.from_arrays(arrays, schema=table.schema)
    if table.order and content.num_rows:
        import pyarrow.compute as pc  # 20 ms; simulations have sorted rows and skip it

        order = pc.sort_indices(content, [(name, "ascending") for name in table.order])
        content = content.take(order)
    _write(path, table, [content], about)


def write_pieces(
    path: str | os.PathLike[str],
    table: Table,
    pieces: Iterable[Mapping[str, Any]],
    about: Mapping[str, Any],
) -> None:
    """Write a table from sorted pieces, with one row group in memory."""
    schema = table.schema
    arrays = ([_array(piece[c.name], c.type) for c in table.columns] for piece in pieces)
    _write(path, table, (pa.Table.from_arrays(columns, schema=schema) for columns in arrays), about)


def _write(
    path: str | os.PathLike[str],
    table: Table,
    pieces: Iterable[pa.Table],
    about: Mapping[str, Any],
) -> None:
    """Write pieces of a table.

    The checksum goes column by column and Parquet's schema precedes the rows, so the rows are first
    collected in an anonymous temporary file.
    """
    origin = json.dumps(
        {"table": table.name, "versions": versions(), "lock": lock(), **about},
        sort_keys=True,
        default=_plain,
    )
    texts = _texts(table.schema)
    with (
        files.replacing(path, about.get("key")) as temporary,
        # Beside the table, where there is room for it; a device or pipe has no such folder.
        tempfile.TemporaryFile(dir=temporary.parent if temporary.is_file() else None) as collected,
    ):
        with pq.ParquetWriter(
            collected, table.schema, compression="lz4", use_dictionary=texts
        ) as writer:
            for group in _groups(pieces):
                writer.write_table(group)
        digest = hashlib.sha256(origin.encode())
        with opening.open_parquet(collected, texts) as source:
            for _ in _columns(path, source, table.schema, digest):
                pass
        metadata = {"about": origin, "digest": digest.hexdigest()}
        # Through a handle: pyarrow removes a path that it fails to write, even a device.
        with opening.open_parquet(collected) as source, temporary.open("wb") as sink:
            schema = table.schema.with_metadata(metadata)
            with pq.ParquetWriter(sink, schema, compression="zstd") as writer:
                for group in range(source.num_row_groups):
                    rows = source.read_row_group(group, use_threads=False)
                    writer.write_table(rows.replace_schema_metadata(metadata))
                    del rows  # before the next one is read


def _groups(pieces: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """Yield the rows of all pieces in groups of `_GROUP`, the last one smaller."""
    waiting: list[pa.Table] = []
    count = 0
    for piece in pieces:
        waiting.append(piece)
        count += piece.num_rows
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
    """Return values as an Arrow array; ``pa.array`` would import pandas, which takes 45 MB."""
    if kind != "text":
        plain = np.ascontiguousarray(values).astype(kind, casting="safe", copy=False)
        return pa.Array.from_buffers(TYPES[kind], len(plain), [None, pa.py_buffer(plain)])
    words = [word.encode() for word in values]
    ends = np.cumsum([0, *map(len, words)], dtype=np.int32)
    buffers = [None, pa.py_buffer(ends), pa.py_buffer(b"".join(words))]
    return pa.Array.from_buffers(TYPES[kind], len(words), buffers)


def _plain(value: Any) -> Any:
    """Convert NumPy's numbers to Python's, for JSON."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} is not plain data")


# --- reading --------------------------------------------------------------------------------------


def read(path: str | os.PathLike[str], table: Table) -> Stored:
    """Read a table of a given kind; reject a file that is missing, damaged or of another kind."""
    return _read(path, table)


def read_any(path: str | os.PathLike[str]) -> Stored:
    """Read a table of any kind and check its values; the caller checks its kind."""
    return _read(path, None)


def about(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the metadata of a table of any kind, after checking its values."""
    return _read(path, None).about


def origin(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the metadata of a table without reading, or checking, its values."""
    try:
        entries = pq.read_metadata(path).metadata
    except (pa.ArrowException, OSError, ValueError) as error:
        raise opening.damaged(path, error) from None
    return opening.metadata_of(path, entries)[1]


def scan(
    path: str | os.PathLike[str], table: Table, expected: Mapping[str, Any]
) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield a table column by column, in batches of values with the column's name.

    Use no value before the end: only then is the checksum compared, and an altered file rejected.
    The metadata must have the ``expected`` entries, such as hashes of the instances. Rows with
    equal text share one object.
    """
    footer = opening.read_footer(path, table)
    for key, value in expected.items():
        if footer.about.get(key) != value:
            raise opening.invalid_file(path, f"its entry {key!r} differs from that of this run")
    yield from _scan(path, footer)


def _read(path: str | os.PathLike[str], table: Table | None) -> Stored:
    footer = opening.read_footer(path, table)
    batches: dict[str, list[NDArray[Any]]] = {
        field.name: [np.empty(0, object if pa.types.is_string(field.type) else str(field.type))]
        for field in footer.schema
    }
    for name, values in _scan(path, footer):
        batches[name].append(values)
    columns = {name: np.concatenate(parts) for name, parts in batches.items()}
    return Stored(columns, footer.about)


def _scan(
    path: str | os.PathLike[str], footer: opening.Footer
) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the columns of a file in batches; at the end, reject it if its checksum differs."""
    digest = hashlib.sha256(footer.entries["about"].encode())
    with (
        opening.rejecting_damaged(path),
        opening.open_parquet(path, _texts(footer.schema)) as file,
    ):
        yield from _columns(path, file, footer.schema, digest)
    if digest.hexdigest() != footer.entries["digest"]:
        reason = "it was changed after it was written (its checksum differs)"
        raise opening.invalid_file(path, reason)


def _texts(schema: pa.Schema) -> list[str]:
    return [field.name for field in schema if pa.types.is_string(field.type)]


def _columns(
    path: str | os.PathLike[str], file: pq.ParquetFile, schema: pa.Schema, digest: Any
) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield batches of each column, with its name, and add them to a checksum of all values."""
    for field in schema:
        digest.update(f"{field.name}:{field.type}:{file.metadata.num_rows}".encode())
        values = _text_column if pa.types.is_string(field.type) else _number_column
        for batch in values(path, file, field.name, digest):
            yield field.name, batch


def run_starts(values: NDArray[Any]) -> NDArray[np.int64]:
    """Return the positions at which a value differs, in its bits, from the one before."""
    bits = values.view(np.int64) if values.dtype == np.float64 else values
    return np.flatnonzero(np.r_[True, bits[1:] != bits[:-1]])


def _batches(path: str | os.PathLike[str], file: pq.ParquetFile, name: str) -> Iterator[pa.Array]:
    for batch in file.iter_batches(columns=[name], use_threads=False):
        part = batch.column(0)
        part.validate(full=True)
        if part.null_count:
            raise opening.invalid_file(path, f"its column {name} has missing values")
        if len(part):
            yield part


def _number_column(
    path: str | os.PathLike[str], file: pq.ParquetFile, name: str, digest: Any
) -> Iterator[NDArray[Any]]:
    """Yield numbers; ``to_numpy`` would import pandas."""
    for part in _batches(path, file, name):
        kind = np.int64 if pa.types.is_integer(part.type) else np.float64
        start = part.offset * np.dtype(kind).itemsize
        values = np.frombuffer(part.buffers()[1], kind, len(part), start)
        digest.update(values.data)
        yield values


def _text_column(
    path: str | os.PathLike[str], file: pq.ParquetFile, name: str, digest: Any
) -> Iterator[NDArray[Any]]:
    """Yield strings; the checksum is that of their JSON list, computed part by part."""
    separator, size = "[", 0
    for part in _batches(path, file, name):
        words = np.array(part.dictionary.to_pylist(), dtype=object)
        lengths = np.array([len(word.encode()) for word in words])
        if lengths.max() > limits.MAX_STRING_BYTES:
            reason = f"its column {name} has a string of over {limits.MAX_STRING_BYTES} bytes"
            raise opening.invalid_file(path, reason)
        indices = part.indices.to_pylist()
        size += int(lengths[indices].sum())
        if size > limits.MAX_TEXT_BYTES:  # a few kilobytes can repeat one string in a million rows
            reason = f"its column {name} has over {limits.MAX_TEXT_BYTES >> 30} GB of text"
            raise opening.invalid_file(path, reason)
        values = words[indices]
        starts = run_starts(values)
        for start, stop in zip(starts, [*starts[1:], len(values)], strict=True):
            word = json.dumps(values[start])
            digest.update((separator + word).encode())
            digest.update((f", {word}" * (int(stop - start) - 1)).encode())
            separator = ", "
        yield values
    digest.update(b"[]" if separator == "[" else b"]")
