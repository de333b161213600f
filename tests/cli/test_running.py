"""The command `run`: it reads configuration files before Snakemake does."""

import sys
from pathlib import Path

import pytest

from epochbandits import interruption
from epochbandits.cli.main import main

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def started(monkeypatch):
    """Return the commands that would be started, in the repository."""
    monkeypatch.chdir(ROOT)
    commands = []

    monkeypatch.setattr("os.execv", lambda program, command: commands.append(command))
    return commands


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "mine.yaml: cannot be read: No such file or directory"),
        (..., "mine.yaml: cannot be read: Is a directory"),
        (b"\xff\xfe\x00", "mine.yaml: is not YAML: byte 0 is not UTF-8"),
        (
            b"run: a\nfigures:\n\tfig: 1\n",
            "mine.yaml, line 3: is not plain YAML: there is a tab where YAML",
        ),
        (b"run: a\nroot: {x: 1\n", "mine.yaml, line 3: is not plain YAML: expected ',' or '}'"),
        (b"run: a\nroot: {x: 1\n", "but got the end of the file; is the { on line 2 closed?"),
        (b"run: [a\nroot: 1\n", "mine.yaml, line 2: is not plain YAML: expected ',' or ']'"),
        (b"run: 'a\n", "; is the quotation mark on line 1 closed?"),
        (b"run: a: b\n", "mine.yaml, line 1: is not plain YAML: a second colon; quote text"),
        (b"run: a\nroot: \0\n", "mine.yaml, line 2: is not plain YAML: '\\x00' is not allowed"),
        (b"run: a\nstamp: 2020-13-45\n", "mine.yaml, line 2: is not plain YAML: month must be"),
        (b"", "mine.yaml: must be a mapping of keys to values, such as 'run: mine'"),
        (b"run: a\nsteeds: 3\n", "mine.yaml, line 2: steeds: unknown key"),
    ],
)
def test_a_file_that_cannot_be_read_ends_in_a_sentence(
    content, sentence, tmp_path, started, capsys
):
    path = tmp_path / "mine.yaml"
    if content is ...:
        path.mkdir()
    elif content is not None:
        path.write_bytes(content)
    assert main(["run", str(path)]) == 2
    err = capsys.readouterr().err
    assert sentence in err
    assert "Traceback" not in err
    assert started == []


def test_a_good_file_starts_snakemake(started):
    arguments = ["run", "config/quick.yaml", "--cores", "2", "--dry-run", "--targets", "tables"]
    arguments += ["--config", "root=2", "--config", "stamp=x"]
    assert main(arguments) == 0
    (command,) = started
    assert command == [
        sys.executable, "-P", interruption.__file__, "--cores", "2", "--dry-run",
        "--configfile", "config/quick.yaml", "--config", "root=2", "stamp=x", "--", "tables",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["root", "=2", "a b=2"])
def test_an_override_without_key_or_value_is_refused(text, started, capsys):
    assert main(["run", "--config", text]) == 2
    assert "must be KEY=VALUE such as root=2" in capsys.readouterr().err
    assert started == []


def test_elsewhere_there_is_no_workflow(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["run"]) == 2
    assert "run this in a clone of the repository" in capsys.readouterr().err


def test_a_misspelt_file_is_corrected(capsys):
    assert main(["run", "config/quik.yaml"]) == 2
    assert "No such file or directory (did you mean 'quick.yaml'?)" in capsys.readouterr().err
