"""A hash of the code that a policy's runs depend on."""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

from epochbandits.engine.pairing import PAIR, is_paired
from epochbandits.policies import POLICIES
from epochbandits.policies.loading import Code, parse_code, resolve
from epochbandits.provenance.code_hash import code_hash, digest, file_digest
from epochbandits.validation import InputError


def policy_hash(policy: str) -> str:
    """Return the hash for a policy's name, or for a user's module:Class or file.py:Class."""
    policy = resolve(policy)
    code = parse_code(policy)
    names = [] if code else [policy]
    # A user's policy may set its schedule when it is created, so any of them may be paired.
    if code or is_paired(True, None, POLICIES[policy].schedule):
        names.append(PAIR)
    library = code_hash(
        "epochbandits.pipeline.shards", *(POLICIES[name].build.__module__ for name in names)
    )
    return digest([library, *map(file_digest, _sources(code))]) if code else library


def _sources(code: Code) -> list[Path]:
    """Return a user's file or module, and what it imports from its folder or its package."""
    module = code.where
    if code.is_file:
        root, queue = Path(module).parent, [Path(module)]
    else:
        root = _root(module)
        queue = [file] if (file := _file(root, module)) else []
    # Follow an installed package, but not the libraries beside it, which count by version.
    package = module.split(".")[0] if "site-packages" in root.parts else None
    reached: dict[Path, None] = {}
    while queue:
        path = queue.pop()
        if path in reached or not path.is_file():
            continue
        reached[path] = None
        for name in _imports(path, root):
            if package in (None, name.split(".")[0]) and (file := _file(root, name)):
                queue.append(file)
    if not reached:
        raise InputError(
            f"policy {module!r}: its source is not a .py file on Python's path, so an edit would "
            "go unnoticed"
        )
    return sorted(reached)


def _root(module: str) -> Path:
    """Return the folder in which Python finds a module or its top-level package."""
    for place in ("", *sys.path):
        if _file(Path(place), module):
            return Path(place)
    # An editable install may use an import hook instead of a path.
    spec = importlib.util.find_spec(module.split(".")[0])
    if spec is None or spec.origin is None:
        return Path()
    return Path(spec.origin).parents[1 if spec.submodule_search_locations else 0]


def _file(root: Path, module: str) -> Path | None:
    path = root.joinpath(*module.split("."))
    files = (path.with_name(f"{path.name}.py"), path / "__init__.py")
    return next((file for file in files if file.is_file()), None)


def _imports(path: Path, root: Path) -> Iterator[str]:
    """Yield the modules that a file imports, and names that may be modules."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):  # loading the policy reports it
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = path.parent.relative_to(root).parts if node.level else ()
            parts = [*parents[: len(parents) - node.level + 1], *(node.module or "").split(".")]
            base = ".".join(part for part in parts if part)
            yield from (base, *(f"{base}.{alias.name}".strip(".") for alias in node.names))
