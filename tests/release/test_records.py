"""`epochbandits provenance`: the origin of each kind of output, and what is refused."""

import json
import shutil

import pytest

from epochbandits.cli.main import main
from epochbandits.model.generators import failure_example, generate
from epochbandits.pipeline import instance_sets
from epochbandits.provenance import code_hash as provenance
from epochbandits.provenance.versions import lock
from epochbandits.release.records import KEYS, record
from epochbandits.validation import InputError

ABOUT = {"configuration": {"run": "test"}, "code": "c0de", "root": 7}


def test_a_simulated_table(tmp_path, capsys):
    failure_example(0.01).to_json(tmp_path / "i.json")
    out = tmp_path / "runs.parquet"
    command = f"simulate {tmp_path}/i.json --policy ucb --iterations 20 --seeds 0:2 --root 5"
    assert main([*command.split(), "--out", str(out)]) == 0
    capsys.readouterr()
    assert main(["provenance", str(out)]) == 0
    origin = json.loads(capsys.readouterr().out)
    assert list(origin)[: 2 + len(KEYS)] == ["file", "kind", *KEYS]
    assert origin["root"] == 5
    assert origin["configuration"]["policy"] == "ucb"
    assert origin["lock"] == lock() is not None
    assert len(origin["code"]) == 16


@pytest.fixture
def instances(tmp_path):
    members = [generate("fast", 2, 2, seed) for seed in range(2)]
    instance_sets.write(tmp_path / "set", members, ABOUT)
    return tmp_path / "set", members


def test_an_instance_of_a_set(instances):
    folder, members = instances
    origin = record(folder / "1.json")
    assert origin["kind"] == "instance"
    assert origin["instances"] == [members[1].digest]
    assert {key: origin[key] for key in ABOUT} == ABOUT
    assert record(folder)["instances"] == [member.digest for member in members]
    assert instance_sets.read(folder) == members


def test_an_instance_that_is_not_of_the_set_is_refused(instances):
    folder, _ = instances
    failure_example(0.5).to_json(folder / "1.json")
    with pytest.raises(InputError, match="is not one of the instances"):
        record(folder / "1.json")


def test_an_instance_by_itself_is_refused(tmp_path):
    failure_example(0.5).to_json(tmp_path / "1.json")
    with pytest.raises(InputError, match=r"has no record; 1\.about\.json is not beside it"):
        record(tmp_path / "1.json")


@pytest.mark.parametrize(
    ("command", "configuration", "root"),
    [
        (
            "fast --arms 2 --states 3 --seed 7 --knob min_gap=0.05",
            {"class": "fast", "arms": 2, "states": 3, "seed": 7, "knobs": {"min_gap": 0.05}},
            7,
        ),
        ("failure", {"class": "failure", "epsilon": 0.001}, 0),
    ],
)
def test_a_generated_instance(tmp_path, command, configuration, root):
    out = tmp_path / "mine.json"
    assert main(["generate", *command.split(), "--out", str(out)]) == 0
    origin = record(out)
    assert origin["kind"] == "instance"
    assert origin["configuration"] == configuration
    assert origin["root"] == root
    assert record(tmp_path / "mine.about.json")["configuration"] == configuration
    failure_example(0.5).to_json(out)
    with pytest.raises(InputError, match=r"not one of the instances of mine\.about\.json"):
        record(out)


PUBLISHED = "figures/published"


@pytest.mark.parametrize("end", ["png", "pdf", "svg"])
def test_a_picture_and_its_sidecar(tmp_path, end):
    name = "fig2a_stationary"
    for suffix in (end, "json"):
        shutil.copy(f"{PUBLISHED}/{name}.{suffix}", tmp_path)
    picture = tmp_path / f"{name}.{end}"
    origin = record(picture)
    assert origin["kind"] == "picture"
    assert origin["id"] == name
    with picture.open("ab") as file:
        file.write(b" ")
    with pytest.raises(InputError, match=r"is not the picture that fig2a_stationary\.json"):
        record(picture)
    picture.with_suffix(".json").unlink()
    with pytest.raises(InputError, match=r"its sidecar .* is missing"):
        record(picture)


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.json", "[1]", "is not an output of the project"),
        ("a.json", "{}", "its record lacks configuration, code, lock, root, versions"),
        ("a.json", '{"claims": [], "about": 3}', "its record lacks"),
        ("a.json", "{", "is not JSON"),
        ("a.html", "<html></html>", "is not the page of a run"),
        ("a.html", '<meta name="provenance" content="{">', "is not the page of a run"),
        ("a.parquet", "PAR1", "damaged or not a Parquet file"),
        ("a.txt", "", "is not an output that carries its origin"),
    ],
)
def test_a_file_without_an_origin_is_refused(tmp_path, name, text, sentence, capsys):
    (tmp_path / name).write_text(text)
    assert main(["provenance", str(tmp_path / name)]) == 2
    assert sentence in capsys.readouterr().err


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        record(tmp_path / "none.json")


def test_other_versions_of_the_libraries_are_other_code(monkeypatch):
    before = provenance.code_hash("epochbandits.model.chains")
    monkeypatch.setattr(provenance, "versions", lambda: {"numpy": "0"})
    assert provenance.code_hash("epochbandits.model.chains") != before
