"""From the folder of the studies' figures to one self-contained HTML file without scripts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import jinja2

from epochbandits.pipeline import results
from epochbandits.report.cards import make_card

__all__ = ["build_studies_page", "write_studies_page"]

_ASSETS = Path(__file__).parent / "assets"


def write_studies_page(
    out: str | Path,
    folder: str | Path,
    figures: Sequence[str],
    code: str = "",
    stamp: str = "",
    key: str = "",
    inputs: Mapping[str, str] | None = None,
) -> None:
    """Write the page of the studies; see `build_studies_page` and `page.write_page`."""
    results.accept(inputs)
    results.write_page(out, build_studies_page(Path(folder), figures, code, stamp, key), key)


def build_studies_page(
    folder: Path, figures: Sequence[str], code: str = "", stamp: str = "", key: str = ""
) -> str:
    """Return the page of the studies.

    Parameters
    ----------
    folder : has the figures' files
    figures : ids of the figures, in their order
    code : hash of the code that builds the page
    stamp : printed in the corner of each narrow drawing
    key : of the page
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_ASSETS),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["pretty"] = lambda value: json.dumps(value, indent=2, ensure_ascii=False)
    return environment.get_template("studies.html.j2").render(
        run=folder.name,
        cards=[make_card(folder, name, stamp) for name in figures],
        style=(_ASSETS / "page.css").read_text(encoding="utf-8").strip(),
        code=code,
        provenance=json.dumps({"page_code": code, "key": key}, sort_keys=True),
    )
