"""Reading JSON strictly, and writing text so that a crash leaves the old file or none."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

from epochbandits.validation import InputError

__all__ = ["read_json", "write_text"]


def read_json(path: str | os.PathLike[str]) -> Any:
    """Return the contents of a JSON file; a key given twice is refused, as is what is not JSON."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not JSON: byte {error.start} is not UTF-8") from None
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


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write ``text`` to a temporary file beside ``path`` and rename it into place."""
    target = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(text)
            umask = os.umask(0)
            os.umask(umask)
            os.chmod(temporary, 0o666 & ~umask)  # mkstemp's 0600 would lock out a shared folder
            os.replace(temporary, target)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for key, value in pairs:
        if key in result:
            raise InputError(f"the key {key!r} is given twice in one object")
        result[key] = value
    return result
