"""The ledger: every rule can come out either way, and samples are what they say."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from epochbandits.claims import rules
from epochbandits.claims.assess import NOT_ASSESSED, markdown, write_claims
from epochbandits.claims.claim import Thresholds
from epochbandits.claims.evidence import Evidence, Runs
from epochbandits.claims.ledger import ledger
from epochbandits.claims.rules import (
    Above,
    Below,
    Holds,
    MostOf,
    Near,
    OneSided,
    Sample,
    bootstrap,
    combine,
)
from epochbandits.config import load_files
from epochbandits.figures.registry import FIGURES
from epochbandits.io import parquet
from epochbandits.io.schemas import BOUNDS, FINALS, INEQUALITIES
from epochbandits.model.generators import generate
from epochbandits.model.setting import Setting
from epochbandits.pipeline import instance_sets
from epochbandits.pipeline.inequalities import inequality_table, write_inequalities
from epochbandits.theory import ucb
from epochbandits.validation import InputError

ROOT = Path(__file__).parents[2]
CONFIG = load_files([ROOT / "config" / "paper.yaml"])
SETTINGS = CONFIG.claims.model_dump()
LIMITS = Thresholds(**{key: value for key, value in SETTINGS.items() if key != "assess"})
CLAIMS = ledger(LIMITS)


# --- rules ----------------------------------------------------------------------------------------


def around(centre, spread=0.01, size=50):
    """Return values with a given mean and a small spread."""
    return Sample(centre + spread * np.resize([-1.0, 1.0], size), size)


def shares(rule, share, size=50):
    """Return values of which a given share is above the rule's threshold."""
    above = np.arange(size) < round(share * size)
    return Sample(np.where(above, rule.threshold + 1, rule.threshold - 1), size)


def synthetic(rule):
    """Return a sample for each verdict that a rule can give."""
    if isinstance(rule, OneSided):
        side = 1.0 if isinstance(rule, Above) else -1.0
        return {
            "reproduced": around(rule.threshold + side),
            "not reproduced": around(rule.threshold - side),
            "undetermined": around(rule.threshold),
        }
    if isinstance(rule, Near):
        return {
            "reproduced": around(rule.target, rule.tolerance / 10),
            "not reproduced": around(rule.target + 2 * rule.tolerance, rule.tolerance / 10),
            "undetermined": around(rule.target + rule.tolerance, rule.tolerance / 10),
        }
    if isinstance(rule, MostOf):
        return {
            "reproduced": shares(rule, 1.0),
            "not reproduced": shares(rule, 0.0),
            "undetermined": shares(rule, rule.share),
        }
    assert isinstance(rule, Holds)
    some = np.array([0.2, 0.9, 0.5])
    return {
        "reproduced": Sample(some, 3, np.full(3, 0.05)),
        "not reproduced": Sample(some + np.array([0, 0.3, 0]), 3, np.full(3, 0.05)),
        "undetermined": Sample(some, 3, np.full(3, 0.2)),
    }


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_claim_can_come_out_every_way(claim):
    """Synthetic samples for each verdict of the claim's own rule, and for 'partly'."""
    samples = synthetic(claim.rule)
    findings = {}
    for verdict, sample in samples.items():
        findings[verdict] = claim.rule.judge(sample)
        assert findings[verdict].verdict == verdict
        assert combine(dict.fromkeys(claim.conditions, findings[verdict]))[0] == verdict
    if len(claim.conditions) > 1:
        first, *others = claim.conditions
        for held, failed in (([first], others), (others, [first])):
            mixed = dict.fromkeys(held, findings["reproduced"])
            mixed |= dict.fromkeys(failed, findings["not reproduced"])
            verdict, told = combine(mixed)
            assert verdict == "partly"
            assert f"holds: {'; '.join(held)}" in told
            assert f"fails: {'; '.join(failed)}" in told


def test_an_interval_decides_not_the_estimate():
    wide = Sample(np.array([0.0, 1.9]), 2)
    assert Below(1.0).judge(wide).verdict == "undetermined"
    assert Above(0.9).judge(wide).verdict == "undetermined"
    assert Below(1.0).judge(Sample(np.array([0.5]), 1)).verdict == "undetermined"


def test_intervals_are_those_of_the_statistics_module():
    sample = Sample(np.array([1.0, 2.0, 4.0]), 3)
    found = Below(3.0, 0.9).judge(sample)
    from epochbandits.stats import t_interval, wilson_interval

    assert (found.estimate, found.low, found.high) == t_interval(sample.values, 0.9)
    found = MostOf(1.5, 0.5).judge(sample)
    assert (found.estimate, found.low, found.high) == wilson_interval(2, 3)
    assert (found.size, found.runs) == (3, 3)


