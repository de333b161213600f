"""Around a long run: a check that its output can be written, and a progress bar."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from epochbandits.validation import InputError

__all__ = ["check_writable", "progress_bar"]


def check_writable(path: str | os.PathLike[str]) -> None:
    """Refuse, before any work, a file that could not be written after it."""
    target = Path(path)
    if target.is_dir():
        raise InputError(f"{path}: cannot be written: it is a folder")
    if not target.parent.is_dir():
        raise InputError(f"{path}: cannot be written: the folder {target.parent} does not exist")
    if not os.access(target.parent, os.W_OK):
        raise InputError(f"{path}: cannot be written: no permission for {target.parent}")


def progress_bar(total: int, label: str) -> Any:
    """Return a bar on standard error that shows after a second, and only on a terminal."""
    from tqdm import tqdm

    return tqdm(
        total=total, desc=label, unit="seed", delay=1, disable=not sys.stderr.isatty(), leave=False
    )
