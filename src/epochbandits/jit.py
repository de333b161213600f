"""The one decorator of all compiled code, and where its results are kept on disk.

Numba's disk cache looks only at the file that a function stands in, so a kernel that inlines code
of other files would be kept although those were edited. Ours lives in a folder named after a hash
of every file that compiled code comes from: an edit makes a new folder, never a stale result.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba

__all__ = ["entry", "inlined", "kernel"]

Function = TypeVar("Function", bound=Callable[..., Any])
_PACKAGE = Path(__file__).parent
_PLAIN = ("conformance.py", "loading.py", "loop.py", "reference.py")  # nothing compiled in these


def kernel(function: Function) -> Function:
    """Compile a function that compiled code calls, and that owns no memory.

    ``_nrt=False`` leaves Numba's reference counting out: such code may not allocate arrays, and in
    return reading an array of a NamedTuple costs nothing (two atomic operations otherwise, which is
    ten times the work of one UCB iteration). NumPy's error model lets a division by zero be inf or
    nan, so that no branch stands in the way of vector instructions.
    """
    return _compile(function, cache=True, _nrt=False)


def inlined(function: Function) -> Function:
    """Compile a `kernel` into the body of its callers.

    A call hands over every array of a NamedTuple field by field, which for one iteration costs
    several times the work itself.
    """
    return _compile(function, cache=True, _nrt=False, inline="always")


def entry(function: Function, *, cached: bool = True) -> Function:
    """Compile a function that Python calls; kept on disk unless ``cached`` is false.

    It counts references as usual: a Generator that came in without would never be released. It
    lets go of the GIL: several seeds run in threads, and Ctrl-C reaches the main one.
    """
    return _compile(function, cache=cached, nogil=True)


def _compile(function: Function, **options: Any) -> Function:
    previous = numba.config.CACHE_DIR  # type: ignore[attr-defined]
    numba.config.CACHE_DIR = str(_cache_folder())  # type: ignore[attr-defined]
    try:
        compiled: Function = numba.njit(error_model="numpy", **options)(function)
    finally:
        numba.config.CACHE_DIR = previous  # type: ignore[attr-defined]
    return compiled


@cache
def _cache_folder() -> Path:
    digest = hashlib.sha256()
    sources = [Path(__file__), _PACKAGE / "model" / "schedules.py"]
    for folder in ("policies", "engine"):
        sources += sorted(p for p in (_PACKAGE / folder).glob("*.py") if p.name not in _PLAIN)
    for path in sources:
        digest.update(path.name.encode() + path.read_bytes())
    name = f"epochbandits-{digest.hexdigest()[:16]}"
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    for base in [Path(chosen)] if chosen else [_PACKAGE / "__pycache__", _user_cache()]:
        try:
            (base / name).mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=base / name).close()
            return base / name
        except OSError:  # an installation that cannot be written to
            continue
    return Path(tempfile.mkdtemp(prefix=name))


def _user_cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "epochbandits"
