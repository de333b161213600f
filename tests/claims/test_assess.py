"""The ledger's file and its table."""

import json
from pathlib import Path

from paper_run import CONFIG, PLAIN, PaperRun

from epochbandits.claims import assess
from epochbandits.claims.assess import NOT_ASSESSED, markdown, write_claims
from epochbandits.claims.ledger import ledger
from epochbandits.claims.rules import VERDICTS, OneSided
from epochbandits.config import load_files

ROOT = Path(__file__).parents[2]


def test_a_quick_run_gives_no_verdict(tmp_path):
    config = load_files([ROOT / "config/paper.yaml", ROOT / "config/quick.yaml"])
    assert config.claims.assess is False
    out = tmp_path / "claims.json"
    write_claims(out, "quick", config.model_dump(mode="json", by_alias=True), {"run": "quick"})
    result = json.loads(out.read_text(encoding="utf-8"))
    assert {claim["verdict"] for claim in result["claims"]} == {NOT_ASSESSED}
    assert all(claim["estimate"] is None for claim in result["claims"])
    assert [claim["id"] for claim in result["claims"]] == [c.id for c in ledger(config.claims)]
    assert result["thresholds"] == config.claims.model_dump(exclude={"assess"})
    assert result["about"]["run"] == "quick"


def test_a_paper_run_gives_every_verdict(tmp_path, monkeypatch):
    monkeypatch.setattr(assess, "Evidence", lambda folder, config: PaperRun())
    write_claims(tmp_path / "claims.json", "", PLAIN, {})
    entries = json.loads((tmp_path / "claims.json").read_text(encoding="utf-8"))["claims"]
    for claim, entry in zip(ledger(CONFIG.claims), entries, strict=True):
        first = entry["tried"][0]
        assert entry["verdict"] in VERDICTS
        assert entry["quantifier"] == claim.quantifier
        assert (entry["estimate"], entry["interval"]) == (first["estimate"], first["interval"])
        assert [one["condition"] for one in entry["tried"]] == [c.label for c in claim.conditions]
        # The bootstrap stands beside the t-interval of means over seeds, and of nothing else.
        means_over_seeds = isinstance(claim.rule, OneSided) and first["runs"] > first["values"]
        assert all(bool(one["bootstrap"]) == means_over_seeds for one in entry["tried"])


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
