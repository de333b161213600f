"""From the folder of the studies' figures to one self-contained HTML file without scripts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from epochbandits.pipeline import results
from epochbandits.report.cards import make_cards
from epochbandits.report.templates import asset, template

__all__ = ["write_studies_page"]


def write_studies_page(
    out: str | Path,
    folder: str | Path,
    figures: Sequence[str],
    code: str = "",
    stamp: str = "",
    key: str = "",
    inputs: Mapping[str, str] | None = None,
    processes: int = 1,
) -> None:
    """Write the page of the studies; the arguments are those of `page.write_page`."""
    results.accept(inputs)
    page = template("studies.html.j2").render(
        run=Path(folder).name,
        cards=make_cards(Path(folder), figures, stamp, processes),
        style=asset("page.css"),
        code=code,
        provenance=json.dumps({"page_code": code, "key": key}, sort_keys=True),
    )
    results.write_page(out, page, key)
