"""The ledger as a table for people."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from epochbandits.claims.texts import estimate
from epochbandits.claims.verdicts import VERDICTS


def markdown(claims: Sequence[Mapping[str, Any]]) -> str:
    """Return the ledger as a Markdown table, after a line that counts the verdicts."""
    counts = {v: sum(c["verdict"] == v for c in claims) for v in VERDICTS}
    summary = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
    rows = [
        f"| {_text(c['statement'])} | {_text(c['where'])} | **{c['verdict']}**{_note(c)} "
        f"| {_measured(c)} | {beyond(c)} |"
        for c in claims
    ]
    head = (
        "| claim | where | in the paper's setting | measured | beyond it |\n|---|---|---|---|---|"
    )
    return "\n".join([f"{len(claims)} claims: {summary}.", "", head, *rows]) + "\n"


def beyond(claim: Mapping[str, Any]) -> str:
    """Return in how many cells beyond the paper's setting a claim holds, fails and is open."""
    words = {
        "reproduced": "holds",
        "not reproduced": "fails",
        "undetermined": "open",
        "not assessable": "not assessable",
    }
    cells = [cell["verdict"] for cell in claim["beyond"]]
    counts = {word: cells.count(verdict) for verdict, word in words.items()}
    return ", ".join(f"{word} {count}" for word, count in counts.items() if count)


def _text(text: str) -> str:
    """Return a text for one cell, with Markdown's special characters escaped."""
    return re.sub(r"([\\`*_|<>\[\]])", r"\\\1", " ".join(text.split()))


def _note(claim: Mapping[str, Any]) -> str:
    notes = ["vacuous"] if claim["vacuous"] else []
    notes += [
        f"{change['verdict']} with a threshold of {change['value']:g}"
        for change in claim["depends_on"]
    ]
    return "".join(f", {note}" for note in notes)


def _measured(claim: Mapping[str, Any]) -> str:
    """Return statistic, value, interval and threshold in words; the reason if there is none."""
    if claim["estimate"] is None:
        return _text(claim["reason"])
    value, interval = estimate(claim["estimate"], claim["interval"])
    where = f", {claim['condition']}" if len(claim["setting"]) > 1 else ""
    return _text(
        f"{claim['statistic']}{where}: {value} ({interval}); claimed: {claim['threshold']}"
    )
