"""What the page shows of each figure: both drawings, texts, and the files beside the page."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pandas as pd

from epochbandits.io import files, parquet
from epochbandits.pipeline.layout import FORMATS, FigureFolder
from epochbandits.report import svg
from epochbandits.report.headlines import headline
from epochbandits.report.numbers import size
from epochbandits.validation import InputError

_NARROW = 300  # points; a picture up to this width fits a phone as it is
_FILES = {"parquet": "Data"} | {end: end.upper() for end in FORMATS}


def make_cards(
    folder: Path, names: Sequence[str], narrow: bool = True, processes: int = 1
) -> list[dict[str, Any]]:
    """Return the cards of some figures; see `make_card`."""
    make = partial(make_card, folder, narrow=narrow)
    if processes == 1 or sys.platform != "linux":
        return [make(name) for name in names]
    # Other ways to start a process run the main script again, which here is the whole job.
    with ProcessPoolExecutor(processes, mp_context=get_context("fork")) as pool:
        return list(pool.map(make, names))


def make_card(folder: Path, name: str, narrow: bool = True) -> dict[str, Any]:
    """Return what the page shows of a figure, with its plotted table.

    ``narrow``: with a second drawing for phones, if the figure is wide.
    """
    paths = FigureFolder(folder)
    outputs = {"parquet": Path(paths.plotted(name))}
    outputs |= {end: Path(paths.picture(name, end)) for end in FORMATS}
    for path in (Path(paths.sidecar(name)), *outputs.values()):
        if not path.is_file():
            raise InputError(f"{folder}: lacks {path.relative_to(folder)}; make all figures first")
    sidecar = files.read_json(paths.sidecar(name))
    wide = svg.minified(outputs["svg"].read_text(encoding="utf-8"))
    width, height = svg.extent(wide)
    data = pd.DataFrame(parquet.read_any(outputs["parquet"]).columns)
    finding = re.match(r"finding(\d+)_", name)
    study = re.match(r"study(\d+)_", name)
    title = f"Finding {finding[1]}" if finding else f"Study {study[1]}" if study else None
    card = {
        **sidecar,
        "id": name,
        "anchor": slug(name),
        "finding": finding is not None,
        "title": title or sidecar["paper"],
        "headline": headline(name, data),
        "shape": "wide" if width > _NARROW else "",
        "width": width,
        "height": height,
        "picture": svg.data_url(wide),
        "narrow": None,
        "data": data,
        "files": [
            (label, str(outputs[end].relative_to(folder)), size(outputs[end].stat().st_size))
            for end, label in _FILES.items()
        ],
    }
    if narrow and width > _NARROW:
        from epochbandits.figures import render  # imports Matplotlib, which takes half a second

        small = svg.minified(render.narrow_svg(name, data))
        extent = dict(zip(("width", "height"), svg.extent(small), strict=True))
        card["narrow"] = {"picture": svg.data_url(small), **extent}
    return card


def references(place: str) -> set[tuple[str, str]]:
    """Return the parts of the paper that a text names: "Figs 3b and 3c" are two figures."""
    kinds = "Fig|Section|Theorem|Lemma|Corollary|Remark|Example|Algorithm"
    number = r"\d[\d.]*[a-z]?"
    matches = re.findall(rf"({kinds})s?\.? ({number}(?:(?:, | and ){number})*)", place)
    return {(kind, label) for kind, numbers in matches for label in re.findall(number, numbers)}


def versions(cards: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the different sets of versions, each with the figures drawn with it."""
    result: list[dict[str, Any]] = []
    for card in cards:
        same = next((group for group in result if group["versions"] == card["versions"]), None)
        if same is None:
            same = {"versions": card["versions"], "figures": []}
            result.append(same)
        same["figures"].append(card)
    return result


def slug(text: str) -> str:
    """Return a text as the id of an element."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
