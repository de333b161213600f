"""Reading JSON strictly, and writing text so that a crash leaves the old file or none."""

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
from epochbandits.validation import InputError, shown

__all__ = [
    "check_writable",
    "read_json",
    "read_sealed",
    "read_text",
    "replacing",
    "write_sealed",
    "write_text",
]


def read_json(path: str | os.PathLike[str]) -> Any:
    """Return the contents of a JSON file; a key given twice is refused, as is what is not JSON."""
    text = read_text(path, "JSON", limits.LARGEST_JSON)
    try:
        return json.loads(text, object_pairs_hook=_unique_keys)
    except json.JSONDecodeError as error:
        raise InputError(
            f"{path}: is not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        ) from None
    except RecursionError:
        raise InputError(f"{path}: is not JSON that can be read: nested too deeply") from None
    except ValueError as error:  # a key given twice, or an integer of thousands of digits
        raise InputError(f"{path}: {error}") from None


def read_text(path: str | os.PathLike[str], kind: str, most: int) -> str:
    """Return the text of a file of at most ``most`` bytes, of which no more than that is read."""
    try:
        with open(path, "rb") as source:
            content = source.read(most + 1)
    except (OSError, ValueError) as error:  # the latter for a name with a null in it
        why = getattr(error, "strerror", None) or error
        raise InputError(f"{path}: cannot be read: {why}") from None
    if len(content) > most:
        raise InputError(
            f"{path}: is larger than {most / 2**20:g} MB, the most that is read as {kind}"
        )
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not {kind}: byte {error.start} is not UTF-8") from None


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write ``text`` so that ``path`` is either the whole of it or what it was before."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def write_sealed(path: str | os.PathLike[str], data: Mapping[str, Any]) -> None:
    """Write plain data as JSON, with a digest by which `read_sealed` knows it again."""
    sealed = {**data, "digest": _seal(data)}
    write_text(path, json.dumps(sealed, indent=1, ensure_ascii=False) + "\n")


def read_sealed(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return what `write_sealed` wrote; a file that was altered is refused."""
    data = read_json(path)
    if not isinstance(data, dict) or data.pop("digest", None) != _seal(data):
        raise InputError(
            f"{path}: is not what was written there; delete it and run again to make it anew"
        )
    return data


def _seal(data: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary file beside ``path`` to write to, and rename it into place at the end.

    A link stays a link, and what is no file, such as a pipe, is written to as it is.
    """
    target = Path(os.path.realpath(path))
    try:
        if target.is_dir():
            raise IsADirectoryError(21, "Is a directory")
        if target.exists() and not target.is_file():
            yield target
            return
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".epochbandits-")
        os.close(handle)
        try:
            yield Path(name)
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(name, 0o666 & ~umask)  # mkstemp's 0600 would lock out a shared folder
            os.replace(name, target)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror or error}") from None


def check_writable(folder: str | os.PathLike[str]) -> None:
    """Refuse a folder, which is made if need be, where no file can be written."""
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        raise InputError(f"{folder}: cannot be written to: {error.strerror or error}") from None


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise InputError(f"the key {shown(key)} is given twice in one object")
        result[key] = value
    return result
