"""Assessment of the ledger: the verdicts as JSON."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from epochbandits.claims.claim import Claim, NotAssessed
from epochbandits.claims.conditions import AnyCondition, Condition
from epochbandits.claims.evidence import Evidence
from epochbandits.claims.ledger import ledger, statements
from epochbandits.claims.sample import RuleResult
from epochbandits.claims.verdicts import NOT_ASSESSED, Verdict, combined, decisive, separate
from epochbandits.config.thresholds import Thresholds
from epochbandits.io import files
from epochbandits.model.instance import Instance
from epochbandits.pipeline import instance_sets, results
from epochbandits.pipeline.layout import Layout
from epochbandits.provenance.versions import lock, versions


def assess(
    config: Mapping[str, Any], evidence: Evidence, studies: bool = False
) -> list[dict[str, Any]]:
    """Return all claims as plain data; without verdicts if the configuration says so.

    Parameters
    ----------
    studies : bool
        Assess the statements of the studies instead of the paper's.
    """
    thresholds = Thresholds(**config["claims"])
    used = evidence if thresholds.assess else None
    others = alternatives(thresholds, studies)
    return [
        *(entry(claim, config, used, others) for claim in ledger(thresholds, studies)),
        *(_unjudged_entry(statement, reason=statement.reason) for statement in statements(studies)),
    ]


def write_claims(
    out: str | Path,
    run: str,
    config: Mapping[str, Any],
    metadata: Mapping[str, Any],
    inputs: Mapping[str, str] | None = None,
    sets: Mapping[str, str] | None = None,
    studies: bool = False,
) -> None:
    """Write the ledger of a run.

    Parameters
    ----------
    run : str
        Name of the run, whose tables are read.
    config : Mapping[str, Any]
        The configuration as plain data.
    metadata : Mapping[str, Any]
        Metadata of the ledger.
    inputs, sets : Mapping[str, str] | None
        Expected keys of tables and of sets of instances.
    studies : bool
        Write the ledger of the studies, as `assess` takes it.
    """
    results.accept(inputs)
    layout = Layout(run)

    def instances(name: str) -> list[Instance]:
        folder = layout.instances(name)
        results.accept({folder: sets[folder]} if sets else None)
        return instance_sets.read(folder)

    thresholds = Thresholds(**config["claims"])
    result = {
        "about": {**metadata, "versions": versions(), "lock": lock()},
        "edition": 2,
        "thresholds": thresholds.model_dump(mode="json", exclude={"assess"}),
        "claims": assess(config, Evidence(layout, config, instances), studies),
    }
    files.write_sealed(out, result)


class Alternative(NamedTuple):
    """Another value of a threshold, and all claims with their rules at that value, by id."""

    threshold: str
    value: float
    claims: Mapping[str, Claim]


def alternatives(thresholds: Thresholds, studies: bool = False) -> list[Alternative]:
    """Return the ledger at each of the other values of the thresholds."""
    result = []
    for name, values in thresholds.alternatives.items():
        for value in values:
            changed = ledger(thresholds.model_copy(update={name: value}), studies)
            result.append(Alternative(name, value, {claim.id: claim for claim in changed}))
    return result


def entry(
    claim: Claim,
    config: Mapping[str, Any],
    evidence: Evidence | None,
    others: Sequence[Alternative] = (),
) -> dict[str, Any]:
    """Return a claim as plain data, with its verdicts if there is evidence."""
    judged = evidence is not None  # otherwise the configuration may lack what a condition names
    setting = [_cell(config, condition, judged) for condition in claim.setting]
    beyond = [_cell(config, condition, judged) for condition in claim.beyond]
    result = _unjudged_entry(
        claim,
        statistic=claim.estimator.description,
        threshold=claim.rule.text,
        condition=setting[0]["condition"],
        evidence=claim.figure,
        reason="the run is too small" if evidence is None else "",
        marks=[_number(mark) for mark in claim.rule.marks],
        controls=[control.description for control in claim.controls],
        setting=setting,
        beyond=beyond,
    )
    if evidence is None:
        return result
    level = claim.rule.level
    inside = [_find(claim, evidence, condition) for condition in claim.setting]
    outside = [_find(claim, evidence, condition) for condition in claim.beyond]
    shown = decisive(inside, claim.quantifier)
    vacuous = [rule_result.vacuous for rule_result in inside if rule_result.vacuous is not None]
    verdict = combined(inside, claim.quantifier, level)
    return result | {
        "verdict": verdict,
        **_numbers(inside[shown]),
        "condition": setting[shown]["condition"],
        "vacuous": all(vacuous) if vacuous else None,
        "reason": _REASONS.get(verdict, ""),
        "depends_on": _depends_on(claim, evidence, others, verdict),
        "setting": _judged(setting, inside, separate(inside, level)),
        "beyond": _judged(beyond, outside, separate(outside, level)),
    }


_REASONS = {
    "not assessable": "the rule misclassifies a control of this run, or there is nothing to measure"
}


def _depends_on(
    claim: Claim, evidence: Evidence, others: Sequence[Alternative], verdict: Verdict
) -> list[dict[str, Any]]:
    """Return the other values of a threshold that would change the verdict."""
    changes = []
    for threshold, value, claims in others:
        other = claims[claim.id]
        if _thresholds_in(other) == _thresholds_in(claim):
            continue
        rule_results = [_find(other, evidence, condition) for condition in other.setting]
        other_verdict = combined(rule_results, other.quantifier, other.rule.level)
        if other_verdict != verdict:
            changes.append({"threshold": threshold, "value": value, "verdict": other_verdict})
    return changes


def _thresholds_in(claim: Claim) -> tuple[Any, ...]:
    """Return the parts of a claim that thresholds enter, in a form that can be compared."""
    return claim.rule, claim.controls, getattr(claim.estimator.statistic, "keywords", None)


def _unjudged_entry(statement: Claim | NotAssessed, **known: Any) -> dict[str, Any]:
    """Return a statement without a verdict, with all keys; those that are not known are empty."""
    return {
        "id": statement.id,
        "statement": statement.statement,
        "where": statement.where,
        "quantifier": statement.quantifier,
        "statistic": "none",
        "threshold": "none",
        "verdict": NOT_ASSESSED,
        "condition": "",
        "estimate": None,
        "interval": None,
        "vacuous": None,
        "useful_from": None,
        "evidence": "none",
        "reason": "",
        "marks": [],
        "controls": [],
        "depends_on": [],
        "setting": [],
        "beyond": [],
        **known,
    }


_PLACE = ("class", "sampling", "size", "horizon")


def _cell(config: Mapping[str, Any], condition: AnyCondition, judged: bool) -> dict[str, Any]:
    """Return a condition as a cell of the matrix, without a verdict; placed if it is judged."""
    return {
        "condition": condition.label,
        **(condition.place(config) if judged else dict.fromkeys(_PLACE)),
        "verdict": NOT_ASSESSED,
        "estimate": None,
        "interval": None,
    }


def _judged(
    cells: Sequence[Mapping[str, Any]],
    rule_results: Sequence[RuleResult],
    verdicts: Sequence[Verdict],
) -> list[dict[str, Any]]:
    return [
        {
            **cell,
            "verdict": verdict,
            **_numbers(result),
            "vacuous": result.vacuous,
            "values": result.size,
            "runs": result.runs,
        }
        for cell, result, verdict in zip(cells, rule_results, verdicts, strict=True)
    ]


def _numbers(result: RuleResult) -> dict[str, Any]:
    return {
        "estimate": _number(result.estimate),
        "interval": [_number(result.low), _number(result.high)],
        "useful_from": None if result.useful_from is None else _number(result.useful_from),
    }


def _find(claim: Claim, evidence: Evidence, condition: AnyCondition) -> RuleResult:
    """Return what a claim's rule finds under a condition, and whether it passes its controls."""
    sample = claim.estimator.sample(evidence, condition)
    if not sample.values.size:
        nothing = math.nan
        return RuleResult(nothing, nothing, nothing, 1.0, 1.0, 0, sample.runs, controlled=False)
    result = claim.rule.judge(sample)
    if not isinstance(condition, Condition):
        return result
    for control in claim.controls:
        other = control.rule.judge(claim.estimator.sample(evidence, control.condition(condition)))
        if other.holds >= (1 - control.rule.level) / 2:
            return result._replace(controlled=False)
    return result


def _number(value: float) -> float | None:
    """Return a number with six digits, which JSON can hold: None if it is not finite."""
    return float(f"{value:.6g}") if math.isfinite(value) else None
