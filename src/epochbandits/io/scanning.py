"""Read a table column by column, in batches, so that memory does not grow with its rows.

`parquet.read` holds a whole table; `scan` holds a batch. Both check kind, values and checksum.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from epochbandits import limits
from epochbandits.io import opening
from epochbandits.io.parquet import numbers
from epochbandits.io.tables import Table
from epochbandits.validation import InputError

__all__ = ["run_starts", "scan"]


def scan(
    path: str | os.PathLike[str], table: Table, expected: Mapping[str, Any]
) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the columns of a table one after another: their names with batches of their values.

    Use no value before the end: only then is the checksum known, and an altered file refused.
    The metadata must have the ``expected`` entries, such as hashes of the instances. Rows with
    equal text share one object.
    """
    if not Path(path).is_file():
        raise InputError(f"{path}: does not exist")
    texts = [column.name for column in table.columns if column.type == "text"]
    try:
        with opening.opened(path) as file:
            opening.check_footer(path, file)
            rows, schema = file.metadata.num_rows, file.schema_arrow
        entries, about = opening.metadata_of(path, schema.metadata)
        opening.check_kind(path, table, schema, about)
        for key, value in expected.items():
            if about.get(key) != value:
                raise opening.refused(path, f"it was made with another {key} than this run's")
        digest = hashlib.sha256(entries["about"].encode())
        with opening.opened(path, texts) as file:
            for field in table.schema:
                digest.update(f"{field.name}:{field.type}:{rows}".encode())
                values = _text_column if field.name in texts else _number_column
                for batch in values(path, file, field.name, digest):
                    yield field.name, batch
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError, OverflowError, RecursionError) as error:
        raise opening.damaged(path, error) from None
    if digest.hexdigest() != entries["digest"]:
        raise opening.refused(path, "it was changed after it was written (its checksum differs)")


def run_starts(values: NDArray[Any]) -> NDArray[np.int64]:
    """Return the positions at which a value differs, in its bits, from the one before."""
    bits = values.view(np.int64) if values.dtype == np.float64 else values
    return np.flatnonzero(np.r_[True, bits[1:] != bits[:-1]])


def _batches(path: str | os.PathLike[str], file: pq.ParquetFile, name: str) -> Iterator[pa.Array]:
    for batch in file.iter_batches(columns=[name], use_threads=False):
        part = batch.column(0)
        part.validate(full=True)
        if part.null_count:
            raise opening.refused(path, f"its column {name} has empty places")
        if len(part):
            yield part


def _number_column(
    path: str | os.PathLike[str], file: pq.ParquetFile, name: str, digest: Any
) -> Iterator[NDArray[Any]]:
    for part in _batches(path, file, name):
        values = numbers(part)
        digest.update(values.data)
        yield values


def _text_column(
    path: str | os.PathLike[str], file: pq.ParquetFile, name: str, digest: Any
) -> Iterator[NDArray[Any]]:
    """Yield texts; the checksum is of the JSON of their list, computed part by part."""
    separator = "["
    for part in _batches(path, file, name):
        words = np.array(part.dictionary.to_pylist(), dtype=object)
        if any(len(word) > limits.LONGEST_TEXT for word in words):
            reason = f"its column {name} has a text of over {limits.LONGEST_TEXT} bytes"
            raise opening.refused(path, reason)
        values = words[part.indices.to_pylist()]
        starts = run_starts(values)
        for start, stop in zip(starts, [*starts[1:], len(values)], strict=True):
            word = json.dumps(values[start])
            digest.update((separator + word).encode())
            digest.update((f", {word}" * (int(stop - start) - 1)).encode())
            separator = ", "
        yield values
    digest.update(b"[]" if separator == "[" else b"]")
