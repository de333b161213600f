"""From a configuration to the plan of its run, checked before any job starts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from epochbandits.claims.check import check as check_claims
from epochbandits.config.loading import load, locating
from epochbandits.config.reading import StrPath, read_yaml
from epochbandits.planning.check import check_figures, check_simulations
from epochbandits.planning.plan import Plan
from epochbandits.planning.studies import RUN
from epochbandits.validation import InputError

__all__ = ["load_plan"]


def load_plan(config: Mapping[str, Any], paths: Iterable[StrPath] = ()) -> Plan:
    """Return the plan of a configuration that was read from ``paths``, later over earlier."""
    paths = list(paths)
    for path in paths:  # Snakemake reads them less strictly
        if "__use_yte__" in read_yaml(path):
            raise InputError(f"{path}: __use_yte__ makes Snakemake run code; write plain YAML")
    checked = load(config, paths)
    with locating(config, paths):
        if checked.run == RUN:
            raise InputError("is the run of config/studies; choose another", path=("run",))
        check_figures(checked)
        check_claims(checked)
        plan = Plan(checked)
        check_simulations(plan)
    return plan
