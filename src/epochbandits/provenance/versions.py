"""What computed a result besides this package: versions, and the lock that they come from."""

from __future__ import annotations

import hashlib
import importlib.metadata
import platform
from functools import cache
from pathlib import Path

from epochbandits import __version__

__all__ = ["lock", "versions"]

_LOCK = Path(__file__).parents[3] / "requirements.txt"


@cache
def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that a number can depend on."""
    names = ("numba", "numpy", "pyarrow", "scipy")
    found = {name: importlib.metadata.version(name) for name in names}
    return {"epochbandits": __version__, "python": platform.python_version(), **found}


@cache
def lock() -> str | None:
    """Return the SHA-256 of the lock, or nothing where the package is used without its project."""
    return hashlib.sha256(_LOCK.read_bytes()).hexdigest() if _LOCK.is_file() else None
