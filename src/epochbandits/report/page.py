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

from epochbandits.claims.assess import NOT_ASSESSED
from epochbandits.claims.rules import VERDICTS
from epochbandits.claims.texts import amount, estimate
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
    "partly": "part",
    "not reproduced": "no",
    "undetermined": "open",
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
        name for name in FIGURES if name in chosen
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
    tried, marks = entry["tried"], entry.get("marks", [])
    ends = [end for outcome in tried for end in outcome.get("interval") or ()]
    axis = Axis([*marks, *ends, *(outcome.get("estimate") for outcome in tried)])
    rows = []
    for outcome in tried:
        value, interval = estimate(outcome.get("estimate"), outcome.get("interval"))
        verdict = outcome.get("verdict", NOT_ASSESSED)
        bootstrap = estimate(outcome.get("estimate"), outcome.get("bootstrap"))[1]
        rows.append(
            {
                "condition": outcome["condition"],
                "verdict": verdict,
                "value": value,
                "range": interval,
                "again": bootstrap if outcome.get("bootstrap") else "",
                "bar": axis.bar(outcome),
                "size": _count(outcome.get("values")),
                "runs": _count(outcome.get("runs")),
            }
        )
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
        "tried": rows,
        "marks": [axis.position(mark) for mark in marks],
        "mark_texts": [amount(mark) for mark in marks],
        "log": axis.log,
        "drawn": any(row["bar"] for row in rows),
        "figure": cards.get(entry["evidence"]),
        "findings": [card for card in cards.values() if card["finding"] and _concerns(card, entry)],
        "held": [(v, n) for v in VERDICTS if (n := sum(row["verdict"] == v for row in rows))],
        "outcome": _outcome([row["verdict"] for row in rows]),
        "holding": sum(row["verdict"] == "reproduced" for row in rows),
    }


def _concerns(card: dict[str, Any], claim: dict[str, Any]) -> bool:
    """Return whether a figure is a claim's evidence, or a finding on the same part of the paper."""
    if card["finding"]:
        return bool(references(card["paper"]) & references(claim["where"]))
    return bool(claim["evidence"] == card["id"])


def _outcome(verdicts: Sequence[str]) -> str:
    """Return under how many conditions a claim holds, fails and is open."""
    words = {"reproduced": "holds", "not reproduced": "fails", "undetermined": "is open"}
    counts = {word: verdicts.count(verdict) for verdict, word in words.items()}
    parts = [f"{word} under {count}" for word, count in counts.items() if count]
    total = len(verdicts)
    return f"{', '.join(parts)} of {total} condition{'s' if total > 1 else ''}"


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
