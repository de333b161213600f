"""From a run's folder to one HTML file with everything in it.

The page asks for nothing from elsewhere: pictures, data, style and script stand in it. Its texts
come from the run's JSON files and are escaped; its policy allows no script but its own.
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

from epochbandits import files
from epochbandits.claims.assess import NOT_ASSESSED
from epochbandits.claims.rules import VERDICTS
from epochbandits.figures.registry import FIGURES
from epochbandits.report.numbers import Axis, amount, estimate, size
from epochbandits.validation import InputError

__all__ = ["LIMIT", "build_page", "write_page"]

LIMIT = 9_500_000
"""Bytes of files that are put into the page; what is beyond is linked to beside it."""
_ASSETS = Path(__file__).parent / "assets"
_TYPES = {
    "svg": "image/svg+xml",
    "parquet": "application/vnd.apache.parquet",
    "pdf": "application/pdf",
    "png": "image/png",
    "json": "application/json",
}
_NARROW = 300  # points; two pictures up to this width stand side by side
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
    figures : which of the registry's figures; all that the folder has if not given
    code : hash of the code that makes the page
    limit : bytes of files that the page may hold
    """
    if not (folder / "claims.json").is_file():
        raise InputError(f"{folder}: lacks claims.json; run the pipeline for it first")
    ledger = files.read_json(folder / "claims.json")
    chosen = set(FIGURES if figures is None else figures)
    names = [
        name for name in FIGURES if name in chosen
        and (figures is not None or (folder / f"{name}.json").is_file())
    ]  # fmt: skip
    cards = _cards(folder, names, limit)
    claims = [_claim(entry, cards) for entry in ledger["claims"]]
    for card in cards.values():
        card["claims"] = [claim for claim in claims if claim["evidence"] == card["id"]]
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
        thresholds=ledger["thresholds"],
        claims=claims,
        counts=_counts(claims),
        unassessed=sum(claim["verdict"] == NOT_ASSESSED for claim in claims),
        places=_places(claims, cards),
        bare=_bare(claims, cards),
        cards=list(cards.values()),
        versions=_versions(cards),
        ledger_file=_embedded(folder / "claims.json"),
        paper=_PAPER,
        code=code,
        style=style,
        script=script,
        early=early,
        policy=_policy(script, early),
    )


# --- claims ---------------------------------------------------------------------------------------


def _claim(entry: dict[str, Any], cards: dict[str, Any]) -> dict[str, Any]:
    """Return a claim with what the page shows of it."""
    tried, marks = entry["tried"], entry.get("marks", [])
    ends = [end for found in tried for end in found.get("interval") or ()]
    axis = Axis([*marks, *ends, *(found.get("estimate") for found in tried)])
    rows = []
    for found in tried:
        value, interval = estimate(found.get("estimate"), found.get("interval"))
        verdict = found.get("verdict", NOT_ASSESSED)
        rows.append(
            {
                "condition": found["condition"],
                "verdict": verdict,
                "value": value,
                "range": interval,
                "bar": axis.bar(found),
                "size": _count(found.get("values")),
                "runs": _count(found.get("runs")),
            }
        )
    value, interval = estimate(entry["estimate"], entry["interval"])
    first, _, rest = entry["where"].partition(",")
    return {
        **entry,
        "anchor": _slug(entry["id"]),
        "value": value,
        "range": interval,
        "place": first,
        "place_anchor": _slug(first),
        "place_rest": re.sub(r" (?=\d)", "\N{NO-BREAK SPACE}", rest),
        "tried": rows,
        "marks": [axis.place(mark) for mark in marks],
        "mark_texts": [amount(mark) for mark in marks],
        "log": axis.log,
        "drawn": any(row["bar"] for row in rows),
        "figure": cards.get(entry["evidence"]),
        "held": [(v, n) for v in VERDICTS if (n := sum(row["verdict"] == v for row in rows))],
        "outcome": _outcome([row["verdict"] for row in rows]),
        "holding": sum(row["verdict"] == "reproduced" for row in rows),
    }


def _outcome(verdicts: Sequence[str]) -> str:
    """Return what became of a claim under its conditions; which they are, the table shows."""
    words = {"reproduced": "holds", "not reproduced": "fails", "undetermined": "is open"}
    found = {word: verdicts.count(verdict) for verdict, word in words.items()}
    told = [f"{word} under {count}" for word, count in found.items() if count]
    total = len(verdicts)
    return f"{', '.join(told)} of {total} condition{'s' if total > 1 else ''}"


def _count(number: int | None) -> str:
    return "–" if number is None else f"{number:,}"


