"""The versions of what computed a result."""

from __future__ import annotations

import importlib.metadata
import platform
from functools import cache

from epochbandits import __version__

__all__ = ["versions"]


@cache
def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that a number can depend on."""
    names = ("numba", "numpy", "pyarrow", "scipy")
    found = {name: importlib.metadata.version(name) for name in names}
    return {"epochbandits": __version__, "python": platform.python_version(), **found}
