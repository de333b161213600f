"""What the commands write: refused names, files that must not be destroyed, and what is said."""

import dataclasses
import json
import os
from pathlib import Path

import pytest

from epochbandits.cli.main import main
from epochbandits.engine.simulation import Simulation
from epochbandits.policies import POLICIES
from runs import INSTANCE

RUN = "simulate i.json --policy epoch-ucb --epochs 20 --seeds 3 --out o.parquet"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    INSTANCE.to_json("i.json")
    return tmp_path


def refused(capsys, command):
    assert main(command.split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_a_summary_says_regret_interval_rows_and_file(capsys):
    assert main(RUN.split()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"epoch-ucb on {INSTANCE.name}: 3 seeds, 20 epochs"
    assert lines[1].startswith("final expected regret ")
    assert "95% interval [" in lines[1]
    assert lines[3] == "o.parquet: 60 rows"


def test_one_seed_has_no_interval(capsys):
    assert main(RUN.replace("--seeds 3", "--seeds 7:8").split()) == 0
    assert "no interval: it needs two seeds" in capsys.readouterr().out


def test_the_summary_does_not_mix_with_a_table_on_standard_output(capsys):
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert main(RUN.replace("o.parquet", "pipe").split()) == 0
    finally:
        os.close(reader)
    out, err = capsys.readouterr()
    assert out == ""
    assert "pipe: 60 rows" in err


def test_replacing_an_earlier_table_is_said(capsys):
    for _ in range(2):
        assert main(RUN.split()) == 0
    assert "o.parquet (replaced): 60 rows" in capsys.readouterr().out


@pytest.mark.parametrize("out", ["o.csv", "o", "o.json"])
def test_a_table_ends_in_parquet(out, capsys):
    assert "--out must end in .parquet" in refused(capsys, RUN.replace("o.parquet", out))


def test_an_input_is_not_replaced(capsys):
    before = Path("i.json").read_bytes()
    os.symlink("i.json", "link.parquet")
    for out in ("i.json", "link.parquet"):
        command = RUN.replace("o.parquet", out) + " --force"
        assert "is an input of this command" in refused(capsys, command)
    assert Path("i.json").read_bytes() == before


def test_something_else_is_replaced_only_with_force(capsys):
    Path("o.parquet").write_text("my notes")
    assert "--force" in refused(capsys, RUN)
    assert Path("o.parquet").read_text() == "my notes"
    assert main([*RUN.split(), "--force"]) == 0
    assert "(replaced)" in capsys.readouterr().out


def test_generate_replaces_its_own_instance_and_no_other(capsys):
    assert "--force" in refused(capsys, "generate fast --out i.json")  # it has no record
    for note in ("mine.json: fast", "mine.json (replaced): fast"):
        assert main(["generate", "fast", "--out", "mine.json"]) == 0
        assert note in capsys.readouterr().err
    assert "--out must end in .json" in refused(capsys, "generate fast --out mine.txt")


@pytest.mark.parametrize(
    "command", [RUN, "generate fast --out o.parquet", "provenance o.parquet", "check o.parquet"]
)
def test_a_name_that_is_too_long(command, capsys):
    name = "x" * 300
    assert "File name too long" in refused(capsys, command.replace("o.parquet", f"{name}.parquet"))


def test_control_characters_are_escaped(capsys):
    dataclasses.replace(INSTANCE, name="a\x1b[2Jb\nc").to_json("bad.json")
    run = "simulate bad.json --policy uniform --epochs 2 --seeds 2 --out b.parquet"
    for command in ("check bad.json --format table", "theory bad.json --format table", run):
        assert main(command.split()) == 0
        out = capsys.readouterr().out
        assert r"a\x1b[2Jb\nc" in out
        assert "\x1b" not in out
    assert r"\x1b" in refused(capsys, "check \x1bno.json")


def test_policies_are_listed_with_parameters_and_defaults(capsys):
    assert main(["policies"]) == 0
    out = capsys.readouterr().out
    for name, policy in POLICIES.items():
        (line,) = [line for line in out.splitlines() if line.split()[:1] == [name]]
        assert policy.schedule in line
        assert all(parameter in line for parameter in policy.parameters)
    assert "constant=6.0" in out
    assert "arms (required)" in out
    assert main(["policies", "--format", "json"]) == 0
    listed = json.loads(capsys.readouterr().out)["policies"]
    assert [entry["policy"] for entry in listed] == sorted(POLICIES)


PLAIN = """
class {name}:
    schedule = "fixed:1"
    def reset(self, info, rng): pass
    def choose(self, k): {choose}
    def update(self, arm, reward): pass
"""


@pytest.mark.parametrize(
    ("text", "name", "parts"),
    [
        ("def Make():\n    return 5\n", "Make", ["the call returned 5", "mine.py, line 1"]),
        ("def Make():\n    return 1 / 0\n", "Make", ["division by zero", "mine.py, line 2"]),
        (PLAIN.format(name="A", choose="return [][k]"), "A", ["IndexError", "mine.py, line 5"]),
        (PLAIN.format(name="A", choose="return 99"), "A", ["returned 99", "mine.py, line 5"]),
        ("x = 1\ny = x / 0\n", "A", ["ZeroDivisionError", "mine.py, line 2"]),
        ("x = = 1\n", "A", ["SyntaxError", "mine.py, line 1"]),
    ],
)
def test_an_error_in_a_users_policy_has_file_and_line(text, name, parts, capsys):
    Path("mine.py").write_text(text)
    sentence = refused(capsys, RUN.replace("epoch-ucb", f"mine.py:{name}"))
    assert all(part in sentence for part in parts), sentence


def test_a_long_python_run_is_announced_before_it_starts(capsys, monkeypatch):
    """The estimate is measured; here the run itself is replaced."""
    Path("mine.py").write_text(PLAIN.format(name="A", choose="return 0"))
    run = Simulation.columns

    def columns(self, seeds, **options):
        if self.blocks > 1000:
            raise KeyboardInterrupt
        return run(self, seeds, **options)

    monkeypatch.setattr(Simulation, "columns", columns)
    monkeypatch.setattr(os, "_exit", lambda code: None)
    long = RUN.replace("epoch-ucb", "mine.py:A").replace("--epochs 20", "--epochs 5000")
    main(long.split())
    first = capsys.readouterr().err.splitlines()[0]
    assert first.startswith("epochbandits: A is plain Python: its runs may take up to about ")
    assert "hours" in first or "minutes" in first
    main(RUN.replace("epoch-ucb", "mine.py:A").split())
    assert "plain Python" not in capsys.readouterr().err
