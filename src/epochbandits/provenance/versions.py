"""The versions that computed a result, and the lock file that they come from."""

from __future__ import annotations

import hashlib
import importlib.metadata
import platform
from functools import cache
from pathlib import Path

from epochbandits import __version__

REPOSITORY = Path(__file__).parents[3]
"""The checkout that the package runs from, if it runs from one."""
_LOCK = REPOSITORY / "requirements.txt"


@cache
def versions() -> dict[str, str]:
    """Return the versions of Python, of this package, and of the libraries that affect numbers."""
    names = ("numba", "numpy", "pyarrow", "scipy")
    libraries = {name: importlib.metadata.version(name) for name in names}
    return {"epochbandits": __version__, "python": platform.python_version(), **libraries}


@cache
def lock() -> str | None:
    """Return the SHA-256 of the lock file; None where the package is installed without it."""
    return hashlib.sha256(_LOCK.read_bytes()).hexdigest() if _LOCK.is_file() else None
