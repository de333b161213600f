"""Policies that another package registers are used by their names."""

import json

import pyarrow.parquet as pq
import pytest

from epochbandits import failure_example
from epochbandits.cli.main import main
from epochbandits.config.models import PolicyBlock
from epochbandits.pipeline.policy_hash import policy_hash
from epochbandits.policies.loading import ENTRY_POINTS, find_policy
from epochbandits.validation import InputError

LEADER = """
class Leader:
    schedule = "linear"

    def __init__(self, *, bonus=1.5, kind=(1, 2)):
        self.bonus = bonus

    def reset(self, info, rng):
        self.arms = info.arms

    def choose(self, k):
        return k % self.arms

    def update(self, arm, reward):
        pass
"""


def install(folder, name, points):
    """Install a package as pip would: a module, and a folder with metadata."""
    (folder / f"{name}_bandits.py").write_text(LEADER)
    metadata = folder / f"{name}_bandits-1.0.dist-info"
    metadata.mkdir()
    text = f"Metadata-Version: 2.1\nName: {name}-bandits\nVersion: 1.0\n"
    (metadata / "METADATA").write_text(text)
    lines = [f"{point} = {name}_bandits:{cls}" for point, cls in points.items()]
    (metadata / "entry_points.txt").write_text("\n".join([f"[{ENTRY_POINTS}]", *lines, ""]))


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """Two packages, with names that are good, built-in, registered twice, and of no class."""
    (tmp_path / "target").mkdir()
    points = {"leader": "Leader", "ucb": "Leader", "twice": "Leader", "lost": "Lost"}
    install(tmp_path / "target", "other", points)
    install(tmp_path / "target", "third", {"twice": "Leader"})
    monkeypatch.syspath_prepend(tmp_path / "target")
    monkeypatch.chdir(tmp_path)
    failure_example().to_json("i.json")
    return tmp_path / "target"


def test_a_registered_policy_is_found_by_name(installed):
    assert find_policy("leader").__module__ == "other_bandits"
    assert PolicyBlock(policy="leader").policy == "leader"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("ucb", r"'ucb' is ambiguous: a built-in policy has this name, and it is registered by "
                r"other-bandits \(other_bandits:Leader\)"),
        ("twice", r"ambiguous: it is registered by other-bandits .* and third-bandits \("),
        ("leeder", "policy must be one of .*epoch-ucb.*leader.*not 'leeder'"),
        ("lost", "other_bandits has no 'Lost'"),
    ],
)  # fmt: skip
def test_a_name_that_means_no_policy_or_two_is_refused(installed, name, sentence):
    with pytest.raises(InputError, match=sentence):
        find_policy(name)


def test_its_code_is_behind_its_runs(installed):
    before = policy_hash("leader")
    assert before == policy_hash("other_bandits:Leader")
    path = installed / "other_bandits.py"
    path.write_text(path.read_text() + "# edited\n")
    assert policy_hash("leader") != before


def test_code_whose_source_is_not_found_is_refused(installed):
    with pytest.raises(InputError, match=r"is not a .py file .* an edit would go unnoticed"):
        policy_hash("math:sqrt")


def test_commands_know_it_by_name(installed, capsys):
    short = ["--epochs", "4", "--seeds", "2"]
    assert main(["simulate", "i.json", "--policy", "leader", *short, "--out", "r.parquet"]) == 0
    about = json.loads(pq.read_metadata("r.parquet").metadata[b"about"])
    assert about["configuration"]["policy"] == "leader"
    assert main(["compare", "i.json", "--policies", "leader,uniform", *short]) == 0
    assert main(["plot", "r.parquet", "--out", "r.svg"]) == 0
    assert "r.svg: leader" in capsys.readouterr().out


def test_it_is_listed_after_the_built_in_ones(installed, capsys):
    assert main(["policies", "--format", "json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["policies"][-1] == {
        "policy": "leader",
        "schedule": "linear",
        "parameters": {"bonus": 1.5, "kind": "(1, 2)"},
        "code": "other_bandits:Leader",
    }
    assert "'ucb' is ambiguous" in err
    assert "has no 'Lost'" in err
