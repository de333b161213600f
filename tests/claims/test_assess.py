"""The ledger's file and its table."""

import json
from pathlib import Path

import pytest
from paper_run import CONFIG, PLAIN, PaperRun

from epochbandits.claims import assess
from epochbandits.claims.assess import write_claims
from epochbandits.claims.ledger import ledger
from epochbandits.claims.markdown import beyond, markdown
from epochbandits.claims.not_assessed import STATEMENTS
from epochbandits.claims.verdicts import NOT_ASSESSED, VERDICTS
from epochbandits.config import load_files

ROOT = Path(__file__).parents[2]
KEYS = {"id", "statement", "where", "quantifier", "statistic", "threshold", "verdict", "estimate",
        "interval", "vacuous", "evidence", "beyond"}  # fmt: skip
ALTERNATIVES = assess.alternatives(CONFIG.claims)
CELL = {"class", "sampling", "size", "horizon", "verdict", "estimate", "interval"}


@pytest.fixture(scope="module")
def entries(tmp_path_factory):
    """Return the entries of a run of the paper's configuration."""
    out = tmp_path_factory.mktemp("ledger") / "claims.json"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assess, "Evidence", lambda *_: PaperRun())
        write_claims(out, "", PLAIN, {})
    claims = json.loads(out.read_text(encoding="utf-8"))["claims"]
    return {claim["id"]: claim for claim in claims}


def test_other_thresholds_reach_rules_and_estimators():
    """An alternative that no claim depends on would look as if no verdict did."""
    ours = {claim.id: assess._thresholds_in(claim) for claim in ledger(CONFIG.claims)}
    for name, value, claims in ALTERNATIVES:
        changed = {i for i, claim in claims.items() if assess._thresholds_in(claim) != ours[i]}
        assert changed, (name, value)
        if name == "late":
            assert {"fig1b_ucb_underestimates", "fig1b_eps_greedy_underestimates"} <= changed


def test_a_quick_run_gives_no_verdict(tmp_path):
    config = load_files([ROOT / "config/paper.yaml", ROOT / "config/quick.yaml"])
    assert config.claims.assess is False
    out = tmp_path / "claims.json"
    write_claims(out, "quick", config.model_dump(mode="json", by_alias=True), {"run": "quick"})
    result = json.loads(out.read_text(encoding="utf-8"))
    assert {claim["verdict"] for claim in result["claims"]} == {NOT_ASSESSED}
    assert all(claim["estimate"] is None for claim in result["claims"])
    assert all(claim["reason"] for claim in result["claims"])
    listed = [*ledger(config.claims), *STATEMENTS]
    assert [claim["id"] for claim in result["claims"]] == [claim.id for claim in listed]
    assert result["thresholds"] == config.claims.model_dump(exclude={"assess"})
    assert result["about"]["run"] == "quick"
    assert result["edition"] == 2


def test_a_paper_run_gives_every_claim_a_verdict_and_the_documented_keys(entries):
    for claim in ledger(CONFIG.claims):
        entry = entries[claim.id]
        assert set(entry) >= KEYS
        assert entry["verdict"] in VERDICTS
        assert entry["verdict"] != NOT_ASSESSED
        assert entry["quantifier"] == claim.quantifier
        assert [cell["condition"] for cell in entry["setting"]] == [c.label for c in claim.setting]
        assert [cell["condition"] for cell in entry["beyond"]] == [c.label for c in claim.beyond]
        shown = next(c for c in entry["setting"] if c["condition"] == entry["condition"])
        assert (entry["estimate"], entry["interval"]) == (shown["estimate"], shown["interval"])
        for cell in (*entry["setting"], *entry["beyond"]):
            assert set(cell) >= CELL
            assert cell["verdict"] in VERDICTS
            assert cell["class"]
    for statement in STATEMENTS:
        entry = entries[statement.id]
        assert set(entry) >= KEYS
        assert (entry["verdict"], entry["reason"]) == (NOT_ASSESSED, statement.reason)


