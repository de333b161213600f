"""Open a Parquet file, and reject one that is damaged, foreign, too large or of another kind."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from epochbandits import limits
from epochbandits.io.tables import TYPES, Table
from epochbandits.validation import InputError

_ENCODINGS = {"PLAIN", "RLE", "RLE_DICTIONARY", "PLAIN_DICTIONARY"}


class Footer(NamedTuple):
    """What a file says about itself: its columns, its metadata entries, and ``about``."""

    schema: pa.Schema
    entries: dict[str, str]
    about: dict[str, Any]


def read_footer(path: str | os.PathLike[str], table: Table | None) -> Footer:
    """Return the footer of a table; reject one that is of another kind, or too large to read."""
    if not Path(path).is_file():
        raise InputError(f"{path}: does not exist")
    with rejecting_damaged(path), open_parquet(path) as file:
        _check_footer(path, file)
        schema = file.schema_arrow
    entries, about = metadata_of(path, schema.metadata)
    kind = about.get("table", "unknown")
    if table is not None and (kind != table.name or not schema.equals(table.schema)):
        required = f"a {table.name} table with the columns {', '.join(table.names)}"
        raise invalid_file(path, f"it is not {required} (its kind: {kind})")
    return Footer(schema, entries, about)


@contextmanager
def rejecting_damaged(path: str | os.PathLike[str]) -> Iterator[None]:
    """Reject a file that Arrow cannot read."""
    try:
        yield
    except InputError:
        raise
    except (pa.ArrowException, OSError, ValueError, ArithmeticError, MemoryError) as error:
        raise damaged(path, error) from None


def metadata_of(
    path: str | os.PathLike[str], raw: Mapping[bytes, bytes] | None
) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the entries of a file's metadata as text, and ``about`` as plain data."""
    try:
        entries = {k.decode(): v.decode() for k, v in (raw or {}).items() if k != b"ARROW:schema"}
        about = json.loads(entries.get("about", "null"))
    except (ValueError, RecursionError) as error:
        raise damaged(path, error) from None
    if "digest" not in entries or not isinstance(about, dict):
        raise invalid_file(path, "it was not written by epochbandits")
    return entries, about


def open_parquet(source: Any, dictionaries: Sequence[str] = ()) -> pq.ParquetFile:
    """Open a file for reading without Arrow's threads, which fetch data ahead by default.

    The columns in ``dictionaries`` are read as the dictionaries that they are stored as.
    """
    return pq.ParquetFile(source, pre_buffer=False, read_dictionary=list(dictionaries))


def _check_footer(path: str | os.PathLike[str], file: pq.ParquetFile) -> None:
    """Reject foreign column types and tables that are too large before reading any value."""
    kinds = {field.type for field in file.schema_arrow}
    if not kinds <= set(TYPES.values()):
        raise invalid_file(path, "it was not written by epochbandits")
    footer = file.metadata
    encodings = {
        encoding
        for group in range(footer.num_row_groups)
        for column in range(footer.num_columns)
        for encoding in footer.row_group(group).column(column).encodings
    }
    if not encodings <= _ENCODINGS:  # others can claim gigabytes of text in few bytes
        raise invalid_file(path, "it was not written by epochbandits")
    groups = [footer.row_group(i) for i in range(footer.num_row_groups)]
    # Run-length encoding can claim any number of rows, a compressed page any number of bytes.
    size = max(8 * footer.num_columns * footer.num_rows, *(0, *(g.total_byte_size for g in groups)))
    if size > limits.MAX_TABLE_BYTES or footer.num_rows != sum(g.num_rows for g in groups):
        raise invalid_file(
            path,
            f"it claims {footer.num_rows} rows and {size} bytes, and is damaged or larger than "
            f"{limits.MAX_TABLE_BYTES >> 30} GB",
        )
    for index, field in enumerate(file.schema_arrow):
        sizes = [g.column(index).total_uncompressed_size - 8 * g.num_rows for g in groups]
        limit = limits.MAX_DICTIONARY_BYTES
        if pa.types.is_string(field.type) and max(sizes, default=0) > limit:
            reason = f"its column {field.name} has over {limit >> 20} MB of text"
            raise invalid_file(path, reason)


def damaged(path: str | os.PathLike[str], error: Exception) -> InputError:
    first = str(error).splitlines()[0] if str(error) else type(error).__name__
    return invalid_file(path, f"it is damaged or not a Parquet file ({first:.120})")


def invalid_file(path: str | os.PathLike[str], reason: str) -> InputError:
    return InputError(f"{path}: {reason}; delete the file and run again")
