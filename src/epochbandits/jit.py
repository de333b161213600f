"""The decorators of all compiled code, and the disk cache of what they compile.

Numba's disk cache checks only the file that a function is defined in, so it would keep a kernel
that inlines code of other files after those were edited. We name the cache's folder by a hash of
every file that compiled code comes from: an edit leads to a new folder, never to a stale kernel.
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

__all__ = ["INLINED", "entry", "inlined", "kernel"]

INLINED: Any = {"forceinline": True, "_nrt": False, "error_model": "numpy"}
"""Options of an overload that is compiled into its callers, as by `inlined`."""
Function = TypeVar("Function", bound=Callable[..., Any])
_PACKAGE = Path(__file__).parent
_MODEL = ("rewards.py", "schedules.py")  # files of `model` that compiled code takes from
_PLAIN = frozenset(  # files without compiled code
    {"conformance.py", "loading.py", "loop.py", "reference.py", "selection.py",
     "simulation.py", "stepping.py", "streams.py", "threads.py", "warmup.py"}
)  # fmt: skip


def kernel(function: Function) -> Function:
    """Compile a function that compiled code calls, and that allocates no memory.

    ``_nrt=False`` leaves out Numba's reference counting: such code may not allocate arrays, but it
    reads an array of a NamedTuple for free (two atomic operations otherwise, which is ten times the
    work of one UCB iteration). With NumPy's error model a division by zero is inf or nan, so that
    no branch prevents vector instructions.
    """
    return _compile(function, _nrt=False)


def inlined(function: Function) -> Function:
    """Compile a `kernel` into the body of its callers.

    A call passes every array of a NamedTuple field by field, which for one iteration costs several
    times the work itself.
    """
    return _compile(getattr(function, "py_func", function), _nrt=False, forceinline=True)


def entry(function: Function) -> Function:
    """Compile a function that Python calls.

    It counts references as usual: a Generator passed without would never be released. It releases
    the GIL: several seeds run in threads, and Ctrl-C reaches the main one.
    """
    return _compile(function, nogil=True)


def _compile(function: Function, **options: Any) -> Function:
    previous = numba.config.CACHE_DIR  # type: ignore[attr-defined]
    numba.config.CACHE_DIR = str(_cache_folder())  # type: ignore[attr-defined]
    try:
        options["no_cfunc_wrapper"] = True  # nothing calls kernels as C functions
        compiled: Function = numba.njit(cache=True, error_model="numpy", **options)(function)
    finally:
        numba.config.CACHE_DIR = previous  # type: ignore[attr-defined]
    return compiled


@cache
def _cache_folder() -> Path:
    digest = hashlib.sha256()
    sources = [Path(__file__), *(_PACKAGE / "model" / name for name in _MODEL)]
    for folder in ("policies", "engine"):
        sources += sorted(p for p in (_PACKAGE / folder).glob("*.py") if p.name not in _PLAIN)
    for path in sources:
        digest.update(path.name.encode() + path.read_bytes())
    name = f"epochbandits-{digest.hexdigest()[:16]}"
    configured = os.environ.get("NUMBA_CACHE_DIR")
    for base in [Path(configured)] if configured else [_PACKAGE / "__pycache__", _user_cache()]:
        try:
            (base / name).mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=base / name).close()
            return base / name
        except OSError:  # a read-only installation
            continue
    return Path(tempfile.mkdtemp(prefix=name))


def _user_cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "epochbandits"
