"""A hash of the code that a result depends on.

The modules behind a stage of the pipeline are its entry modules and all that they import from this
package, directly or indirectly. So an edit reruns exactly what it can change: a plot's colour
reruns no simulation, and a policy's file only that policy. Other libraries count by their versions.
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

_PACKAGE = "epochbandits"
_ROOT = Path(__file__).parents[1]
# Packages that import all their modules to list them, and the modules that are followed instead:
# a result depends on the policies that it uses, and on a public name only if it imports it.
_REGISTRIES = {_PACKAGE: (), f"{_PACKAGE}.policies": (f"{_PACKAGE}.policies.base",)}


def code_hash(*modules: str) -> str:
    """Return a hash of the modules' sources and of all that they import from this package."""
    result = hashlib.sha256(json.dumps(versions()).encode())
    for name in sorted(modules_behind(modules)):
        result.update(name.encode() + b"\0" + _source(name).read_bytes() + b"\0")
    return result.hexdigest()[:16]


def modules_behind(modules: Iterable[str]) -> set[str]:
    """Return the given modules and those of this package that they import, even indirectly."""
    reached: set[str] = set()
    queue = list(modules)
    while queue:
        name = queue.pop()
        if name not in reached:
            reached.add(name)
            queue += _imports(name)
    return reached


@cache
def _imports(name: str) -> tuple[str, ...]:
    """Return the modules of this package that a module imports, at the top or in a function."""
    if name in _REGISTRIES:
        return _REGISTRIES[name]
    imported: set[str] = set()
    for node in ast.walk(ast.parse(_source(name).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported.add(node.module)
            imported.update(f"{node.module}.{alias.name}" for alias in node.names)
    return tuple(sorted(module for module in imported if _is_module(module)))


def _is_module(name: str) -> bool:
    return name.split(".")[0] == _PACKAGE and _source(name).is_file()


def _source(name: str) -> Path:
    path = _ROOT.joinpath(*name.split(".")[1:])
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def digest(value: Any) -> str:
    """Return a hash of plain data."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def file_digest(path: str | Path) -> str:
    """Return the SHA-256 of a file, or of all files in a folder."""
    result = hashlib.sha256()
    target = Path(path)
    for part in sorted(target.iterdir()) if target.is_dir() else [target]:
        result.update(part.read_bytes())
    return result.hexdigest()
