"""From a run's folder to one self-contained HTML file.

Pictures, data, style and scripts are embedded, so that the page loads nothing from elsewhere. Its
texts come from the run's JSON files and are escaped; its security policy allows no other scripts.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from epochbandits.claims.markdown import beyond
from epochbandits.claims.texts import amount, estimate
from epochbandits.claims.verdicts import NOT_ASSESSABLE, NOT_ASSESSED, VERDICTS
from epochbandits.figures.registry import FIGURES
from epochbandits.io import files
from epochbandits.pipeline import results
from epochbandits.pipeline.layout import FigureFolder
from epochbandits.provenance.commit import Commit, commit
from epochbandits.report import key as legend
from epochbandits.report import playground
from epochbandits.report.cards import make_cards, references, slug, versions
from epochbandits.report.headlines import FAILURES, lock_in_chart, outcome
from epochbandits.report.numbers import Axis
from epochbandits.report.studies import build_studies_page
from epochbandits.report.studies import studies as studies_part
from epochbandits.report.templates import asset, template
from epochbandits.validation import InputError

_TINY = 1e-12
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
    out: str | Path,
    folder: str | Path,
    figures: Iterable[str] | None = None,
    code: str = "",
    narrow: bool = True,
    key: str = "",
    inputs: Mapping[str, str] | None = None,
    studies: str = "",
    of_studies: bool = False,
    processes: int = 1,
) -> None:
    """Write the page of a run, with the commit of the sources; see `build_page`.

    ``of_studies``: it is the run of the studies, whose page has no ledger. ``inputs`` maps the
    ledger and the sidecars, which have the checksums of the figures' other files, to their expected
    keys (`results.accept`).
    """
    results.accept(inputs)
    if of_studies:
        page = build_studies_page(Path(folder), figures or (), code, narrow, key, processes)
    else:
        page = build_page(Path(folder), figures, code, narrow, commit(), key, studies, processes)
    results.write_page(out, page, key)


def build_page(
    folder: Path,
    figures: Iterable[str] | None = None,
    code: str = "",
    narrow: bool = True,
    built: Commit | None = None,
    key: str = "",
    studies: str = "",
    processes: int = 1,
) -> str:
    """Return the page of a run.

    Parameters
    ----------
    folder : Path
        Has ``claims.json`` and the figures' files.
    figures : Iterable[str] | None
        Ids of figures; None: all that the folder has.
    code : str
        Hash of the code that builds the page.
    narrow : bool
        With a second drawing of each wide figure, for phones; they take most of the time.
    built : Commit | None
        Commit of the sources, if it is known.
    key : str
        Key of the page.
    studies : str
        `studies.published_digest`; without it, the studies have no pictures.
    processes : int
        Number of processes for the narrow drawings.
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
    cards = dict(zip(names, make_cards(folder, names, narrow, processes), strict=True))
    claims = [_claim(entry, cards) for entry in ledger["claims"]]
    for card in cards.values():
        card["claims"] = [claim for claim in claims if _concerns(card, claim)]
    unassessed = sum(claim["verdict"] == NOT_ASSESSED for claim in claims)
    style = "\n".join(asset(name) for name in ("page.css", "play.css"))
    script = "\n".join(asset(name) for name in ("engine.js", "play.js", "page.js"))
    early = asset("early.js")
    return template("page.html.j2", amount=amount, look=_LOOKS.__getitem__, slug=slug).render(
        run=ledger["about"].get("run", folder.name),
        about=ledger["about"],
        built=built,
        provenance=json.dumps(
            {**ledger["about"], "page_code": code, "commit": built and built.hash, "key": key},
            sort_keys=True,
        ),
        thresholds=ledger["thresholds"],
        claims=claims,
        counts=_counts(claims),
        beyond_counts=_counts_of(cell["verdict"] for claim in claims for cell in claim["beyond"]),
        unassessed=unassessed,
        bare=_bare(claims, cards),
        groups=[
            [card for card in cards.values() if card["finding"] is finding]
            for finding in (True, False)
        ],
        **_first_screen(claims, cards, unassessed < len(claims)),
        playground=json.dumps(playground.setup()),
        studies=studies_part(studies),
        classes=legend.classes(),
        samplings=legend.samplings(),
        versions=versions(list(cards.values())),
        paper=_PAPER,
        code=code,
        style=style,
        script=script,
        early=early,
        policy=_policy(script, early),
    )


def _first_screen(
    claims: Sequence[dict[str, Any]], cards: Mapping[str, dict[str, Any]], assessed: bool
) -> dict[str, Any]:
    """Return what came out, in sentences and a chart; both empty if no claim was assessed."""
    if not assessed:
        return {"outcome": [], "chart": None}
    tables = {name: card["data"] for name, card in cards.items()}
    return {
        "outcome": outcome(claims, tables),
        "chart": lock_in_chart(tables[FAILURES]) if FAILURES in tables else None,
    }


# --- claims ---------------------------------------------------------------------------------------


def _claim(entry: dict[str, Any], cards: dict[str, Any]) -> dict[str, Any]:
    """Return a claim with the values and anchors that the page shows."""
    cells, marks = [*entry["setting"], *entry["beyond"]], entry["marks"]
    ends = [end for cell in cells for end in cell["interval"] or ()]
    axis = Axis([*marks, *ends, *(cell["estimate"] for cell in cells)])
    value, interval = _estimate(entry)
    first, _, rest = entry["where"].partition(",")
    return {
        **entry,
        "anchor": slug(entry["id"]),
        "value": value,
        "range": interval,
        "place": first,
        "link": _section_link(first),
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
        "depends_on": entry.get("depends_on", []),  # a ledger of an older run has none
        "beyond_words": beyond(entry),
        "held": _counts_of(cell["verdict"] for cell in entry["beyond"]),
        "shown": sum(cell["verdict"] == "reproduced" for cell in entry["setting"]),
    }


def _row(cell: dict[str, Any], axis: Axis) -> dict[str, Any]:
    """Return a cell of the matrix as the texts of a row."""
    value, interval = _estimate(cell)
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


def _estimate(outcome: dict[str, Any]) -> tuple[str, str]:
    """Return estimate and interval as texts; Wilson's without successes begins at exactly zero."""
    ends = outcome["interval"]
    return estimate(
        outcome["estimate"], ends and [0.0 if e and abs(e) < _TINY else e for e in ends]
    )


def _concerns(card: dict[str, Any], claim: dict[str, Any]) -> bool:
    """Return whether a figure is a claim's evidence, or a finding on the same part of the paper."""
    if card["finding"]:
        return bool(references(card["paper"]) & references(claim["where"]))
    return bool(claim["evidence"] == card["id"])


def _count(number: int | None) -> str:
    return "–" if number is None else f"{number:,}"


def _counts(claims: Sequence[dict[str, Any]]) -> list[tuple[str, int]]:
    """Return how often each verdict occurs; with zero counts if some claim is assessed."""
    counts = {v: sum(claim["verdict"] == v for claim in claims) for v in (*VERDICTS, NOT_ASSESSED)}
    some = counts[NOT_ASSESSED] < len(claims)
    return [(v, n) for v, n in counts.items() if n or (some and v != NOT_ASSESSED)]


def _counts_of(verdicts: Iterable[str]) -> list[tuple[str, int]]:
    """Return how often each verdict occurs, without zero counts."""
    listed = list(verdicts)
    return [(v, n) for v in VERDICTS if (n := listed.count(v))]


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
