"""From a run's folder to one self-contained HTML file.

Pictures, data, style and scripts are embedded, so that the page loads nothing from elsewhere. Its
texts come from the run's JSON files and are escaped; its security policy allows no other scripts.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import jinja2

from epochbandits.claims.assess import beyond
from epochbandits.claims.texts import amount, estimate
from epochbandits.claims.verdicts import NOT_ASSESSABLE, NOT_ASSESSED, VERDICTS
from epochbandits.figures.registry import FIGURES
from epochbandits.io import files
from epochbandits.pipeline.layout import FigureFolder
from epochbandits.report.cards import embedded, make_cards, references, slug, versions
from epochbandits.report.numbers import Axis
from epochbandits.validation import InputError

__all__ = ["LIMIT", "build_page", "write_page"]

LIMIT = 9_000_000
"""Bytes of files that are embedded in the page; it links to the rest."""
_ASSETS = Path(__file__).parent / "assets"
_PAPER = "https://arxiv.org/abs/1803.04008"
_SECTIONS = "https://ar5iv.labs.arxiv.org/html/1803.04008"
_LOOKS = {
    "reproduced": "yes",
    "not reproduced": "no",
    "undetermined": "open",
    NOT_ASSESSABLE: "part",
    NOT_ASSESSED: "none",
}


def write_page(
    out: str | Path, folder: str | Path, figures: Iterable[str] | None = None, code: str = ""
) -> None:
    """Write the page of a run; see `build_page`."""
    files.write_text(out, build_page(Path(folder), figures, code))


def build_page(
    folder: Path, figures: Iterable[str] | None = None, code: str = "", limit: int = LIMIT
) -> str:
    """Return the page of a run.

    Parameters
    ----------
    folder : has ``claims.json`` and the figures' files
    figures : ids of figures; None: all that the folder has
    code : hash of the code that builds the page
    limit : bytes of files to embed
    """
    paths = FigureFolder(folder)
    if not Path(paths.claims).is_file():
        raise InputError(f"{folder}: lacks claims.json; run the pipeline for it first")
    ledger = files.read_json(paths.claims)
    chosen = set(FIGURES if figures is None else figures)
    names = [
        name for name in [*FIGURES, *sorted(chosen - FIGURES.keys())] if name in chosen
        and (figures is not None or Path(paths.sidecar(name)).is_file())
    ]  # fmt: skip
    cards = make_cards(folder, names, limit)
    claims = [_claim(entry, cards) for entry in ledger["claims"]]
    for card in cards.values():
        card["claims"] = [claim for claim in claims if _concerns(card, claim)]
    style, script, early = (_asset(name) for name in ("page.css", "page.js", "early.js"))
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_ASSETS),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(amount=amount, look=_LOOKS.__getitem__, pretty=_pretty)
    return environment.get_template("page.html.j2").render(
        run=ledger["about"].get("run", folder.name),
        about=ledger["about"],
        provenance=json.dumps({**ledger["about"], "page_code": code}, sort_keys=True),
        thresholds=ledger["thresholds"],
        claims=claims,
        counts=_counts(claims),
        unassessed=sum(claim["verdict"] == NOT_ASSESSED for claim in claims),
        places=_places(claims, cards),
        bare=_bare(claims, cards),
        groups=[
            [card for card in cards.values() if card["finding"] is finding]
            for finding in (True, False)
        ],
        versions=versions(list(cards.values())),
        ledger_file=embedded(Path(paths.claims), "application/json"),
        paper=_PAPER,
        code=code,
        style=style,
        script=script,
        early=early,
        policy=_policy(script, early),
    )


# --- claims ---------------------------------------------------------------------------------------


def _claim(entry: dict[str, Any], cards: dict[str, Any]) -> dict[str, Any]:
    """Return a claim with the values and anchors that the page shows."""
    cells, marks = [*entry["setting"], *entry["beyond"]], entry["marks"]
    ends = [end for cell in cells for end in cell["interval"] or ()]
    axis = Axis([*marks, *ends, *(cell["estimate"] for cell in cells)])
    value, interval = estimate(entry["estimate"], entry["interval"])
    first, _, rest = entry["where"].partition(",")
    return {
        **entry,
        "anchor": slug(entry["id"]),
        "value": value,
        "range": interval,
        "place": first,
        "place_anchor": slug(first),
        "place_rest": re.sub(r" (?=\d)", "\N{NO-BREAK SPACE}", rest),
        "matrices": [
            (title, [_row(cell, axis) for cell in entry[key]])
            for title, key in (("In the paper’s setting", "setting"), ("Beyond it", "beyond"))
            if entry[key]
        ],
        "marks": [axis.position(mark) for mark in marks],
        "mark_texts": [amount(mark) for mark in marks],
        "log": axis.log,
        "drawn": any(cell["estimate"] is not None for cell in cells),
        "figure": cards.get(entry["evidence"]),
        "findings": [card for card in cards.values() if card["finding"] and _concerns(card, entry)],
        "beyond_counts": beyond(entry),
        "held": [
            (v, n) for v in VERDICTS if (n := sum(c["verdict"] == v for c in entry["beyond"]))
        ],
    }


def _row(cell: dict[str, Any], axis: Axis) -> dict[str, Any]:
    """Return a cell of the matrix as the texts of a row."""
    value, interval = estimate(cell["estimate"], cell["interval"])
    parts = (cell["class"], cell["size"], cell["sampling"], cell["horizon"])
    texts = [f"n = {part:,}" if isinstance(part, int) else part for part in parts if part]
    return {
        "condition": cell["condition"],
        "place": ", ".join(texts),
        "verdict": cell["verdict"],
        "vacuous": bool(cell.get("vacuous")),
        "value": value,
        "range": interval,
        "bar": axis.bar(cell),
        "size": _count(cell.get("values")),
        "runs": _count(cell.get("runs")),
    }


def _concerns(card: dict[str, Any], claim: dict[str, Any]) -> bool:
    """Return whether a figure is a claim's evidence, or a finding on the same part of the paper."""
    if card["finding"]:
        return bool(references(card["paper"]) & references(claim["where"]))
    return bool(claim["evidence"] == card["id"])


