"""From a configuration to a checked `Plan`, before any job starts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any

from epochbandits.config.loading import KeyedError, load, located
from epochbandits.config.reading import read_yaml
from epochbandits.model.instance import Instance
from epochbandits.pipeline import instance_sets
from epochbandits.planning.plan import Plan
from epochbandits.validation import InputError

__all__ = ["load_plan"]


def load_plan(
    config: Mapping[str, Any], paths: Iterable[str | os.PathLike[str]] = ()
) -> Plan:
    """Return the plan of a configuration, or refuse one that could not be run.

    Parameters
    ----------
    config : the merged configuration, as Snakemake read it
    paths : its files, in which the line of an error is looked up
    """
    files = list(paths)
    for path in files:
        # Reading refuses keys that are given twice, of which Snakemake takes the last.
        if "__use_yte__" in read_yaml(path):
            raise InputError(f"{path}: __use_yte__ makes Snakemake run code; write plain YAML")
    plan = Plan(load(config, files))
    with located(files):
        _check_simulations(plan)
    return plan


def _check_simulations(plan: Plan) -> None:
    """Refuse what only the library can judge: instances, policies and their parameters."""
    config = plan.config
    first = {name: _first_instance(plan, name) for name in config.instances}
    for name, block in config.experiments.items():
        for policy in block.policies:
            tuned = config.policies[policy].tuned if block.tuned_on else {}
            try:
                grid = plan.grid(name, policy).with_params({k: v[0] for k, v in tuned.items()})
                for instances in block.instances:
                    for cell in grid.cells:
                        grid.simulation(first[instances], *cell)
            except InputError as error:
                message = f"policies.{policy} (in experiments.{name}): {error}"
                raise KeyedError(("policies", policy), message) from None


def _first_instance(plan: Plan, name: str) -> Instance:
    try:
        return instance_sets.make(plan.block("instances", name), first_only=True)[0]
    except InputError as error:
        raise KeyedError(("instances", name), f"instances.{name}: {error}") from None
