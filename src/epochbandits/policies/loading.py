"""Find the policy that a command or a configuration names."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import Any

from epochbandits.policies.base import POLICIES
from epochbandits.policies.places import import_place
from epochbandits.validation import InputError, choice

__all__ = ["find_policy"]


def find_policy(text: str) -> Any:
    """Return the name of a built-in policy, or the class of ``module:Class`` or ``file.py:Class``.

    A class is loaded by running its module: name only code that you trust.
    """
    where, colon, name = text.rpartition(":")
    if not colon:
        return choice(text, "policy", POLICIES)
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
