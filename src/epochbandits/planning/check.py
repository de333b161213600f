"""Checks of a configuration that its models cannot make: they need figures and policies."""

from __future__ import annotations

from epochbandits.config.models import Config
from epochbandits.figures.registry import SPECS, spec_of
from epochbandits.io.schemas import REGRET_FIGURE
from epochbandits.pipeline import instance_sets
from epochbandits.planning.plan import Plan
from epochbandits.validation import InputError, choice

__all__ = ["check_figures", "check_simulations"]


def check_figures(config: Config) -> None:
    """Refuse a figure that does not exist, or whose source or policies do not."""
    for name, block in config.figures.items():
        path = ("figures", name)
        if not name.startswith(REGRET_FIGURE):
            known_figures = [*SPECS, f"{REGRET_FIGURE}<experiment>"]
            choice(name, "figure", known_figures, path=path, key=True)
        kind = spec_of(name).kind
        for source in block.source:
            choice(source, "source", getattr(config, kind), path=(*path, "source"))
        count = spec_of(name).sources
        if count is not None and len(block.source) != count:
            raise InputError(
                f"the figure needs {count} of {kind}, not {len(block.source)}",
                path=(*path, "source"),
            )
        if block.policies is None:
            continue
        if kind != "experiments":
            raise InputError("the figure shows no policies", path=(*path, "policies"))
        known = {p for source in block.source for p in config.experiments[source].policies}
        for policy in block.policies:
            choice(policy, "policy", sorted(known), path=(*path, "policies"))


def check_simulations(plan: Plan) -> None:
    """Refuse instances, policies and parameters that the library refuses, before any job."""
    first = {}
    for name in plan.config.instances:
        try:
            first[name] = instance_sets.make(plan.block("instances", name), first_only=True)[0]
        except InputError as error:
            raise error.at(("instances", name)) from None
    for name, block in plan.config.experiments.items():
        for policy in block.policies:
            tuned = plan.config.policies[policy].tuned if block.tuned_on else {}
            try:
                grid = plan.grid(name, policy).with_params({k: v[0] for k, v in tuned.items()})
                for instances in block.instances:
                    for cell in grid.cells:
                        grid.simulation(first[instances], *cell)
            except InputError as error:
                raise error.at(("policies", policy), f"in experiments.{name}") from None