def _count(number: int | None) -> str:
    return "–" if number is None else f"{number:,}"


def _counts(claims: Sequence[dict[str, Any]]) -> list[tuple[str, int]]:
    """Return how often each verdict occurs; those that do not only if some claim is assessed."""
    counts = {v: sum(claim["verdict"] == v for claim in claims) for v in (*VERDICTS, NOT_ASSESSED)}
    some = counts[NOT_ASSESSED] < len(claims)
    return [(v, n) for v, n in counts.items() if n or (some and v != NOT_ASSESSED)]


def _places(claims: Sequence[dict[str, Any]], cards: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the parts of the paper, in the order of the ledger, with their claims and figures."""
    names = dict.fromkeys(claim["place"] for claim in claims)
    result = []
    for name in names:
        here = [claim for claim in claims if claim["place"] == name]
        shown = dict.fromkeys(claim["evidence"] for claim in here if claim["evidence"] in cards)
        result.append(
            {
                "name": name,
                "anchor": slug(name),
                "link": _section_link(name),
                "claims": here,
                "figures": [cards[figure] for figure in shown],
            }
        )
    return result


def _section_link(place: str) -> str:
    """Return the address of a numbered section, by LaTeXML's names, or else of the paper."""
    section = re.fullmatch(r"Section (\d+)(?:\.(\d+))?(?:\.(\d+))?", place)
    if not section:
        return _PAPER
    parts = zip(("S", "SS", "SSS"), section.groups(), strict=True)
    return f"{_SECTIONS}#{'.'.join(kind + number for kind, number in parts if number)}"


def _bare(claims: Sequence[dict[str, Any]], cards: dict[str, Any]) -> dict[str, list[Any]]:
    """Return the claims whose evidence is not a figure of the page, by their evidence."""
    result: dict[str, list[Any]] = {}
    for claim in claims:
        if claim["evidence"] not in cards:
            result.setdefault(claim["evidence"], []).append(claim)
    return result


# --- parts of the file ----------------------------------------------------------------------------


def _policy(*scripts: str) -> str:
    """Return the content security policy: nothing from elsewhere, and only these scripts."""
    digests = (hashlib.sha256(script.encode()).digest() for script in scripts)
    allowed = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return (
        f"default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src {allowed}; "
        "base-uri 'none'; form-action 'none'"
    )


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text(encoding="utf-8").strip()


def _pretty(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
