"""The ledger in the README: it is the published one, and the command that writes it."""

import json
import sys
from pathlib import Path

import pytest

from epochbandits.release import readme
from epochbandits.validation import InputError

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "figures" / "published" / "claims.json"
CLAIM = {"statement": "It is.", "where": "here", "verdict": "reproduced", "estimate": 1.0,
         "interval": [0.5, 1.5], "statistic": "ratio", "threshold": "above 0.4", "vacuous": None,
         "condition": "", "setting": [], "beyond": [], "reason": ""}  # fmt: skip


def test_the_readme_has_the_published_ledger():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    claims = json.loads(PUBLISHED.read_text(encoding="utf-8"))["claims"]
    assert readme.with_ledger(text, claims) == text, "the ledger is out of date: run make readme"


def test_the_readme_has_the_markers():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.count(readme.START) == text.count(readme.END) == 1


def test_only_the_part_between_the_markers_changes():
    text = f"before {readme.START} old {readme.END} after"
    once = readme.with_ledger(text, [CLAIM])
    assert once.startswith(f"before {readme.START}\n\n1 claims: 1 reproduced.")
    assert once.endswith(f"{readme.END} after")
    assert " old " not in once
    assert readme.with_ledger(once, [CLAIM]) == once
    assert readme.with_ledger(once, [CLAIM | {"verdict": "undetermined"}]) != once


@pytest.mark.parametrize("text", ["none", readme.START, f"{readme.END} {readme.START}"])
def test_a_readme_without_markers_is_refused(text):
    with pytest.raises(InputError, match="lacks the markers"):
        readme.with_ledger(text, [CLAIM])


def test_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["readme"])
    assert readme.main() == 2
    assert "claims.json: cannot be read" in capsys.readouterr().err
    (tmp_path / "figures" / "published").mkdir(parents=True)
    claims = tmp_path / "figures" / "published" / "claims.json"
    claims.write_text(json.dumps({"claims": [CLAIM]}))
    (tmp_path / "README.md").write_text(f"{readme.START}{readme.END}")
    assert readme.main() == 0
    assert (
        "| It is. | here | **reproduced** | ratio: 1.0 (0.5 to 1.5);"
        in Path("README.md").read_text()
    )
