"""The ledger's page: it is the published one, and the command that writes it."""

import json
import sys
from pathlib import Path

import pytest

from epochbandits.release import ledger_page
from epochbandits.validation import InputError

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "figures" / "published" / "claims.json"
CLAIM = {"statement": "It is.", "where": "here", "verdict": "reproduced", "estimate": 1.0,
         "interval": [0.5, 1.5], "statistic": "ratio", "threshold": "above 0.4", "vacuous": None,
         "condition": "", "setting": [], "beyond": [], "reason": "", "depends_on": []}  # fmt: skip


def test_the_page_has_the_published_ledger():
    text = (ROOT / "docs/ledger.md").read_text(encoding="utf-8")
    claims = json.loads(PUBLISHED.read_text(encoding="utf-8"))["claims"]
    assert ledger_page.with_ledger(text, claims) == text, "out of date: run make ledger"


def test_the_page_has_the_markers():
    text = (ROOT / "docs/ledger.md").read_text(encoding="utf-8")
    assert text.count(ledger_page.START) == text.count(ledger_page.END) == 1


def test_only_the_part_between_the_markers_changes():
    text = f"before {ledger_page.START} old {ledger_page.END} after"
    once = ledger_page.with_ledger(text, [CLAIM])
    assert once.startswith(f"before {ledger_page.START}\n\n1 claims: 1 reproduced.")
    assert once.endswith(f"{ledger_page.END} after")
    assert " old " not in once
    assert ledger_page.with_ledger(once, [CLAIM]) == once
    assert ledger_page.with_ledger(once, [CLAIM | {"verdict": "undetermined"}]) != once


START, END = ledger_page.START, ledger_page.END


@pytest.mark.parametrize("text", ["none", START, f"{END} {START}"])
def test_a_page_without_markers_is_refused(text):
    with pytest.raises(InputError, match="lacks the markers"):
        ledger_page.with_ledger(text, [CLAIM])


def test_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["ledger_page"])
    assert ledger_page.main() == 2
    assert "claims.json: cannot be read" in capsys.readouterr().err
    (tmp_path / "figures" / "published").mkdir(parents=True)
    claims = tmp_path / "figures" / "published" / "claims.json"
    claims.write_text(json.dumps({"claims": [CLAIM]}))
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/ledger.md").write_text(f"{ledger_page.START}{ledger_page.END}")
    assert ledger_page.main() == 0
    assert (
        "| It is. | here | **reproduced** | ratio: 1.0 (0.5 to 1.5);"
        in Path("docs/ledger.md").read_text()
    )
