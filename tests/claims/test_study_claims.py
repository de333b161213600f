"""The ledger of studies 6 and 8: complete, able to come out every way, supplied by the studies."""

import math
import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from samples import synthetic

from epochbandits.claims import estimators_benchmarks as benchmarks
from epochbandits.claims import study6_study8
from epochbandits.claims.assess import alternatives
from epochbandits.claims.conditions import Condition
from epochbandits.claims.requirements import check_claims
from epochbandits.claims.verdicts import combined
from epochbandits.figures.registry import STUDIES
from epochbandits.model.restless import iid
from epochbandits.planning import load_studies, study_plan
from epochbandits.planning.loading import FOLDER
from epochbandits.theory.lai_robbins import lai_robbins
from epochbandits.validation import InputError

ROOT = Path(__file__).parents[2]
CLAIMS = study6_study8.claims(study_plan().config.claims)
CONDITION = Condition("", "e", "p", "i")


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_claim_is_complete_and_can_come_out_every_way(claim):
    assert claim.statement.endswith(".")
    assert claim.figure in STUDIES
    assert len({condition.label for condition in claim.setting}) == len(claim.setting)
    for verdict, samples in synthetic(claim.rule).items():
        findings = [claim.rule.judge(samples[0])] * len(claim.setting)
        assert combined(findings, claim.quantifier, claim.rule.level) == verdict


def test_the_studies_have_what_the_claims_read():
    config = load_studies().config  # which checks it
    config.inequalities["ladder_others"].instances.remove("recharging")
    with pytest.raises(
        InputError, match=r"inequalities\.ladder_others\.instances: .*needs recharging in it"
    ):
        check_claims(config, CLAIMS)


def test_loading_the_studies_checks_their_claims(tmp_path):
    copied = shutil.copytree(FOLDER, tmp_path / "studies")
    study = copied / "study6_strong_regret.yaml"
    content = yaml.safe_load(study.read_text(encoding="utf-8"))
    block = content["inequalities"]["ladder"]
    content["inequalities"]["ladder"] = {**block, "instances": block["instances"][1:]}
    study.write_text(yaml.safe_dump(content), encoding="utf-8")
    with pytest.raises(
        InputError,
        match=r"yaml, line \d+: inequalities\.ladder\.instances: claim s6_\w+ .*needs .* in it",
    ):
        load_studies(copied)


def test_verdicts_at_other_thresholds_are_those_of_the_studies():
    """A claim of the studies is looked up among the studies' claims, not the paper's."""
    thresholds = study_plan().config.claims.model_copy(update={"alternatives": {"level": [0.9]}})
    (other,) = alternatives(thresholds, studies=True)
    assert set(other.claims) == {claim.id for claim in CLAIMS}
    assert all(claim.rule.level == 0.9 for claim in other.claims.values())


def test_the_rules_name_every_claim():
    text = (ROOT / "docs" / "studies_rules_6_8.md").read_text(encoding="utf-8")
    assert {claim.id for claim in CLAIMS} == {
        word.strip("`") for line in text.splitlines() if line.startswith("| `s")
        for word in line.split()[1:2]
    }  # fmt: skip


class Given:
    """Evidence with given final values, benchmarks and instance."""

    def __init__(self, values=None, rows=None, instance=None):
        self.values, self.rows, self.instance = values or {}, rows, instance

    def by_instance(self, condition, *columns):
        return np.stack([self.values[condition.policy, name] for name in columns], axis=-1)[None]

    def inequality(self, condition):
        return pd.DataFrame([self.rows], columns=["left", "right", "trivial"])

    def instances(self, condition):
        return [self.instance]


def regrets(policy="p", **columns):
    return {(policy, name): np.array(value, dtype=float) for name, value in columns.items()}


def estimate(estimator, evidence):
    sample = estimator.sample(evidence, CONDITION)
    if sample.statistic is None:
        return float(sample.values.mean())
    return float(sample.statistic(*(part.mean(axis=(0, 1))[None] for part in sample.parts))[0])


def test_benchmarks_are_compared_with_the_best_arm():
    given = Given(rows=(0.6, 0.66, 0.5))
    assert estimate(benchmarks.at_most(1.1), given) == pytest.approx(1.2)
    assert estimate(benchmarks.at_least(1.5), given) == pytest.approx(1.25)
    assert estimate(benchmarks.lower_share, given) == pytest.approx(1.2)
    assert estimate(benchmarks.upper_share, given) == pytest.approx(1.32)


def test_a_logarithm_has_its_constant_as_slope():
    two, T = iid([0.9, 0.8]), 50_000
    c = lai_robbins(two.mu)
    values = regrets(expected_regret=[3 * c * math.log(T)] * 2,
                     half_regret=[3 * c * math.log(T / 2)] * 2)  # fmt: skip
    given = Given(values, instance=two)
    assert estimate(benchmarks.slope("lai-robbins"), given) == pytest.approx(3)
    assert estimate(benchmarks.slope("index"), given) == pytest.approx(3 * c / 20)


def test_what_the_fixed_arm_loses_makes_regret_linear():
    values = regrets(expected_regret=[10.0, 14.0], half_regret=[9.0, 11.0], epoch=[1000, 1000])
    given = Given(values, rows=(0.6, 0.7, 0.5))
    assert estimate(benchmarks.strong_growth("t"), given) == pytest.approx(112 / 60)


def test_differences_are_counted_in_a_thousand_iterations():
    values = regrets(iteration_regret=[50.0], iteration=[1000.0])
    values |= regrets("ucb", iteration_regret=[-30.0], iteration=[2000.0])
    given = Given(values)
    assert estimate(benchmarks.MORE_THAN_UCB, given) == pytest.approx(65)
    assert estimate(benchmarks.PER_ITERATION, given) == pytest.approx(0.05)
