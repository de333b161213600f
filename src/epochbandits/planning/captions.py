"""Captions of figures: templates that read the configuration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import jinja2

from epochbandits.config.models import Config
from epochbandits.figures.registry import SPECS

__all__ = ["caption"]


def caption(
    figure: str,
    folder: str,
    sources: Sequence[Mapping[str, Any]],
    sets: Mapping[str, Any],
    config: Config,
) -> str:
    """Return a figure's caption on one line.

    Parameters
    ----------
    folder : has the Jinja templates ``<figure>.rst``, and ``regret.rst`` for all others
    sources : blocks of the configuration that the figure is drawn from
    sets : blocks of the sets of instances, by name
    """
    name = figure if figure in SPECS else "regret"
    template = _templates(folder).get_template(f"{name}.rst")
    return " ".join(template.render(sources=sources, sets=sets, config=config).split())


@cache  # so that a template that others import is compiled once
def _templates(folder: str) -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), undefined=jinja2.StrictUndefined
    )
