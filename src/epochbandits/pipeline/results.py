"""Keys of results: each result carries one, and a stage accepts only the keys that it expects.

A key is a hash of all that a result depends on: its blocks of the configuration, the root seed, the
code, and the keys of its inputs (`planning.Plan.keys`). A table has it in its metadata, a set of
instances in ``about.json``, a figure in its sidecar, the page in a tag, and tuned values and the
ledger in the file itself. Whatever Snakemake remembers, a result with another key is rejected by
the stage that would read it (`accept`), recomputed by the next run (`mismatched`), and never
replaces the right one (`io.files.check_key`). The checksum of the content is checked with the key;
that of a table's values, when the table is read.
"""

from __future__ import annotations

import hashlib
import html
import json
import os
import re
import shutil
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from epochbandits.io import files, parquet
from epochbandits.pipeline.layout import PICTURES, FigureFolder, instance_file, set_record
from epochbandits.provenance.code_hash import file_digest
from epochbandits.validation import InputError

_TAG = re.compile(r'<meta name="provenance" content="([^"]*)">')
_SEAL = "\n<!-- sha256 {} -->\n"
_LARGEST_PAGE = 2**28  # bytes


def accept(inputs: Mapping[str, str] | None) -> None:
    """Reject inputs whose key is missing or not the expected one.

    Only the metadata of a table is read: the stage checks the values when it reads them.
    """
    for path, key in (inputs or {}).items():
        if _key(Path(path)) != key:
            raise InputError(
                f"{path}: was made with a configuration, root seed, code or input other than this "
                "run's (its key differs); delete it and run again"
            )


def mismatched(expected: Mapping[str, str]) -> list[str]:
    """Return the existing results whose key is not the expected one.

    A picture has no key: its sidecar, which has its checksum, is checked instead.
    """
    differing = []
    for path, key in expected.items():
        try:
            one = Path(path)
            if one.suffix not in PICTURES and one.exists() and _key(one) != key:
                differing.append(path)
        except InputError:  # damaged
            differing.append(path)
    return differing


def prepare(folders: Sequence[str], keys: Mapping[str, str]) -> None:
    """Prepare the folders of a run for its jobs, and record the keys that its results must have.

    Half-written files of killed jobs are removed. A future date, from a wrong clock, would make
    every new result look older than its inputs; such files get the current time, in their order.
    """
    for folder in folders:
        files.check_writable(folder)
        try:
            _tidy(folder)
        except FileNotFoundError:  # removed by a job that outlived its run
            pass
        except OSError as error:
            raise InputError(
                f"{error.filename}: is half written or dated in the future, and cannot be changed: "
                f"{error.strerror}; remove it"
            ) from None
        inside = {
            Path(path).relative_to(folder).as_posix(): key
            for path, key in keys.items()
            if Path(path).is_relative_to(folder)
        }
        files.write_keys(folder, inside)


def _tidy(folder: str) -> None:
    """Remove half-written files, and set dates in the future to now.

    A folder that cannot be written to is rejected.
    """
    future: list[tuple[int, str]] = []
    for parent, subfolders, names in os.walk(folder):
        if not os.access(parent, os.W_OK):  # Snakemake would end with a traceback
            raise InputError(f"{parent}: cannot be written to; no job was started")
        for name in [n for n in subfolders if n.startswith(files.TEMPORARY)]:
            subfolders.remove(name)
            shutil.rmtree(os.path.join(parent, name), ignore_errors=True)
        for name in names:
            path = os.path.join(parent, name)
            if name.startswith(files.TEMPORARY):
                Path(path).unlink(missing_ok=True)
            elif (date := os.lstat(path).st_mtime_ns) > time.time_ns():
                future.append((date, path))
    first = time.time_ns() - len(future)
    for position, (_, path) in enumerate(sorted(future)):
        os.utime(path, ns=(first + position,) * 2, follow_symlinks=False)


def check_files(sidecar: Path, ends: Sequence[str] | None = None) -> dict[str, Any]:
    """Return the record in a figure's sidecar; reject it if one of the figure's files differs.

    ``ends`` are the extensions of the files to check; None: all.
    """
    origin = files.read_sealed(sidecar)
    paths = FigureFolder(sidecar.parent)
    for end in origin["files"] if ends is None else ends:
        digest = origin["files"].get(end)
        name = sidecar.stem
        path = Path(paths.plotted(name) if end == "parquet" else paths.picture(name, end))
        if not path.is_file() or file_digest(path) != digest:
            raise InputError(f"{path}: does not match the checksum in {sidecar.name}")
    return origin


def write_page(path: str | Path, text: str, key: str) -> None:
    """Write a page with its checksum in the last line, which `page_origin` checks."""
    files.write_text(path, text + _seal(text), key or None)


def page_origin(path: Path) -> dict[str, Any]:
    """Return the record in a page's tag, or {}; reject a page that was edited."""
    page = files.read_text(path, "HTML", _LARGEST_PAGE)
    tag = _TAG.search(page)
    try:
        origin = json.loads(html.unescape(tag[1])) if tag else {}
    except ValueError:
        return {}
    length = len(_seal(""))
    if origin and page[-length:] != _seal(page[:-length]):
        raise InputError(
            f"{path}: was changed after it was written (its checksum differs); "
            "delete it and run again"
        )
    return origin if isinstance(origin, dict) else {}


def _seal(text: str) -> str:
    return _SEAL.format(hashlib.sha256(text.encode()).hexdigest())


def _key(path: Path) -> str | None:
    """Return the key of a result, by its kind; reject a damaged one."""
    if path.is_dir():
        origin = files.read_sealed(set_record(path))
        for index, checksum in enumerate(origin.get("checksums", ())):
            one = instance_file(path, index)
            if not one.is_file() or file_digest(one) != checksum:
                raise InputError(
                    f"{one}: is missing, or not the file that was written there; "
                    f"delete {path} and run again"
                )
    elif path.suffix == ".parquet":
        origin = parquet.origin(path)
    elif path.suffix == ".html":
        origin = page_origin(path)
    else:
        origin = files.read_sealed(path)
        if isinstance(origin.get("files"), dict):
            check_files(path)
        if isinstance(origin.get("about"), dict):
            origin = origin["about"]
    return origin.get("key")
