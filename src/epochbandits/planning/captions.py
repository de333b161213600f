"""Captions of figures: templates that read the configuration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import jinja2

from epochbandits.config.models import Config

__all__ = ["caption"]


def caption(
    template: Path, sources: Sequence[Mapping[str, Any]], sets: Mapping[str, Any], config: Config
) -> str:
    """Return a figure's caption on one line.

    Parameters
    ----------
    template : a Jinja template, ``workflow/report/<figure>.rst``
    sources : blocks of the configuration that the figure is drawn from
    sets : blocks of the sets of instances, by name
    """
    text = template.read_text(encoding="utf-8")
    rendered = jinja2.Template(text, undefined=jinja2.StrictUndefined).render(
        sources=sources, sets=sets, config=config
    )
    return " ".join(rendered.split())
