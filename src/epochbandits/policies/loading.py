"""Find the policy that a command or a configuration names."""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import sys
from pathlib import Path
from typing import Any

from epochbandits.policies.base import POLICIES
from epochbandits.policies.places import import_place
from epochbandits.validation import InputError, choice

__all__ = ["ENTRY_POINTS", "find_policy"]

ENTRY_POINTS = "epochbandits.policies"
"""The group in which other packages register policies: a name, and ``module:Class``."""


def find_policy(text: str) -> Any:
    """Return the name of a built-in policy, or the class that a text names.

    The text is ``module:Class``, ``file.py:Class``, or the name under which an installed package
    registers a class (`ENTRY_POINTS`); a built-in policy of that name comes first. A class is
    loaded by running its module: name only code that you trust.
    """
    if ":" not in text and text not in POLICIES:
        registered = {e.name: e.value for e in importlib.metadata.entry_points(group=ENTRY_POINTS)}
        text = registered[choice(text, "policy", [*POLICIES, *sorted(registered)])]
    where, colon, name = text.rpartition(":")
    if not colon:
        return text
    try:
        if where.endswith(".py"):
            spec = importlib.util.spec_from_file_location(Path(where).stem, where)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            sys.modules[spec.name] = module
            spec.loader.exec_module(module)
        else:
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
