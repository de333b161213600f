"""The generated parts of the documentation."""

import shutil

import pytest

from epochbandits.provenance.versions import REPOSITORY
from epochbandits.release import documentation
from epochbandits.validation import InputError


def test_text_after_a_conclusion_is_not_dropped(tmp_path, monkeypatch):
    page = tmp_path / "docs" / "studies.md"
    page.parent.mkdir()
    shutil.copyfile(REPOSITORY / "docs" / "studies.md", page)
    monkeypatch.setattr(documentation, "REPOSITORY", tmp_path)
    whole = page.read_text(encoding="utf-8")
    assert documentation.studies() == whole
    page.write_text(f"{whole}\nA paragraph that somebody added.\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"section 9 goes on after 'Takeaway'"):
        documentation.studies()
