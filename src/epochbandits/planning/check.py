"""Checks of a configuration against the registry of figures."""

from __future__ import annotations

from epochbandits.config.models import Config
from epochbandits.figures.registry import FIGURES
from epochbandits.validation import InputError, choice

__all__ = ["check_figures"]


def check_figures(config: Config) -> None:
    """Refuse a figure that does not exist, or whose source or policies do not."""
    for name, block in config.figures.items():
        path = ("figures", name)
        choice(name, "figure", FIGURES, path=path, key=True)
        kind = FIGURES[name].kind
        for source in block.source:
            choice(source, "source", getattr(config, kind), path=(*path, "source"))
        if block.policies is None:
            continue
        if kind != "experiments":
            raise InputError("the figure shows no policies", path=(*path, "policies"))
        known = {p for source in block.source for p in config.experiments[source].policies}
        for policy in block.policies:
            choice(policy, "policy", sorted(known), path=(*path, "policies"))
