"""Values of Snakemake's ``--config``: an error names the command line, and no file."""

import math

import pytest

from epochbandits.config import load, merge, read_yaml
from epochbandits.validation import InputError

PAPER = "config/paper.yaml"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"root": math.nan}, "--config: root: must be a valid integer, not nan"),
        ({"seeds": None}, "--config: seeds: unknown key"),
        ({"bounds": {"fresh": {}}}, "--config: bounds.fresh.instances: is missing"),
        ({"experiments": {"baselines_4x4": {"seeds": "3"}}}, "--config: experiments.baselines_4x4."
         "seeds: must be a valid integer, not '3'; Snakemake takes nested values of --config as"),
    ],
)  # fmt: skip
def test_the_command_line_is_blamed(given, sentence, monkeypatch, pytestconfig):
    monkeypatch.chdir(pytestconfig.rootpath)
    with pytest.raises(InputError) as error:
        load(merge(read_yaml(PAPER), given), [PAPER])
    assert str(error.value).startswith(sentence)
    assert PAPER not in str(error.value)


def test_nan_in_a_file_is_blamed_on_the_file(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("run: a\nroot: .nan\n")
    with pytest.raises(InputError, match=r"mine\.yaml, line 2: root: must be"):
        load(read_yaml(path), [path])