@pytest.mark.parametrize(
    ("growth", "verdict"),
    [
        ({"ucb": 1.95}, "reproduced"),
        ({"ucb": 1.2}, "not reproduced"),
        ({"ucb": 1.95, "control-linear": 1.5}, "not assessable"),
        ({"ucb": 1.95, "control-sublinear": 1.8}, "not assessable"),
    ],
)
def test_growth_is_judged_only_where_the_controls_are_told_apart(growth, verdict):
    claim = next(claim for claim in ledger(CONFIG.claims) if claim.id == "fig6_ucb_linear")
    entry = assess.entry(claim, PLAIN, PaperRun(growth), ALTERNATIVES)
    assert entry["verdict"] == verdict
    assert bool(entry["reason"]) == (verdict == "not assessable")


@pytest.mark.parametrize(
    ("growth", "others"),
    [
        (1.95, []),
        (1.7, [("linear", 1.8, "not reproduced")]),
        (1.6, [("linear", 1.5, "reproduced")]),
    ],
)
def test_a_verdict_that_depends_on_our_threshold_says_so(growth, others):
    claim = next(claim for claim in ledger(CONFIG.claims) if claim.id == "fig6_ucb_linear")
    entry = assess.entry(claim, PLAIN, PaperRun({"ucb": growth}), ALTERNATIVES)
    changes = [
        (change["threshold"], change["value"], change["verdict"]) for change in entry["depends_on"]
    ]
    assert changes == others
    for _, value, verdict in others:
        assert f", {verdict} with a threshold of {value:g} |" in markdown([entry])


def test_every_threshold_of_ours_has_alternatives_on_both_sides():
    thresholds = CONFIG.claims.model_dump()
    counts = {"assess", "level", "alternatives", "growth_epochs", "growth_units"}
    counts |= {"identify_epochs", "identify_units"}
    assert set(CONFIG.claims.alternatives) == set(thresholds) - counts
    for name, (low, high) in CONFIG.claims.alternatives.items():
        assert low < thresholds[name] < high


def test_a_run_that_is_not_judged_may_lack_what_the_claims_need():
    for claim in ledger(CONFIG.claims):
        entry = assess.entry(claim, {}, None)
        assert {cell["horizon"] for cell in (*entry["setting"], *entry["beyond"])} == {None}


def test_the_place_of_a_cell_is_that_of_its_runs(entries):
    first, path = entries["fig6_ucb_linear"]["setting"][0], entries["fig6_ucb_linear"]["beyond"][0]
    place = {"class": "anticorrelated", "size": "4×4", "horizon": 16000}
    assert first.items() >= (place | {"sampling": "marginal"}).items()
    assert path.items() >= (place | {"sampling": "trajectory"}).items()
    example = entries["fig1b_ucb_locks"]["setting"][0]
    assert (example["class"], example["size"]) == ("Example 1, ε = 0.01", "2×2")


def test_a_bound_above_everything_is_vacuous(entries):
    """A bound of a hundred plays in a hundred epochs says nothing; one of a single play does."""
    assert entries["theorem1"]["vacuous"] is False
    assert entries["lemma1"]["vacuous"] is True  # its bound is 1 in these tables
    assert entries["corollary1"]["useful_from"] > 1000
    assert entries["fig6_ucb_linear"]["vacuous"] is None


def entry(verdict, **changes):
    return {
        "statement": "It is c*.", "where": "here|there", "verdict": verdict, "estimate": 1.0,
        "interval": [0.5, 1.5], "statistic": "ratio", "threshold": "above 0.4", "vacuous": None,
        "condition": "first", "setting": [{}], "beyond": [], "reason": "", "depends_on": [],
    } | changes  # fmt: skip


def test_the_table_shows_both_verdicts():
    cells = [{"verdict": verdict} for verdict in ("reproduced", "reproduced", "undetermined")]
    listed = entry("not assessed", estimate=None, interval=None, reason="another paper")
    text = markdown(
        [entry("reproduced", beyond=cells), entry("undetermined", vacuous=True), listed]
    )
    assert text.startswith("3 claims: 1 reproduced, 1 undetermined, 1 not assessed.")
    assert (
        r"| It is c\*. | here\|there | **reproduced** "
        "| ratio: 1.0 (0.5 to 1.5); claimed: above 0.4 | holds 2, open 1 |"
    ) in text
    assert "**undetermined**, vacuous" in text
    assert "**not assessed** | another paper |" in text
    assert beyond(entry("reproduced")) == ""


def test_the_table_names_the_condition_that_decides():
    text = markdown([entry("reproduced", setting=[{}, {}])])
    assert "ratio, first: 1.0" in text
