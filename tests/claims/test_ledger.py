"""The ledger: every claim is complete, can come out every way, and finds its evidence."""

import re
from pathlib import Path

import numpy as np
import pytest
from paper_run import CONFIG, PaperRun
from samples import synthetic

from epochbandits.claims.conditions import Condition
from epochbandits.claims.ledger import ledger
from epochbandits.claims.not_assessed import STATEMENTS
from epochbandits.claims.texts import percent
from epochbandits.claims.verdicts import combined
from epochbandits.figures.registry import FIGURES

ROOT = Path(__file__).parents[2]
CLAIMS = ledger(CONFIG.claims)
EXACT = ("exact", "inequalities")

each_claim = pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)


@each_claim
def test_every_claim_can_come_out_every_way(claim):
    """Synthetic samples for each verdict of the claim's rule, in all its conditions or in one."""
    outcomes = {
        verdict: claim.rule.judge(samples[0]) for verdict, samples in synthetic(claim.rule).items()
    }
    level, others = claim.rule.level, len(claim.setting) - 1
    for verdict, finding in outcomes.items():
        assert combined([finding] * len(claim.setting), claim.quantifier, level) == verdict
        broken = finding._replace(controlled=False)
        assert combined([broken], claim.quantifier, level) == "not assessable"
    if others:
        yes, no = outcomes["reproduced"], outcomes["not reproduced"]
        mixed = "reproduced" if claim.quantifier == "some" else "not reproduced"
        assert combined([yes, *[no] * others], claim.quantifier, level) == mixed
        assert combined([no, *[yes] * others], claim.quantifier, level) == mixed


def test_descriptions_follow_the_thresholds():
    thresholds = CONFIG.claims.model_copy(update={"late": 0.25, "away": 0.9})
    descriptions = {claim.id: claim.estimator.description for claim in ledger(thresholds)}
    assert "plays below .25 times the smallest gap" in descriptions["growing_length_finds"]
    assert "plays above .25 times the smallest gap" in descriptions["fig6_baselines_miss"]
    assert "better arm (more than .75 of the time)" in descriptions["fig1b_rapidly"]
    assert "worse arm (more than .25 of the time)" in descriptions["fig1b_ucb_locks"]
    assert descriptions["tab1_bounded_away"].endswith("below .9")


@pytest.mark.parametrize(
    ("factor", "text"), [(1.001, ".1%"), (1.005, ".5%"), (1.01, "1%"), (1.05, "5%")]
)
def test_a_factor_is_stated_in_percent(factor, text):
    assert percent(factor) == text


def test_ids_are_unique():
    ids = [statement.id for statement in (*CLAIMS, *STATEMENTS)]
    assert len(CLAIMS) >= 60
    assert len(set(ids)) == len(ids)


@each_claim
def test_every_claim_is_complete(claim):
    assert re.fullmatch(r"[a-z0-9_]+", claim.id)
    assert claim.statement.endswith(".")
    assert claim.where
    assert claim.quantifier in ("all", "some", "mean")
    assert claim.estimator.description
    assert claim.setting
    for conditions in (claim.setting, claim.beyond):
        assert len({condition.label for condition in conditions}) == len(conditions)
    assert claim.figure in (*FIGURES, *EXACT)


def test_growth_has_controls_and_a_horizon():
    growing = [claim for claim in CLAIMS if "after n/2" in claim.estimator.description]
    assert len(growing) >= 12
    for claim in growing:
        assert [control.policy for control in claim.controls] == [
            "control-linear",
            "control-sublinear",
        ]
        assert claim.epochs >= 16_000
        assert claim.units >= 10


def test_identification_has_its_horizon_and_instances():
    for claim in CLAIMS:
        if claim.id in ("end_epoch_ucb_finds", "end_epoch_greedy_finds", "growing_length_finds"):
            assert (claim.epochs, claim.units) == (20_000, 100)


def test_every_factor_that_is_swept_counts():
    swept = CONFIG.policies["epoch-greedy-decayed"].sweep["decay"]
    for name in ("fig4b_improves", "fig4b_tends"):
        claim = next(claim for claim in CLAIMS if claim.id == name)
        assert claim.quantifier == "some"
        assert {condition.value for condition in claim.setting} == set(swept) - {1.0}


def test_labels_of_epsilon_are_true():
    conditions = [c for claim in CLAIMS for c in claim.conditions if isinstance(c, Condition)]
    labelled = [c for c in conditions if c.label.startswith("ε")]
    assert labelled
    for condition in labelled:
        assert float(re.match(r"ε = ([\d.]+)", condition.label)[1]) == condition.epsilon
    first = next(claim for claim in CLAIMS if claim.id == "fig1b_ucb_locks").setting
    assert [condition.epsilon for condition in first] == [0.01, 0.001]


def test_thresholds_are_those_of_the_configuration():
    changed = ledger(CONFIG.claims.model_copy(update={"linear": 1.23, "level": 0.9}))
    rule = next(claim.rule for claim in changed if claim.id == "fig6_ucb_linear")
    assert (rule.threshold, rule.level) == (1.23, 0.9)


RUN = PaperRun()


@each_claim
def test_every_condition_selects_the_runs_of_one_setting(claim):
    """No condition of the paper's configuration is without rows, and none mixes settings."""
    for condition in claim.conditions:
        sample = claim.estimator.sample(RUN, condition)
        assert len(sample.values) > 0
        assert np.isfinite(sample.values).all()
        if isinstance(condition, Condition):
            parts = claim.estimator.reads(condition)
            parts = (*parts, *(control.condition(condition) for control in claim.controls))
            for part in parts:
                settings = RUN.finals(part)[["policy", "instances", "sampling", "gamma", "value"]]
                assert len(settings.drop_duplicates()) == 1


def test_the_method_maps_every_sentence_to_a_claim():
    """Every id in the table of docs/method.md exists, and every claim is in the table."""
    text = (ROOT / "docs" / "method.md").read_text(encoding="utf-8")
    table = text.split("## The paper, sentence by sentence")[1].split("\n## ")[0]
    rows = [line.split("|")[1:-1] for line in table.splitlines() if line.startswith("| ")][1:]
    named = {name for row in rows for name in re.findall(r"`([a-z0-9_]+)`", row[-1])}
    known = {statement.id for statement in (*CLAIMS, *STATEMENTS)}
    assert named - known == set()
    assert known - named == set()
    for row in rows:
        assert len(row) == 3
        assert "`" in row[-1] or len(row[-1].strip()) > 15, "neither a claim nor a reason"
