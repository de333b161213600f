"""The decorators of all compiled code, and the disk cache of what they compile.

Numba's disk cache checks only the file that a function is defined in, so it would keep a kernel
that inlines code of other files after those were edited. We name the cache's folder by a hash of
every file that compiled code comes from: an edit leads to a new folder, never to a stale kernel.

Compiled code is loaded without checks: whoever can write it can run anything as this user. So the
folder is private, and one that another user owns or may write to is not used.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core.caching import FunctionCache
from numba.core.registry import CPUDispatcher

from epochbandits.validation import InputError

INLINED: Any = {"forceinline": True, "_nrt": False, "error_model": "numpy"}
"""Options of an overload that is compiled into its callers, as by `inlined`."""
Function = TypeVar("Function", bound=Callable[..., Any])
_PACKAGE = Path(__file__).parent
_COMPILED = (
    b"epochbandits.jit import",
    b"register(",
)  # in files that compile, or name what to compile
_USED = (  # other files whose numbers, functions or NamedTuples compiled code uses
    "engine/base.py", "engine/prepared.py", "engine/sampling_tables.py", "model/rewards.py",
    "model/schedules.py",
)  # fmt: skip


def kernel(function: Function) -> Function:
    """Compile a function that compiled code calls, and that allocates no memory.

    ``_nrt=False`` leaves out Numba's reference counting: such code may not allocate arrays, but it
    reads an array of a NamedTuple for free (two atomic operations otherwise, which is ten times the
    work of one UCB iteration). With NumPy's error model a division by zero is inf or nan, so that
    no branch prevents vector instructions. Called from Python it runs as Python, if its arguments
    allow that: a wrapper for such calls would take a fifth of the compile time.
    """
    return _without_wrapper(_compile(function, _nrt=False, no_cpython_wrapper=True))


def inlined(function: Function) -> Function:
    """Compile a `kernel` into the body of its callers.

    A call passes every array of a NamedTuple field by field, which for one iteration costs several
    times the work itself.
    """
    function = getattr(function, "py_func", function)
    return _without_wrapper(
        _compile(function, _nrt=False, no_cpython_wrapper=True, forceinline=True)
    )


def entry(function: Function) -> Function:
    """Compile a function that Python calls.

    It keeps Numba's reference counting, without which a Generator would never be released. It
    releases the GIL: several seeds run in threads, and Ctrl-C reaches the main one.
    """
    return _compile(function, nogil=True)


def _compile(function: Function, **options: Any) -> Function:
    previous = numba.config.CACHE_DIR  # type: ignore[attr-defined]
    numba.config.CACHE_DIR = str(_cache_folder())  # type: ignore[attr-defined]
    try:
        options["no_cfunc_wrapper"] = True  # nothing calls kernels as C functions
        compiled: Function = numba.njit(error_model="numpy", **options)(function)
        compiled._cache = _Cache(function)  # type: ignore[attr-defined,no-untyped-call]
    finally:
        numba.config.CACHE_DIR = previous  # type: ignore[attr-defined]
    return compiled


class _PlainCalls(CPUDispatcher):
    """A compiled function without a Python wrapper: a call would crash, so its source runs."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.py_func(*args, **kwargs)


def _without_wrapper(compiled: Function) -> Function:
    if isinstance(compiled, CPUDispatcher):  # not with NUMBA_DISABLE_JIT
        compiled.__class__ = _PlainCalls  # type: ignore[assignment]
    return compiled


class _Cache(FunctionCache):
    """Numba's cache of a function; replaces files that a power loss left empty or truncated."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except (EOFError, pickle.UnpicklingError, ValueError, IndexError, KeyError, TypeError):
            self.flush()  # type: ignore[no-untyped-call]
            return None


def _sources() -> list[Path]:
    """Return the files that compiled code comes from."""
    files = sorted([*_PACKAGE.glob("policies/*.py"), *_PACKAGE.glob("engine/*.py")])
    compiled = [p for p in files if any(text in p.read_bytes() for text in _COMPILED)]
    return [Path(__file__), *compiled, *(_PACKAGE / name for name in _USED)]


@cache
def _cache_folder() -> Path:
    digest = hashlib.sha256()
    for path in _sources():
        digest.update(path.name.encode() + path.read_bytes())
    name = f"epochbandits-{digest.hexdigest()[:16]}"
    configured = os.environ.get("NUMBA_CACHE_DIR")
    for base in [Path(configured)] if configured else [_PACKAGE / "__pycache__", _user_cache()]:
        try:
            base.mkdir(parents=True, exist_ok=True)
            (base / name).mkdir(mode=0o700, exist_ok=True)
            tempfile.TemporaryFile(dir=base / name).close()
        except OSError:  # a read-only installation
            continue
        if _is_private(base, base / name):
            return base / name
        if configured:
            raise InputError(
                f"NUMBA_CACHE_DIR: compiled code is not loaded from {base / name}, which another "
                f"user owns or may write to; run 'chmod go-w {base} {base / name}', or choose a "
                "folder of your own"
            )
    return Path(tempfile.mkdtemp(prefix=name))


def _is_private(base: Path, folder: Path) -> bool:
    """Return whether no other user owns a folder, may write to it, or may replace it in ``base``.

    Where ``base`` has the sticky bit, as /tmp has, users replace only what they own.
    """
    if not hasattr(os, "geteuid"):  # Windows
        return True
    outer, inner = base.stat(), folder.stat()
    replaceable = outer.st_mode & stat.S_IWOTH and not outer.st_mode & stat.S_ISVTX
    writable = inner.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    owned = inner.st_uid == os.geteuid() and outer.st_uid in (os.geteuid(), 0)
    return owned and not replaceable and not writable


def _user_cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "epochbandits"
