"""What a run writes: Parquet tables, and a progress bar on a terminal."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from epochbandits import __version__, files
from epochbandits.validation import InputError

__all__ = ["check_writable", "progress_bar", "write_parquet"]


def check_writable(path: str | os.PathLike[str]) -> None:
    """Refuse an output that could not be written after the work is done."""
    target = Path(path)
    if target.is_dir():
        raise InputError(f"{path}: cannot be written: it is a folder")
    if not target.parent.is_dir():
        raise InputError(f"{path}: cannot be written: the folder {target.parent} does not exist")
    if not os.access(target.parent, os.W_OK):
        raise InputError(f"{path}: cannot be written: no permission for {target.parent}")


def write_parquet(
    path: str | os.PathLike[str], columns: Mapping[str, NDArray[Any]], about: Mapping[str, Any]
) -> None:
    """Write columns to a Parquet file, whole or not at all, with ``about`` in its metadata."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    metadata = {key: json.dumps(value, sort_keys=True) for key, value in about.items()}
    metadata["epochbandits"] = __version__
    table = pa.table({name: np.asarray(column) for name, column in columns.items()})
    # Through a handle: given a path, pyarrow would remove what it failed to write, even a device.
    with files.replacing(path) as temporary, temporary.open("wb") as sink:
        pq.write_table(table.replace_schema_metadata(metadata), sink, compression="zstd")


def progress_bar(total: int, label: str) -> Any:
    """Return a bar on standard error: silent off a terminal and for the first second."""
    from tqdm import tqdm

    return tqdm(
        total=total, desc=label, unit="seed", delay=1, disable=not sys.stderr.isatty(), leave=False
    )
