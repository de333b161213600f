"""Captions of figures: templates that read the configuration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import jinja2

from epochbandits.config.models import Config

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
    folder : has the Jinja templates ``<figure>.rst``
    sources : blocks of the configuration that the figure is drawn from
    sets : blocks of the sets of instances, by name
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder), undefined=jinja2.StrictUndefined
    )
    template = environment.get_template(f"{figure}.rst")
    return " ".join(template.render(sources=sources, sets=sets, config=config).split())
