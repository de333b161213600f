"""A configuration that assesses claims must run what they need."""

from pathlib import Path

import pytest

from epochbandits.claims.ledger import ledger
from epochbandits.claims.requirements import check_claims, check_ledger
from epochbandits.config import load_files
from epochbandits.planning import study_plan
from epochbandits.validation import InputError

ROOT = Path(__file__).parents[2]
PAPER = ROOT / "config" / "paper.yaml"
CONFIG = load_files([PAPER])
CONTROLS = ("control-linear", "control-sublinear")


def without(kind, name):
    blocks = {key: block for key, block in getattr(CONFIG, kind).items() if key != name}
    return CONFIG.model_copy(update={kind: blocks})


def changed(kind, name, **settings):
    blocks = dict(getattr(CONFIG, kind))
    blocks[name] = blocks[name].model_copy(update=settings)
    return CONFIG.model_copy(update={kind: blocks})


def test_the_paper_configuration_has_all_and_the_quick_one_assesses_nothing():
    check_ledger(CONFIG)
    quick = load_files([PAPER, ROOT / "config" / "quick.yaml"])
    assert quick.claims.assess is False
    check_ledger(quick)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            without("experiments", "long_4x4"),
            "experiments.long_4x4 fixed_length_linear (condition 'ucb, identify_4x4, marginal') "
            "needs it;",  # the controls
        ),
        (
            changed("experiments", "long_4x4", policies=["epoch-ucb", "ucb", *CONTROLS]),
            "experiments.long_4x4.policies fig4b_tends (condition 'tuned c, n = 16,000') needs "
            "epoch-greedy in it;",
        ),
        (
            changed("experiments", "long_4x4", policies=["epoch-ucb", "epoch-greedy", "ucb"]),
            "experiments.long_4x4.policies needs control-linear in it;",
        ),
        (
            # the policies that a claim compares with count as well
            changed("experiments", "ensemble_decay", policies=["epoch-greedy-decayed"]),
            "experiments.ensemble_decay.policies needs epoch-ucb in it;",
        ),
        (
            changed("experiments", "controls", instances=["slow_suboptimal", "inverted", "fast"]),
            "experiments.controls.instances needs literal in it;",
        ),
        (
            changed("experiments", "controls", sampling=["marginal"]),
            "experiments.controls.sampling needs trajectory in it;",
        ),
        (
            changed("experiments", "controls_discounts", gammas=[1.0, 0.95, 0.1]),
            "experiments.controls_discounts.gammas needs 0.5 in it;",
        ),
        (
            # a ratio to γ = 1
            changed("experiments", "controls_discounts", gammas=[0.95, 0.5, 0.1]),
            "experiments.controls_discounts.gammas needs 1 in it;",
        ),
        (
            changed("experiments", "identify_uncorrelated", tuned_on=None),
            "experiments.identify_uncorrelated.tuned_on needs it to tune epoch-greedy;",
        ),
        (
            changed("experiments", "long_4x8", epochs=5000),
            "experiments.long_4x8.epochs needs at least 16000;",
        ),
        (
            changed("experiments", "identify_uncorrelated", epochs=16000),
            "experiments.identify_uncorrelated.epochs needs at least 20000;",
        ),
        (
            changed("instances", "identify_4x4", count=50),
            "instances.identify_4x4.count needs at least 100;",
        ),
        (
            changed("experiments", "failure_growth", seeds=50),
            "experiments.failure_growth.seeds needs at least 100;",
        ),
        (
            changed("experiments", "controls", instances=["fast", "literal", "uncorrelated"]),
            "experiments.controls.instances needs slow_suboptimal in it;",
        ),
        (
            changed("instances", "failure", epsilon=[0.01, 0.002]),
            "instances.failure.epsilon needs 0.001 in it;",
        ),
        (
            changed("policies", "epoch-greedy-decayed", sweep={"decay": [1.0, 10.0, 1000.0]}),
            "policies.epoch-greedy-decayed.sweep needs 100 in it;",
        ),
        (
            changed("policies", "ucb", sweep={"c": [1.0, 2.0]}),
            "policies.ucb.sweep needs no sweep but one value, in params;",
        ),
        (without("bounds", "ensemble"), "bounds.ensemble needs it;"),
        (
            changed("bounds", "ensemble", variants=["tight"]),
            "bounds.ensemble.variants needs paper in it;",
        ),
        (
            changed("bounds", "ensemble", horizon=10**6),
            "bounds.ensemble.horizon needs at least 10000000;",
        ),
        (
            changed("bounds", "ensemble", horizons=[10**7, 10**5]),
            "bounds.ensemble.horizons needs 1000000 in it;",
        ),
        (
            changed("bounds", "ensemble", gammas=[1.0, 0.9]),
            "bounds.ensemble.gammas needs 0.8 in it;",
        ),
        (without("eigenvalues", "mixing"), "eigenvalues.mixing needs it;"),
        (
            changed("eigenvalues", "mixing", laws=["uniform"]),
            "eigenvalues.mixing.laws needs 'normal: |N|' in it;",
        ),
        (
            without("inequalities", "theory"),
            "inequalities.theory irreducible_diagonal (condition 'positive diagonal') needs it;",
        ),
        (
            changed("inequalities", "theory", checks=["lemmas", "irreducible"]),
            "inequalities.theory.checks needs theorem1 in it;",
        ),
        (
            changed("inequalities", "theory", gammas=[1.0, 0.9]),
            "inequalities.theory.gammas needs 0.95 in it;",
        ),
        (
            changed("inequalities", "theorem2", sampling=["marginal"]),
            "inequalities.theorem2.sampling needs trajectory in it;",
        ),
        (
            changed("instances", "identify_fast", count=99),
            "instances.identify_fast.count needs at least 100;",
        ),
        (
            changed("inequalities", "constants", instances=["ensemble_4x8"]),
            "inequalities.constants.instances needs ensemble_4x4 in it;",
        ),
    ],
)
def test_what_is_missing_is_named(config, message):
    with pytest.raises(InputError) as error:
        check_ledger(config)
    path, _, text = message.partition(" ")
    assert ".".join(error.value.path) == path
    assert text in str(error.value)
    assert str(error.value).endswith("; change the configuration, or set claims.assess to false")
    check_ledger(
        config.model_copy(update={"claims": config.claims.model_copy(update={"assess": False})})
    )


def test_every_experiment_that_a_claim_reads_is_required():
    parts = [
        part
        for claim in ledger(CONFIG.claims)
        for condition in claim.conditions
        for part in claim.estimator.reads(condition)
    ]
    names = {part.experiment for part in parts if hasattr(part, "experiment")}
    assert {"ensemble_4x4", "ensemble_4x8", "controls", "long_4x4", "identify_4x4", "far"} <= names
    for name in names:
        with pytest.raises(InputError, match=f"^experiments.{name}: "):
            check_ledger(without("experiments", name))


def test_the_order_of_epsilon_does_not_matter():
    check_ledger(changed("instances", "failure", epsilon=[0.05, 0.001, 0.01]))


def test_a_claim_needs_what_its_estimator_reads_beside_the_condition():
    studies = study_plan().config
    claim = next(c for c in ledger(studies.claims, studies=True) if c.id == "s8_strong_linear")
    observed = claim.estimator.reads(claim.setting[0])[-1]
    assert observed.name == "benchmark_observed"
    tables = {**studies.inequalities}
    del tables[observed.table]
    with pytest.raises(InputError, match=f"claim {claim.id} .* needs it") as error:
        check_claims(studies.model_copy(update={"inequalities": tables}), [claim])
    assert error.value.path == ("inequalities", observed.table)
