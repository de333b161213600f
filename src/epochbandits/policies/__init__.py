"""Policies, one file each, by name in `POLICIES`; `base` says what a policy is.

Importing a file registers its policies, and this package imports every file in it.
"""

import importlib
import pkgutil

from epochbandits.policies.base import POLICIES, Builtin, Info, Policy, register

__all__ = ["POLICIES", "Builtin", "Info", "Policy", "register"]

for _file in pkgutil.iter_modules(__path__):  # in the order of their names
    importlib.import_module(f"{__name__}.{_file.name}")