def _counts(claims: Sequence[dict[str, Any]]) -> list[tuple[str, int]]:
    """Return how often each verdict was given; that it never was counts only beside others."""
    counts = {v: sum(claim["verdict"] == v for claim in claims) for v in (*VERDICTS, NOT_ASSESSED)}
    some = counts[NOT_ASSESSED] < len(claims)
    return [(v, n) for v, n in counts.items() if n or (some and v != NOT_ASSESSED)]


def _places(claims: Sequence[dict[str, Any]], cards: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the paper's places, in the order of the ledger, with their claims and figures."""
    names = dict.fromkeys(claim["place"] for claim in claims)
    result = []
    for name in names:
        here = [claim for claim in claims if claim["place"] == name]
        shown = dict.fromkeys(claim["evidence"] for claim in here if claim["evidence"] in cards)
        result.append(
            {
                "name": name,
                "anchor": _slug(name),
                "link": _section_link(name),
                "claims": here,
                "figures": [cards[figure] for figure in shown],
            }
        )
    return result


def _section_link(place: str) -> str:
    """Return the paper's address; of a section if it has a number, as LaTeXML names sections."""
    found = re.fullmatch(r"Section (\d+)(?:\.(\d+))?(?:\.(\d+))?", place)
    if not found:
        return _PAPER
    parts = zip(("S", "SS", "SSS"), found.groups(), strict=True)
    return f"{_SECTIONS}#{'.'.join(kind + number for kind, number in parts if number)}"


def _bare(claims: Sequence[dict[str, Any]], cards: dict[str, Any]) -> dict[str, list[Any]]:
    """Return the claims whose evidence is no figure of the page, by that evidence."""
    result: dict[str, list[Any]] = {}
    for claim in claims:
        if claim["evidence"] not in cards:
            result.setdefault(claim["evidence"], []).append(claim)
    return result


# --- figures --------------------------------------------------------------------------------------


def _cards(folder: Path, names: Sequence[str], limit: int) -> dict[str, dict[str, Any]]:
    """Return what is shown of each figure, with its files put into the page up to a limit."""
    cards = {name: _card(folder, name) for name in names}
    _arrange(list(cards.values()))
    left = limit
    # Pictures first, without which the page is nothing; the large PNGs last.
    for end in ("svg", "parquet", "pdf", "png"):
        for name, card in cards.items():
            beside = f"data/{name}.parquet" if end == "parquet" else f"{name}.{end}"
            path = folder / beside
            if not path.is_file():
                raise InputError(f"{folder}: lacks {beside}; make all figures first")
            cost = path.stat().st_size * 4 // 3
            inside = end == "svg" or cost <= left
            left -= cost if inside else 0
            card["files"][end] = {
                "name": path.name,
                "href": _embedded(path) if inside else beside,
                "inside": inside,
                "size": size(path.stat().st_size),
            }
    return cards


def _card(folder: Path, name: str) -> dict[str, Any]:
    if not (folder / f"{name}.json").is_file():
        raise InputError(f"{folder}: lacks {name}.json; make all figures first")
    told = files.read_json(folder / f"{name}.json")
    width, height = _extent(folder / f"{name}.svg")
    told |= {"id": name, "anchor": _slug(name), "files": {}}
    return {**told, "width": round(width), "height": round(height)}


def _arrange(cards: Sequence[dict[str, Any]]) -> None:
    """Say which pictures take the page's width, and which narrow ones have no neighbour."""
    paired = False
    for i, card in enumerate(cards):
        card["shape"] = "wide" if card["width"] > _NARROW else ""
        follows = i + 1 < len(cards) and cards[i + 1]["width"] <= _NARROW
        if not card["shape"] and not paired and not follows:
            card["shape"] = "alone"
        paired = card["shape"] == "" and not paired


def _extent(path: Path) -> tuple[float, float]:
    """Return width and height of a picture in points, so that the page has room before it loads."""
    head = path.read_text(encoding="utf-8")[:4000] if path.is_file() else ""
    found = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', head)
    return (float(found[1]), float(found[2])) if found else (480.0, 300.0)


def _versions(cards: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the different sets of versions, each with the figures that were made with it."""
    result: list[dict[str, Any]] = []
    for card in cards.values():
        same = next((one for one in result if one["versions"] == card["versions"]), None)
        if same is None:
            same = {"versions": card["versions"], "figures": []}
            result.append(same)
        same["figures"].append(card)
    return result


# --- parts of the file ----------------------------------------------------------------------------


def _embedded(path: Path) -> str:
    data = base64.b64encode(path.read_bytes()).decode()
    return f"data:{_TYPES[path.suffix[1:]]};base64,{data}"


def _policy(*scripts: str) -> str:
    """Return the content security policy: nothing from elsewhere, and these scripts alone."""
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


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
