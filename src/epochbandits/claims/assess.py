"""Going through the ledger: verdicts as JSON, and as a table for people."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from epochbandits.claims.claim import Claim, Thresholds
from epochbandits.claims.evidence import Evidence
from epochbandits.claims.ledger import ledger
from epochbandits.claims.rules import VERDICTS, Finding, OneSided, bootstrap, combine
from epochbandits.claims.texts import estimate
from epochbandits.io import files
from epochbandits.provenance.versions import lock, versions

__all__ = ["NOT_ASSESSED", "assess", "judged", "markdown", "write_claims"]

NOT_ASSESSED = "not assessed"


def write_claims(
    out: str | Path, folder: str | Path, settings: Mapping[str, Any], about: Mapping[str, Any]
) -> None:
    """Write the ledger of a run; ``folder`` has its tables, ``settings`` is `config.Claims`."""
    limits = dict(settings)
    evidence = Evidence(folder) if limits.pop("assess") else None
    told = {**about, "versions": versions(), "lock": lock()}
    result = {"about": told, "thresholds": limits}
    found = [_plain(claim, evidence) for claim in ledger(Thresholds(**limits))]
    text = json.dumps({**result, "claims": found}, indent=1, ensure_ascii=False)
    files.write_text(out, text + "\n")


def assess(evidence: Evidence, limits: Thresholds) -> list[dict[str, Any]]:
    """Return the verdict on every claim, as plain data."""
    return [_plain(claim, evidence) for claim in ledger(limits)]


def judged(claim: Claim, evidence: Evidence) -> dict[str, Finding]:
    """Return what a claim's rule finds under each of its conditions."""
    found = {}
    for name, take in claim.conditions.items():
        sample = take(evidence)
        found[name] = claim.rule.judge(sample)
        if isinstance(claim.rule, OneSided):
            again = bootstrap(sample, np.random.default_rng(0), level=claim.rule.level)
            found[name] = found[name]._replace(bootstrap=again)
    return found


def _plain(claim: Claim, evidence: Evidence | None) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": claim.id,
        "statement": claim.statement,
        "where": claim.where,
        "verdict": NOT_ASSESSED,
        "estimate": None,
        "interval": None,
        "evidence": claim.figure,
        "conditions": "",
        "estimator": claim.estimator,
        "rule": claim.rule.text,
        "marks": [_number(mark) for mark in claim.rule.marks],
        "tried": [{"condition": name} for name in claim.conditions],
    }
    if evidence is None:
        return entry
    findings = judged(claim, evidence)
    verdict, conditions = combine(findings)
    first = next(iter(findings.values()))
    return entry | {
        "verdict": verdict,
        "estimate": _number(first.estimate),
        "interval": [_number(first.low), _number(first.high)],
        "conditions": conditions,
        "tried": [
            {
                "condition": name,
                "verdict": found.verdict,
                "estimate": _number(found.estimate),
                "interval": [_number(found.low), _number(found.high)],
                "bootstrap": found.bootstrap and [_number(end) for end in found.bootstrap],
                "values": found.size,
                "runs": found.runs,
            }
            for name, found in findings.items()
        ],
    }


def _number(value: float) -> float | None:
    return float(f"{value:.6g}") if math.isfinite(value) else None


def markdown(claims: Sequence[Mapping[str, Any]]) -> str:
    """Return the ledger as a Markdown table, with a line that counts the verdicts.

    The estimate is that under the paper's own conditions, the first; how many of all conditions a
    claim holds under stands beside a verdict that they do not share. The page has the rest.
    """
    counts = {v: sum(c["verdict"] == v for c in claims) for v in (*VERDICTS, NOT_ASSESSED)}
    summary = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
    rows = [
        f"| {_cell(c['statement'])} | {_cell(c['where'])} | {_verdict(c)} | {_estimate(c)} |"
        for c in claims
    ]
    head = "| claim | where | verdict | estimate (interval) |\n|---|---|---|---|"
    return "\n".join([f"{len(claims)} claims: {summary}.", "", head, *rows]) + "\n"


def _cell(text: str) -> str:
    """Return a text that Markdown shows as it is, in one cell."""
    return re.sub(r"([\\`*_|<>\[\]])", r"\\\1", " ".join(text.split()))


def _verdict(claim: Mapping[str, Any]) -> str:
    if claim["verdict"] != "partly":
        return f"**{claim['verdict']}**"
    holds = sum(tried["verdict"] == "reproduced" for tried in claim["tried"])
    return f"**partly**, {holds} of {len(claim['tried'])}"


def _estimate(claim: Mapping[str, Any]) -> str:
    value, interval = estimate(claim["estimate"], claim["interval"])
    return f"{value} ({interval})" if interval else value
