"""The study of a user, `examples/my_study`, run by the command that its configuration states."""

import shlex

import pandas as pd
import yaml

from conftest import ROOT

CONFIG = ROOT / "examples" / "my_study" / "config.yaml"


def test_my_study_runs_as_written(make_project):
    text = CONFIG.read_text()
    command = next(line for line in text.splitlines() if line.startswith("#   snakemake"))
    _, _, *arguments = shlex.split(command.removeprefix("#"))
    project = make_project("my_study")
    project.snakemake(*arguments[1:])  # without the number of cores
    assert (project.folder / arguments[-1]).stat().st_size > 1000
    (experiment,) = yaml.safe_load(text)["experiments"].values()
    table = pd.read_parquet(project.folder / "figures/my_study/data/fig6a_baselines_4x4.parquet")
    assert set(table["policy"]) == set(experiment["policies"])


def test_my_study_is_ten_lines():
    lines = [line for line in CONFIG.read_text().splitlines() if not line.startswith("#")]
    assert len(lines) == 10
