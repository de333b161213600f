"""Policies that another package registers are found by their names."""

import pytest

from epochbandits.policies.loading import ENTRY_POINTS, find_policy
from epochbandits.validation import InputError


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Another package, installed as pip would: a module, and a folder with metadata."""
    (tmp_path / "other_bandits.py").write_text("class Leader:\n    schedule = 'linear'\n")
    metadata = tmp_path / "other_bandits-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: other-bandits\nVersion: 1.0\n")
    names = "leader = other_bandits:Leader\nucb = other_bandits:Leader\nlost = other_bandits:Lost\n"
    (metadata / "entry_points.txt").write_text(f"[{ENTRY_POINTS}]\n{names}")
    monkeypatch.syspath_prepend(tmp_path)


def test_a_registered_policy_is_found_by_name(installed):
    assert find_policy("leader").__module__ == "other_bandits"


def test_a_registered_policy_does_not_replace_a_built_in_one(installed):
    assert find_policy("ucb") == "ucb"


def test_an_unknown_name_is_refused_with_all_names(installed):
    with pytest.raises(
        InputError, match=r"policy must be one of .*epoch-ucb.*leader.*not 'leeder'"
    ):
        find_policy("leeder")


def test_a_registered_class_that_does_not_exist_is_named(installed):
    with pytest.raises(InputError, match="other_bandits has no 'Lost'"):
        find_policy("lost")
