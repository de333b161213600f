"""Assessment of the ledger: verdicts as JSON, and as a table for people."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from epochbandits.claims.claim import Claim
from epochbandits.claims.evidence import Evidence
from epochbandits.claims.ledger import ledger
from epochbandits.claims.rules import VERDICTS, Finding, OneSided, combine
from epochbandits.claims.texts import estimate
from epochbandits.config.models import Thresholds
from epochbandits.io import files
from epochbandits.pipeline.layout import Layout
from epochbandits.provenance.versions import lock, versions
from epochbandits.stats import hierarchical_bootstrap

__all__ = ["NOT_ASSESSED", "markdown", "write_claims"]

NOT_ASSESSED = "not assessed"


def write_claims(
    out: str | Path, run: str, config: Mapping[str, Any], metadata: Mapping[str, Any]
) -> None:
    """Write the ledger of a run.

    Parameters
    ----------
    run : name of the run, whose tables are read
    config : the configuration as plain data; ``claims``, ``experiments`` and ``instances`` are read
    metadata : of the ledger
    """
    thresholds = Thresholds(**config["claims"])
    evidence = Evidence(Layout(run), config) if thresholds.assess else None
    result = {
        "about": {**metadata, "versions": versions(), "lock": lock()},
        "thresholds": thresholds.model_dump(mode="json", exclude={"assess"}),
        "claims": [_entry(claim, evidence) for claim in ledger(thresholds)],
    }
    files.write_text(out, json.dumps(result, indent=1, ensure_ascii=False) + "\n")


def _entry(claim: Claim, evidence: Evidence | None) -> dict[str, Any]:
    """Return a claim as plain data, with its verdict if there is evidence."""
    entry: dict[str, Any] = {
        "id": claim.id,
        "statement": claim.statement,
        "where": claim.where,
        "quantifier": claim.quantifier,
        "verdict": NOT_ASSESSED,
        "estimate": None,
        "interval": None,
        "evidence": claim.figure,
        "conditions": "",
        "estimator": claim.estimator.words,
        "rule": claim.rule.text,
        "marks": [_number(mark) for mark in claim.rule.marks],
        "tried": [{"condition": condition.label} for condition in claim.conditions],
    }
    if evidence is None:
        return entry
    findings = _findings(claim, evidence)
    verdict, conditions = combine(findings)
    first = next(iter(findings.values()))
    return entry | {
        "verdict": verdict,
        "estimate": _number(first.estimate),
        "interval": [_number(first.low), _number(first.high)],
        "conditions": conditions,
        "tried": [
            {
                "condition": label,
                "verdict": finding.verdict,
                "estimate": _number(finding.estimate),
                "interval": [_number(finding.low), _number(finding.high)],
                "bootstrap": finding.bootstrap and [_number(end) for end in finding.bootstrap],
                "values": finding.size,
                "runs": finding.runs,
            }
            for label, finding in findings.items()
        ],
    }


def _findings(claim: Claim, evidence: Evidence) -> dict[str, Finding]:
    """Return what a claim's rule finds under each of its conditions, by label."""
    findings = {}
    for condition in claim.conditions:
        sample = claim.estimator.sample(evidence, condition)
        finding = claim.rule.judge(sample)
        if isinstance(claim.rule, OneSided) and sample.statistic is not None:
            rng = np.random.default_rng(0)
            interval = hierarchical_bootstrap(
                sample.statistic, sample.parts, rng, level=claim.rule.level
            )
            finding = finding._replace(bootstrap=interval)
        findings[condition.label] = finding
    return findings


def _number(value: float) -> float | None:
    """Return a number with six digits, which JSON can hold: None if it is not finite."""
    return float(f"{value:.6g}") if math.isfinite(value) else None


def markdown(claims: Sequence[Mapping[str, Any]]) -> str:
    """Return the ledger as a Markdown table, after a line that counts the verdicts.

    The estimate is that of the first condition, the paper's own. Beside the verdict "partly" stands
    the number of conditions under which the claim holds. The page of the run has the rest.
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
    """Return a text for one cell, with Markdown's special characters escaped."""
    return re.sub(r"([\\`*_|<>\[\]])", r"\\\1", " ".join(text.split()))


def _verdict(claim: Mapping[str, Any]) -> str:
    if claim["verdict"] != "partly":
        return f"**{claim['verdict']}**"
    holds = sum(tried["verdict"] == "reproduced" for tried in claim["tried"])
    return f"**partly**, {holds} of {len(claim['tried'])}"


def _estimate(claim: Mapping[str, Any]) -> str:
    value, interval = estimate(claim["estimate"], claim["interval"])
    return f"{value} ({interval})" if interval else value
