"""A configuration that assesses claims must run what they need."""

from pathlib import Path

import pytest

from epochbandits.claims.check import check
from epochbandits.claims.ledger import ledger
from epochbandits.config import load_files
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
    check(CONFIG)
    quick = load_files([PAPER, ROOT / "config" / "quick.yaml"])
    assert quick.claims.assess is False
    check(quick)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (
            without("experiments", "long_4x4"),
            "fixed_length_linear (condition 'ucb, identify_4x4, marginal') needs "
            "experiments.long_4x4;",  # the controls
        ),
        (
            changed("experiments", "long_4x4", policies=["epoch-ucb", "ucb", *CONTROLS]),
            "fig4b_tends (condition 'tuned c, n = 16,000') needs epoch-greedy in "
            "experiments.long_4x4.policies;",
        ),
        (
            changed("experiments", "long_4x4", policies=["epoch-ucb", "epoch-greedy", "ucb"]),
            "needs control-linear in experiments.long_4x4.policies;",
        ),
        (
            # the policies that a claim compares with count as well
            changed("experiments", "ensemble_decay", policies=["epoch-greedy-decayed"]),
            "needs epoch-ucb in experiments.ensemble_decay.policies;",
        ),
        (
            changed("experiments", "controls", instances=["slow_suboptimal", "inverted", "fast"]),
            "needs literal in experiments.controls.instances;",
        ),
        (
            changed("experiments", "controls", sampling=["marginal"]),
            "needs trajectory in experiments.controls.sampling;",
        ),
        (
            changed("experiments", "controls_discounts", gammas=[1.0, 0.95, 0.1]),
            "needs 0.5 in experiments.controls_discounts.gammas;",
        ),
        (
            # a ratio to γ = 1
            changed("experiments", "controls_discounts", gammas=[0.95, 0.5, 0.1]),
            "needs 1 in experiments.controls_discounts.gammas;",
        ),
        (
            changed("experiments", "identify_uncorrelated", tuned_on=None),
            "needs experiments.identify_uncorrelated.tuned_on (to tune epoch-greedy);",
        ),
        (
            changed("experiments", "long_4x8", epochs=5000),
            "needs experiments.long_4x8.epochs of at least 16000;",
        ),
        (
            changed("experiments", "identify_uncorrelated", epochs=16000),
            "needs experiments.identify_uncorrelated.epochs of at least 20000;",
        ),
        (
            changed("instances", "identify_4x4", count=50),
            "needs instances.identify_4x4.count of at least 100;",
        ),
        (
            changed("experiments", "failure_growth", seeds=50),
            "needs experiments.failure_growth.seeds of at least 100;",
        ),
        (
            changed("experiments", "controls", instances=["fast", "literal", "uncorrelated"]),
            "needs slow_suboptimal in experiments.controls.instances;",
        ),
        (
            changed("instances", "failure", epsilon=[0.01, 0.002]),
            "needs 0.001 in instances.failure.epsilon;",
        ),
        (
            changed("policies", "epoch-greedy-decayed", sweep={"decay": [1.0, 10.0, 1000.0]}),
            "needs 100 in policies.epoch-greedy-decayed.sweep;",
        ),
        (
            changed("policies", "ucb", sweep={"c": [1.0, 2.0]}),
            "needs one value of the parameter in policies.ucb.sweep, put in params instead;",
        ),
        (without("bounds", "ensemble"), "needs bounds.ensemble;"),
        (
            changed("bounds", "ensemble", variants=["tight"]),
            "needs paper in bounds.ensemble.variants;",
        ),
        (
            changed("bounds", "ensemble", horizon=10**6),
            "needs bounds.ensemble.horizon of at least 10000000;",
        ),
        (
            changed("bounds", "ensemble", horizons=[10**7, 10**5]),
            "needs 1000000 in bounds.ensemble.horizons;",
        ),
        (
            changed("bounds", "ensemble", gammas=[1.0, 0.9]),
            "needs 0.8 in bounds.ensemble.gammas;",
        ),
        (without("eigenvalues", "mixing"), "needs eigenvalues.mixing;"),
        (
            changed("eigenvalues", "mixing", laws=["uniform"]),
            "needs 'normal: |N|' in eigenvalues.mixing.laws;",
        ),
        (
            without("inequalities", "theory"),
            "irreducible_diagonal (condition 'positive diagonal') needs inequalities.theory;",
        ),
        (
            changed("inequalities", "theory", checks=["lemmas", "irreducible"]),
            "needs theorem1 in inequalities.theory.checks;",
        ),
        (
            changed("inequalities", "theory", gammas=[1.0, 0.9]),
            "needs 0.95 in inequalities.theory.gammas;",
        ),
        (
            changed("inequalities", "theorem2", sampling=["marginal"]),
            "needs trajectory in inequalities.theorem2.sampling;",
        ),
        (
            changed("instances", "identify_fast", count=99),
            "needs instances.identify_fast.count of at least 100;",
        ),
        (
            changed("inequalities", "constants", instances=["ensemble_4x8"]),
            "needs ensemble_4x4 in inequalities.constants.instances;",
        ),
    ],
)
def test_what_is_missing_is_named(config, message):
    with pytest.raises(InputError) as error:
        check(config)
    assert str(error.value).startswith("claims: ")
    assert message in str(error.value)
    assert str(error.value).endswith("add it, or set claims.assess to false")
    check(config.model_copy(update={"claims": config.claims.model_copy(update={"assess": False})}))


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
        with pytest.raises(InputError, match=f"experiments.{name};"):
            check(without("experiments", name))


def test_the_order_of_epsilon_does_not_matter():
    check(changed("instances", "failure", epsilon=[0.05, 0.001, 0.01]))
