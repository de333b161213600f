"""Strict reading of JSON, and writing that a crash cannot leave half done."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from epochbandits import limits
from epochbandits.validation import InputError, short_repr

TEMPORARY = ".epochbandits-"
"""Prefix of the names of unfinished files."""
_KEYS = ".keys.json"


def read_json(path: str | os.PathLike[str]) -> Any:
    """Return the contents of a JSON file; invalid JSON and duplicate keys are rejected."""
    text = read_text(path, "JSON", limits.MAX_JSON_BYTES)
    try:
        return json.loads(text, object_pairs_hook=_unique_keys)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path}: is not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        ) from None
    except RecursionError:
        raise InputError(f"{path}: cannot be read as JSON: nested too deeply") from None
    except ValueError as error:  # a duplicate key, or an integer with thousands of digits
        raise InputError(f"{path}: {error}") from None


def read_text(path: str | os.PathLike[str], kind: str, limit: int) -> str:
    """Return the text of a file of at most ``limit`` bytes, without reading more than that."""
    try:
        with open(path, "rb") as source:
            content = source.read(limit + 1)
    except (OSError, ValueError) as error:  # ValueError: a null character in the name
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be read: {reason}") from None
    if len(content) > limit:
        raise InputError(f"{path}: is larger than {limit / 2**20:g} MB, the limit for {kind} files")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not {kind}: byte {error.start} is not UTF-8") from None


def write_text(path: str | os.PathLike[str], text: str, key: str | None = None) -> None:
    """Replace the file with ``text``; after a crash it holds either the old text or the new."""
    with replacing(path, key) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_sealed(path: str | os.PathLike[str], data: Mapping[str, Any]) -> None:
    """Write plain data as JSON with its checksum, which `read_sealed` checks."""
    checked = {**data, "digest": _checksum(data)}
    text = json.dumps(checked, indent=1, ensure_ascii=False) + "\n"
    write_text(path, text, data.get("about", data).get("key"))


def read_sealed(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return what `write_sealed` wrote; a file that was changed since is rejected."""
    data = read_json(path)
    if not isinstance(data, dict) or data.pop("digest", None) != _checksum(data):
        raise InputError(
            f"{path}: was changed after it was written (its checksum differs); "
            "delete it and run again"
        )
    return data


def _checksum(data: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


@contextmanager
def replacing(path: str | os.PathLike[str], key: str | None = None) -> Iterator[Path]:
    """Yield a temporary file beside ``path``, and rename it to ``path`` at the end.

    A link stays a link, and a pipe or device is written to directly. With the ``key`` of a result,
    a file that must have another key is left as it is (`check_key`).
    """
    target = Path(os.path.realpath(path))
    try:
        if target.is_dir():
            raise IsADirectoryError(21, "Is a directory")
        if target.exists() and not target.is_file():
            yield target
            return
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=TEMPORARY)
        os.close(handle)
        try:
            yield Path(name)
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(name, 0o666 & ~umask)  # mkstemp's 0600 would lock out other users
            check_key(target, key)
            os.replace(name, target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None


@contextmanager
def replacing_folder(path: str | os.PathLike[str], key: str | None = None) -> Iterator[Path]:
    """Yield a temporary folder beside ``path``, and rename it to ``path`` at the end.

    So a folder appears with all its files or not at all. ``key`` is as in `replacing`.
    """
    target = Path(os.path.realpath(path))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=TEMPORARY) as name:
            new = Path(name) / "new"
            new.mkdir()
            yield new
            check_key(target, key)
            if target.exists():
                target.rename(Path(name) / "old")
            new.rename(target)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None


def write_keys(folder: str | os.PathLike[str], keys: Mapping[str, str]) -> None:
    """Record in a folder which key each of its results must have, by path inside the folder."""
    write_text(Path(folder) / _KEYS, json.dumps(keys))


def check_key(target: Path, key: str | None) -> None:
    """Refuse to write a result whose key is not the one that `write_keys` last recorded for it.

    A job can outlive its Snakemake. Without this check it would replace the result of a later run
    with another configuration or other code.
    """
    if key is None:
        return
    for folder in target.parents[:4]:
        if (folder / _KEYS).is_file():
            expected = read_json(folder / _KEYS).get(target.relative_to(folder).as_posix())
            if expected not in (None, key):
                raise InputError(
                    f"{target}: not written, because the run was restarted with another "
                    "configuration or other code after this job started"
                )
            return


def check_writable(folder: str | os.PathLike[str]) -> None:
    """Create the folder if it is missing, and raise an error if no file can be written there."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise InputError(f"{folder}: cannot be written to: {error.strerror or error}") from None


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise InputError(f"the key {short_repr(key)} is given twice in one object")
        result[key] = value
    return result