def test_one_violation_is_enough_to_refute_an_inequality():
    values = np.full(1000, 0.1)
    assert Holds().judge(Sample(values, 0)).verdict == "reproduced"
    values[17] = 1.0 + 1e-9
    found = Holds().judge(Sample(values, 0))
    assert found.verdict == "not reproduced"
    assert found.estimate == values[17]


def test_what_is_open_is_not_called_refuted():
    finding = Below(1.0).judge(around(1.0))
    refuted = Below(1.0).judge(around(2.0))
    assert combine({"a": finding, "b": refuted}) == ("undetermined", "fails: b. open: a")
    with pytest.raises(InputError, match="at least one condition"):
        combine({})


@pytest.mark.parametrize("values", [[], [1.0, np.nan]])
def test_a_sample_must_be_there(values):
    for rule in (Below(1), Above(1), Near(1, 1), MostOf(1), Holds()):
        with pytest.raises(InputError, match="must have values"):
            rule.judge(Sample(np.array(values), 0))


# --- the ledger -----------------------------------------------------------------------------------


def test_there_are_at_least_thirty_claims_with_names_of_their_own():
    assert len(CLAIMS) >= 30
    assert len({claim.id for claim in CLAIMS}) == len(CLAIMS)
    for claim in CLAIMS:
        assert re.fullmatch(r"[a-z0-9_]+", claim.id)
        assert claim.statement.endswith(".")
        assert claim.where
        assert claim.estimator
        assert claim.conditions
        assert claim.figure in (*FIGURES, "inequalities")


def test_epsilons_have_the_names_of_the_configuration():
    assert CONFIG.instances["failure"].epsilon == [0.001, 0.01]
    assert list(CLAIMS[0].conditions)[:2] == ["ε = .001", "ε = .01"]


def test_thresholds_are_those_of_the_configuration():
    changed = ledger(Thresholds(**{**LIMITS.__dict__, "linear": 1.23, "level": 0.9}))
    rule = next(claim.rule for claim in changed if claim.id == "fig6_ucb_linear")
    assert (rule.threshold, rule.level) == (1.23, 0.9)


def test_what_a_claim_asks_for_is_in_the_configuration(monkeypatch):
    """Every experiment, policy, discount and value that a claim reads is really run."""
    asked = []

    class Recorder(Evidence):
        def __init__(self):
            pass

        def runs(self, experiment, policy, *, instances=None, sampling="marginal", gamma=1.0,
                 value=None, instance=None):  # fmt: skip
            block = CONFIG.experiments[experiment]
            assert policy in block.policies
            assert instances is None or instances in block.instances
            assert sampling in block.sampling
            assert gamma in block.gammas
            swept = CONFIG.policies[policy].sweep or {"": [None]}
            assert value in next(iter(swept.values()))
            asked.append(experiment)
            runs = {"instances": "a", "instance": [0, 1], "seed": 0, "epoch": 10}
            return Runs(pd.DataFrame(runs | dict.fromkeys(NUMBERS, 1.0)))

        def over_bound(self, which, experiment, policy, **where):
            self.runs(experiment, policy, **where)
            return around(0.5)

        def bound(self, name, algorithm, *, at, gamma=1.0, variant="paper", form=""):
            block = CONFIG.bounds[name]
            assert gamma in block.gammas
            assert variant in block.variants
            assert at <= block.horizon
            assert form in (("corrected", "paper") if algorithm == "epoch-greedy" else ("",))
            return np.array([at, 2 * at])

        def eigenvalues(self, law, column):
            assert law in CONFIG.eigenvalues["mixing"].laws
            return around(0.5)

        def inequality(self, name):
            return around(0.5)

    for claim in CLAIMS:
        for take in claim.conditions.values():
            assert len(take(Recorder()).values) > 0
    assert {"ensemble_4x4", "ensemble_4x8", "controls", "growth", "failure"} <= set(asked)


def test_the_bootstrap_resamples_instances_and_seeds():
    """Its width is that of the t-interval if instances differ, and not zero if only seeds do."""
    rng = np.random.default_rng(1)
    differ = np.repeat(rng.normal(10, 2, size=(60, 1)), 4, axis=1)[..., None]
    sample = Sample.of(lambda own: own[..., 0], differ)
    low, high = bootstrap(sample, rng, 4000)
    found = Below(0).judge(sample)
    assert high - low == pytest.approx(found.high - found.low, rel=0.1)
    same = np.tile([8.0, 12.0], (60, 1))[..., None]
    low, high = bootstrap(Sample.of(lambda own: own[..., 0], same), rng, 4000)
    # 60 means of two draws with a standard deviation of 2 each
    assert high - low == pytest.approx(2 * 1.96 * 2 / (2 * 60) ** 0.5, rel=0.1)
    assert bootstrap(around(1.0), rng) is None


