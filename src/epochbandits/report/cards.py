"""What the page shows of each figure: its picture, texts, and files to download."""

from __future__ import annotations

import base64
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from epochbandits.io import files
from epochbandits.pipeline.layout import FigureFolder
from epochbandits.report.numbers import size
from epochbandits.validation import InputError

__all__ = ["embedded", "make_cards", "references", "slug", "versions"]

_NARROW = 300  # points; two pictures up to this width stand side by side
# The files of a figure, in the order in which they are embedded: the picture that the page shows
# first, the large PNG last.
_TYPES = {
    "svg": "image/svg+xml",
    "parquet": "application/vnd.apache.parquet",
    "pdf": "application/pdf",
    "png": "image/png",
}


def make_cards(folder: Path, names: Sequence[str], limit: int) -> dict[str, dict[str, Any]]:
    """Return the card of each figure, with its files embedded up to a limit in bytes."""
    cards = {name: _card(folder, name) for name in names}
    for finding in (False, True):
        _arrange([card for card in cards.values() if card["finding"] is finding])
    left, paths = limit, FigureFolder(folder)
    for end in _TYPES:
        for name, card in cards.items():
            path = Path(paths.plotted(name) if end == "parquet" else paths.picture(name, end))
            relative = str(path.relative_to(folder))
            if not path.is_file():
                raise InputError(f"{folder}: lacks {relative}; make all figures first")
            cost = path.stat().st_size * 4 // 3
            inside = end == "svg" or cost <= left
            left -= cost if inside else 0
            card["files"][end] = {
                "name": path.name,
                "href": embedded(path, _TYPES[end]) if inside else relative,
                "inside": inside,
                "size": size(path.stat().st_size),
            }
    return cards


def _card(folder: Path, name: str) -> dict[str, Any]:
    path = Path(FigureFolder(folder).sidecar(name))
    if not path.is_file():
        raise InputError(f"{folder}: lacks {path.name}; make all figures first")
    sidecar = files.read_json(path)
    width, height = _extent(Path(FigureFolder(folder).picture(name, "svg")))
    finding = re.match(r"finding(\d+)_", name)
    study = re.match(r"study(\d+)_", name)
    title = f"Finding {finding[1]}" if finding else f"Study {study[1]}" if study else None
    return {
        **sidecar,
        "id": name,
        "anchor": slug(name),
        "finding": finding is not None,
        "title": title or sidecar["paper"],
        "width": round(width),
        "height": round(height),
        "files": {},
    }


def _extent(path: Path) -> tuple[float, float]:
    """Return width and height of a picture in points, which keep its room before it loads."""
    head = path.read_text(encoding="utf-8")[:4000] if path.is_file() else ""
    box = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', head)
    return (float(box[1]), float(box[2])) if box else (480.0, 300.0)


def _arrange(cards: Sequence[dict[str, Any]]) -> None:
    """Mark the pictures as wide as the page, and the narrow ones that have no neighbour."""
    paired = False
    for i, card in enumerate(cards):
        card["shape"] = "wide" if card["width"] > _NARROW else ""
        follows = i + 1 < len(cards) and cards[i + 1]["width"] <= _NARROW
        if not card["shape"] and not paired and not follows:
            card["shape"] = "alone"
        paired = card["shape"] == "" and not paired


def references(place: str) -> set[tuple[str, str]]:
    """Return the parts of the paper that a text names: "Figs 3b and 3c" are two figures."""
    kinds = "Fig|Section|Theorem|Lemma|Corollary|Remark|Example|Algorithm"
    number = r"\d[\d.]*[a-z]?"
    matches = re.findall(rf"({kinds})s?\.? ({number}(?:(?:, | and ){number})*)", place)
    return {(kind, one) for kind, numbers in matches for one in re.findall(number, numbers)}


def versions(cards: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the different sets of versions, each with the figures drawn with it."""
    result: list[dict[str, Any]] = []
    for card in cards:
        same = next((one for one in result if one["versions"] == card["versions"]), None)
        if same is None:
            same = {"versions": card["versions"], "figures": []}
            result.append(same)
        same["figures"].append(card)
    return result


def embedded(path: Path, mime: str) -> str:
    """Return a file as a data URL."""
    return f"data:{mime};base64,{base64.b64encode(path.read_bytes()).decode()}"


def slug(text: str) -> str:
    """Return a text as the id of an element."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
