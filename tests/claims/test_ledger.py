"""The ledger: every claim is complete, can come out every way, and finds its evidence."""

import re

import pytest
from paper_run import CONFIG, PaperRun
from samples import synthetic

from epochbandits.claims.conditions import Condition
from epochbandits.claims.ledger import ledger
from epochbandits.claims.rules import combine
from epochbandits.figures.registry import FIGURES

CLAIMS = ledger(CONFIG.claims)

each_claim = pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)


@each_claim
def test_every_claim_can_come_out_every_way(claim):
    """Synthetic samples for each verdict of the claim's rule, and for 'partly'."""
    labels = [condition.label for condition in claim.conditions]
    findings = {}
    for verdict, sample in synthetic(claim.rule).items():
        findings[verdict] = claim.rule.judge(sample)
        assert findings[verdict].verdict == verdict
        assert combine(dict.fromkeys(labels, findings[verdict]))[0] == verdict
    if len(labels) > 1:
        first, *others = labels
        for held, failed in (([first], others), (others, [first])):
            mixed = dict.fromkeys(held, findings["reproduced"])
            mixed |= dict.fromkeys(failed, findings["not reproduced"])
            verdict, text = combine(mixed)
            assert verdict == "partly"
            assert f"holds: {'; '.join(held)}" in text
            assert f"fails: {'; '.join(failed)}" in text


def test_ids_are_unique():
    assert len(CLAIMS) >= 30
    assert len({claim.id for claim in CLAIMS}) == len(CLAIMS)


@each_claim
def test_every_claim_is_complete(claim):
    assert re.fullmatch(r"[a-z0-9_]+", claim.id)
    assert claim.statement.endswith(".")
    assert claim.where
    assert claim.quantifier in ("all", "some", "mean")
    assert claim.estimator.words
    assert claim.conditions
    assert len({condition.label for condition in claim.conditions}) == len(claim.conditions)
    assert claim.figure in (*FIGURES, "inequalities")


def test_labels_of_epsilon_are_true():
    conditions = [c for claim in CLAIMS for c in claim.conditions if isinstance(c, Condition)]
    labelled = [c for c in conditions if c.label.startswith("ε")]
    assert labelled
    for condition in labelled:
        assert float(re.match(r"ε = (\.\d+)", condition.label)[1]) == condition.epsilon


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
        if isinstance(condition, Condition):
            instances = 1 if condition.epsilon else 2
            assert sample.runs == 2 * instances * len(claim.estimator.reads(condition))
            for part in claim.estimator.reads(condition):
                settings = RUN.finals(part)[["policy", "instances", "sampling", "gamma", "value"]]
                assert len(settings.drop_duplicates()) == 1
