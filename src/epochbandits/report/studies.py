"""From the folder of the studies' figures to one self-contained HTML file without scripts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from epochbandits.io import files
from epochbandits.pipeline import results
from epochbandits.report.cards import make_card
from epochbandits.report.templates import asset, template

__all__ = ["build_studies_page", "write_studies_page"]


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
    files.write_text(out, build_studies_page(Path(folder), figures, code, stamp, key), key or None)


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
    return template("studies.html.j2").render(
        run=folder.name,
        cards=[make_card(folder, name, stamp) for name in figures],
        style=asset("page.css"),
        code=code,
        provenance=json.dumps({"page_code": code, "key": key}, sort_keys=True),
    )
