"""The pages' templates, styles and scripts."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jinja2

_ASSETS = Path(__file__).parent / "assets"


def asset(name: str) -> str:
    """Return the text of a style or script."""
    return (_ASSETS / name).read_text(encoding="utf-8").strip()


def template(name: str, **filters: Callable[..., Any]) -> jinja2.Template:
    """Return a template, which escapes all texts and has the filters."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_ASSETS),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(pretty=_pretty, **filters)
    return environment.get_template(name)


def _pretty(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
