"""A hash of the code that a result depends on.

The code that a stage of the pipeline depends on is found by following the imports of its entry
modules through the sources of this package. So an edit reruns exactly what it can change: a plot's
colour no simulation, one policy's file only the runs of that policy. The libraries that numbers
depend on count by their versions. `records` reads what an output says of its origin.
"""

from __future__ import annotations

import ast
import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from epochbandits.provenance.versions import versions

__all__ = ["code_hash", "digest", "file_digest", "modules_behind"]

_PACKAGE = "epochbandits"
_ROOT = Path(__file__).parents[1]
# These import every policy, or every figure, to list them; a result depends on those it uses.
_REGISTRIES = frozenset({f"{_PACKAGE}.policies"})


def code_hash(*modules: str) -> str:
    """Return a hash of the sources of the modules and of all that they import from this package."""
    result = hashlib.sha256(json.dumps(versions()).encode())
    for name in sorted(modules_behind(modules)):
        result.update(name.encode() + b"\0" + _source(name).read_bytes() + b"\0")
    return result.hexdigest()[:16]


def modules_behind(modules: Iterable[str]) -> set[str]:
    """Return the modules of this package that are reached by imports from the given ones."""
    found: set[str] = set()
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _imports(name)
    return found


@cache
def _imports(name: str) -> tuple[str, ...]:
    """Return the modules of this package that a module imports, wherever in its text."""
    if name in _REGISTRIES:
        return (f"{name}.base",)
    found: set[str] = set()
    for node in ast.walk(ast.parse(_source(name).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    return tuple(sorted(module for module in found if _is_module(module)))


def _is_module(name: str) -> bool:
    return name.split(".")[0] == _PACKAGE and _source(name).is_file()


def _source(name: str) -> Path:
    path = _ROOT.joinpath(*name.split(".")[1:])
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def digest(value: Any) -> str:
    """Return a hash of plain data."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def file_digest(path: str | Path) -> str:
    """Return the SHA-256 of a file, or of a folder's files."""
    result = hashlib.sha256()
    target = Path(path)
    for part in sorted(target.iterdir()) if target.is_dir() else [target]:
        result.update(part.read_bytes())
    return result.hexdigest()
