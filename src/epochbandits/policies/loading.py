"""Find the policy that a command or a configuration names."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from epochbandits.policies.base import POLICIES
from epochbandits.policies.error_locations import import_place
from epochbandits.validation import InputError, choice

ENTRY_POINTS = "epochbandits.policies"
"""The group in which other packages register policies: a name, and ``module:Class``."""


class Code(NamedTuple):
    """A user's class."""

    where: str
    """A module, or a file that ends in .py."""
    name: str

    @property
    def is_file(self) -> bool:
        return self.where.endswith(".py")


def parse_code(text: str) -> Code | None:
    """Return the class that ``module:Class`` or ``file.py:Class`` names; None for other texts."""
    where, colon, name = text.rpartition(":")
    return Code(where, name) if colon else None


def registered() -> dict[str, str]:
    """Return the policies that installed packages register: ``module:Class`` by name.

    A name may also be that of a built-in policy; `resolve` rejects it.
    """
    return {name: entries[0].value for name, entries in _entry_points(tuple(sys.path)).items()}


def known_policies() -> list[str]:
    """Return the names of the built-in policies, then those of the registered ones."""
    return [*POLICIES, *sorted(registered().keys() - POLICIES.keys())]


def resolve(text: str) -> str:
    """Return what a text names: a built-in policy, ``module:Class`` or ``file.py:Class``.

    A name shared by two policies is rejected, whether one of them is built in or both are
    registered.
    """
    if parse_code(text):
        return text
    choice(text, "policy", known_policies())
    entries = _entry_points(tuple(sys.path)).get(text, [])
    if len(entries) + (text in POLICIES) > 1:
        packages = " and ".join(f"{e.dist.name} ({e.value})" for e in entries if e.dist)
        builtin = "a built-in policy has this name, and " if text in POLICIES else ""
        raise InputError(
            f"policy {text!r} is ambiguous: {builtin}it is registered by {packages}; uninstall the "
            "package, or register another name"
        )
    return entries[0].value if entries else text


@cache
def _entry_points(path: tuple[str, ...]) -> dict[str, list[importlib.metadata.EntryPoint]]:
    """Return the registered policies by name; ``path`` is Python's, where packages are found."""
    entries: dict[str, list[importlib.metadata.EntryPoint]] = {}
    for entry in importlib.metadata.entry_points(group=ENTRY_POINTS):
        entries.setdefault(entry.name, []).append(entry)
    return entries


def find_policy(text: str) -> Any:
    """Return the name of a built-in policy, or the class that a text names.

    The text is ``module:Class``, ``file.py:Class``, or the name under which an installed package
    registers a class (`ENTRY_POINTS`). A class is loaded by running its module: name only code that
    you trust.
    """
    text = resolve(text)
    code = parse_code(text)
    if code is None:
        return text
    where, name = code
    try:
        if code.is_file:
            module = _run_file(os.path.abspath(where), os.stat(where).st_mtime_ns)
        else:
            if "" not in sys.path:
                sys.path.insert(0, "")
            module = importlib.import_module(where)
    except (Exception, SystemExit) as error:
        raise InputError(
            f"policy {text!r}: {where} cannot be imported: {type(error).__name__}: {error}"
            f"{import_place(error, where)}"
        ) from error
    if not hasattr(module, name):
        raise InputError(f"policy {text!r}: {where} has no {name!r}")
    return getattr(module, name)


@cache
def _run_file(path: str, changed_at: int) -> ModuleType:
    """Return the module of a file, which runs again only if the file was changed."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
