"""Checks that concern several blocks of a configuration.

A check of one block is in its model; what needs the registry of figures is in `planning`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from epochbandits.limits import MAX_JOBS
from epochbandits.validation import InputError, choice

if TYPE_CHECKING:  # the models call these checks
    from epochbandits.config.models import Config


def check_blocks(config: Config) -> None:
    """Reject names of blocks that do not exist, too many jobs, and tuning on the test set."""
    _check_names(config, "experiments", "instances", config.instances)
    _check_names(config, "experiments", "policies", config.policies)
    _check_names(config, "experiments", "tuned_on", config.experiments)
    _check_names(config, "bounds", "instances", config.instances)
    _check_names(config, "inequalities", "instances", config.instances)
    _check_jobs(config)
    for name in config.experiments:
        _check_tuning(config, name)


def _check_names(config: Config, kind: str, key: str, known: Iterable[str]) -> None:
    for name, block in getattr(config, kind).items():
        entries = getattr(block, key)
        for entry in entries if isinstance(entries, list) else [entries]:
            if entry is not None:
                choice(entry, "the name", known, path=(kind, name, key))


def _check_jobs(config: Config) -> None:
    jobs = 0
    for name, block in config.experiments.items():
        shards = -(-block.seeds // (block.seeds_per_job or config.seeds_per_job))
        jobs += shards * -(-len(block.policies) // config.policies_per_job)
        if jobs > MAX_JOBS:
            raise InputError(
                f"the run has more than {MAX_JOBS} simulation jobs; "
                "set a larger seeds_per_job or policies_per_job",
                path=("experiments", name, "seeds"),
            )


def _check_tuning(config: Config, name: str) -> None:
    """Reject parameters that are tuned on the instances that they are then tested on."""
    block = config.experiments[name]
    if block.tuned_on is None:
        return
    tuning = config.experiments[block.tuned_on]
    if block.tuned_on == name or tuning.tuned_on is not None:
        raise InputError(
            f"must name an experiment without tuned_on, not {block.tuned_on!r}",
            path=("experiments", name, "tuned_on"),
        )
    for set_name in block.instances:
        if any(config.instances[set_name].overlaps(config.instances[o]) for o in tuning.instances):
            raise InputError(
                f"{set_name} must not share instances with {block.tuned_on}, on which the "
                "parameters are tuned",
                path=("experiments", name, "instances"),
            )
    for policy in block.policies:
        if config.policies[policy].tuned and policy not in tuning.policies:
            raise InputError(
                f"must contain {policy}, whose tuned parameters experiments.{name} takes from here",
                path=("experiments", block.tuned_on, "policies"),
            )