def test_the_bootstrap_of_a_ratio_pairs_instances():
    """Two policies whose regrets are proportional on every instance have a ratio without spread."""
    own = np.arange(1.0, 21.0).reshape(20, 1, 1)
    sample = Sample.of(lambda a, b: a[..., 0] / b[..., 0], own, 4 * own)
    assert bootstrap(sample, np.random.default_rng(0)) == (0.25, 0.25)
    assert sample.runs == 40


NUMBERS = ("expected_regret", "half_regret", "late_gap", "markov_penalty", "iteration_regret")

# --- evidence -------------------------------------------------------------------------------------

INSTANCES = [generate("anticorrelated", 3, 4, seed) for seed in (0, 1)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with tables whose samples are known."""
    path = tmp_path_factory.mktemp("run")
    (path / "aggregates" / "ensemble_4x4").mkdir(parents=True)
    rows = []
    for policy, scale in (("epoch-ucb", 1.0), ("ucb", 3.0)):
        for instance in (0, 1):
            for seed in (0, 1, 2):
                regret = scale * (10 + instance + 0.1 * seed)
                rows.append({
                    "policy": policy, "instances": "set", "sampling": "marginal", "gamma": 1.0,
                    "value": np.nan, "instance": instance, "seed": seed, "epoch": 100,
                    "iteration": 9, "arm": 0, "regret": 0.0, "expected_regret": regret,
                    "subopt_regret": 0.0, "markov_penalty": seed, "iteration_regret": 2 * regret,
                    "half_regret": regret / 2, "late_gap": 0.25,
                })  # fmt: skip
    table = pd.DataFrame(rows)
    about = {"configuration": {"experiments": {"ensemble_4x4": {"tau0": 40, "zeta": 1}}}}
    parquet.write(path / "aggregates/ensemble_4x4/finals.parquet", FINALS,
                  {name: table[name].to_numpy() for name in FINALS.names}, about)  # fmt: skip
    instance_sets.write(path / "instances" / "set", INSTANCES)
    (path / "bounds").mkdir()
    grid = [10, 100, 1000]
    columns = {"instances": "set", "instance": 0, "algorithm": "epoch-ucb", "variant": "paper",
               "form": "", "gamma": 1.0, "epoch": grid, "bound": [1.0, 2.0, 3.0], "c": np.nan,
               "k_prime": np.nan}  # fmt: skip
    bounds = pd.DataFrame(columns)
    parquet.write(path / "bounds/time_average.parquet", BOUNDS,
                  {name: bounds[name].to_numpy() for name in BOUNDS.names}, {})  # fmt: skip
    return path


def test_samples_are_means_over_seeds(folder):
    evidence = Evidence(folder)
    own, other = (evidence.runs("ensemble_4x4", name) for name in ("epoch-ucb", "ucb"))
    np.testing.assert_allclose(own.mean().values, [10.1, 11.1])
    assert own.mean().runs == 6
    np.testing.assert_allclose(own.ratio(other).values, [1 / 3, 1 / 3])
    assert own.ratio(other).runs == 12
    np.testing.assert_allclose(own.doubling().values, [2, 2])
    np.testing.assert_allclose(own.doubling_per_run().values, np.full(6, 2))
    np.testing.assert_allclose(own.found_best().values, [0.75, 0.75])
    np.testing.assert_allclose(own.difference(other, "expected_regret").values, [-20.2, -22.2])
    assert own.instances() == [("set", 0), ("set", 1)]
    with pytest.raises(InputError, match="no runs"):
        evidence.runs("ensemble_4x4", "exp3")


def test_measured_over_bound(folder):
    sample = Evidence(folder).over_bound("gap-dependent", "ensemble_4x4", "epoch-ucb")
    bounds = [float(ucb.regret_bound(100, one, Setting(40, 1, 1.0))) for one in INSTANCES]
    np.testing.assert_allclose(sample.values, np.array([10.1, 11.1]) / bounds)
    # t(.975, 2) = 4.3027, a standard deviation of .1 over three seeds
    np.testing.assert_allclose(sample.margins, 4.30265 * 0.1 / 3**0.5 / np.array(bounds), rtol=1e-5)


def test_a_bound_is_taken_at_the_last_n_that_is_not_beyond(folder):
    evidence = Evidence(folder)
    assert evidence.bound("time_average", "epoch-ucb", at=1000).tolist() == [3.0]
    assert evidence.bound("time_average", "epoch-ucb", at=999).tolist() == [2.0]


def test_a_quick_run_gives_no_verdict(tmp_path):
    out = tmp_path / "claims.json"
    write_claims(out, tmp_path, SETTINGS | {"assess": False}, {"run": "quick"})
    found = json.loads(out.read_text())
    assert {claim["verdict"] for claim in found["claims"]} == {NOT_ASSESSED}
    assert all(claim["estimate"] is None for claim in found["claims"])
    assert len(found["claims"]) == len(CLAIMS)
    assert (
        load_files([ROOT / "config/paper.yaml", ROOT / "config/quick.yaml"]).claims.assess is False
    )


def test_the_table_counts_the_verdicts():
    entry = {"statement": "It is c*.", "where": "here|there", "estimate": 1.0}
    tried = [{"verdict": "reproduced"}, {"verdict": "not reproduced"}]
    text = markdown(
        [
            entry | {"verdict": "reproduced", "interval": [0.5, None]},
            entry | {"verdict": "partly", "interval": [0.5, 1.5], "tried": tried},
        ]
    )
    assert text.startswith("2 claims: 1 reproduced, 1 partly.")
    assert r"| It is c\*. | here\|there | **partly**, 1 of 2 | 1.0 (0.5 to 1.5) |" in text
    assert "1 (0.5 to ∞)" in text


# --- inequalities ---------------------------------------------------------------------------------

SMALL = {"tau0": 5, "zeta": 1, "gammas": [1.0, 0.7], "epochs": 300, "seeds": 20, "cprime": 50.0,
         "c": 100.0}  # fmt: skip


def test_lemmas_hold_exactly_and_theorems_are_simulated():
    wide = generate("fast", 2, 2, 0, mean_others=[0.1, 0.3], min_gap=0.5)
    rows = inequality_table("set", [INSTANCES[0]], **SMALL)
    rows += inequality_table("wide", [wide], **(SMALL | {"tau0": 40, "epochs": 1500, "seeds": 100}))
    table = pd.DataFrame(rows, columns=INEQUALITIES.names)
    assert set(table["name"]) == {"lemma1", "lemma2", "theorem1", "theorem2"}
    lemmas = table[table["name"].str.startswith("lemma")]
    assert (lemmas["left"] <= lemmas["right"]).all()
    assert (lemmas["margin"] == 0).all()
    assert (lemmas["left"] > 0).all()
    # Theorem 2 says nothing where c is below c'ν², so only of the quickly mixing instance
    assert set(table.loc[table["name"] == "theorem2", "instances"]) == {"wide"}
    plays = table[table["name"] == "theorem1"]
    assert (plays["left"] <= plays["right"]).all()
    assert set(plays.loc[plays["instances"] == "set", "arm"]) == set(
        np.flatnonzero(INSTANCES[0].gap > 0)
    )


def test_theorem2s_share_is_the_exploration_rate_while_that_is_all():
    """Long after k' a suboptimal arm is played by exploration alone: ε_k/m, within the margin."""
    wide = generate("fast", 2, 2, 0, mean_others=[0.1, 0.3], min_gap=0.5)
    rows = inequality_table("wide", [wide], **(SMALL | {"tau0": 40, "epochs": 3000, "seeds": 400}))
    table = pd.DataFrame(rows, columns=INEQUALITIES.names)
    last = table[table["name"] == "theorem2"].sort_values("at").iloc[-1]
    rate = SMALL["c"] * 2 / wide.min_gap**2 / last["at"]
    assert abs(last["left"] - rate / 2) <= 1.5 * last["margin"]


def test_the_table_on_disk(tmp_path):
    instance_sets.write(tmp_path / "set", [INSTANCES[0]])
    out = tmp_path / "theory.parquet"
    block = {"instances": ["set"], **SMALL}
    write_inequalities(out, [tmp_path / "set"], block, {"root": 0})
    (tmp_path / "inequalities").mkdir()
    out.rename(tmp_path / "inequalities" / "theory.parquet")
    sample = Evidence(tmp_path).inequality("lemma1")
    assert (sample.values <= 1).all()
    assert sample.runs == 0
    assert Evidence(tmp_path).inequality("theorem1").runs == 20
    assert rules.Holds().judge(sample).verdict == "reproduced"
