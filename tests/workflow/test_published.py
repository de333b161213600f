"""The published numbers are what the code computes: a sample of them, computed again."""

import json
import shutil
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from epochbandits.cli.main import main
from epochbandits.config import load_files
from epochbandits.figures.registry import FIGURES
from epochbandits.io import files, parquet, tables
from epochbandits.planning.plan import Plan
from epochbandits.release import verdicts, verify
from epochbandits.release.manifest import write_manifest
from epochbandits.release.verify import SAMPLE, TOLERANCE, Compared, Published
from epochbandits.validation import InputError

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "figures" / "published"


@cache
def plan():
    return Plan(load_files([ROOT / "config" / "paper.yaml"]))


@cache
def published(figure):
    return pq.read_table(PUBLISHED / "data" / f"{figure}.parquet").to_pandas()


@pytest.mark.parametrize("figure", FIGURES)
def test_every_figure_is_published_with_the_present_configuration(figure):
    about = json.loads((PUBLISHED / f"{figure}.json").read_text(encoding="utf-8"))
    captions = str(ROOT / "workflow" / "report")
    expected = plan().figures.task(figure, captions)["metadata"]
    assert about["configuration"] == expected["configuration"]
    assert about["caption"] == expected["caption"]
    assert about["configuration"]["run"] == "paper"
    assert parquet.about(PUBLISHED / "data" / f"{figure}.parquet")["inputs"] == about["inputs"]
    for end in ("pdf", "png", "svg"):
        assert (PUBLISHED / f"{figure}.{end}").stat().st_size > 1000


@pytest.mark.parametrize("name", SAMPLE)
def test_the_sample_is_computed_again(name):
    compared = SAMPLE[name](Published(PUBLISHED, ROOT / "config" / "paper.yaml"))
    assert compared.values >= 30
    assert compared.difference <= TOLERANCE


@pytest.fixture
def altered(tmp_path):
    """Return a copy of what verify reads, in which a number is changed before it is stored."""

    def alter(figure, column, factor):
        (tmp_path / "data").mkdir()
        for path in (PUBLISHED / "data").glob("*.parquet"):
            shutil.copy(path, tmp_path / "data")
        path = tmp_path / "data" / f"{figure}.parquet"
        columns, about = parquet.read_any(path)
        columns[column] = columns[column] * factor
        kinds = {"i": "int", "f": "float", "O": "text"}
        table = tables.Table(
            f"figure {figure}",
            tuple(tables.Column(n, kinds[c.dtype.kind], "1", "") for n, c in columns.items()),
            (),
        )
        parquet.write(path, table, columns, about)
        write_manifest(tmp_path)  # as a forger would
        return Published(tmp_path, ROOT / "config" / "paper.yaml")

    return alter


@pytest.mark.parametrize(
    ("name", "figure", "column"),
    [
        ("epoch-ucb", "fig4a_ucb_vs_greedy", "expected_regret"),
        ("ucb-bound", "fig3b_ucb_bound_discount", "bound"),
        ("stationary", "fig2a_stationary", "stationary"),
        ("eigenvalues", "tab1_mixing", "lambda2"),
    ],
)
def test_a_number_that_is_off_is_found(altered, name, figure, column):
    compared = SAMPLE[name](altered(figure, column, 1 + 1e-10))
    assert TOLERANCE < compared.difference < 2e-10


with_tables = pytest.mark.skipif(
    not (PUBLISHED / "data" / "paper").is_dir(),
    reason="published before the tables of the verdicts were a part of it: make publish",
)


@with_tables
def test_the_verdicts_are_those_of_the_published_tables(tmp_path):
    shutil.copytree(PUBLISHED, tmp_path / "forged")
    assert "equal" in verdicts.check(Published(PUBLISHED, ROOT / "config" / "paper.yaml"))
    ledger = json.loads((PUBLISHED / "claims.json").read_text(encoding="utf-8"))
    forged = next(claim for claim in ledger["claims"] if claim["verdict"] == "not reproduced")
    forged["verdict"] = "reproduced"
    del ledger["digest"]
    files.write_sealed(tmp_path / "forged" / "claims.json", ledger)
    write_manifest(tmp_path / "forged")
    with pytest.raises(InputError, match=f"verdict of {forged['id']} is published as 'reproduced'"):
        verdicts.check(Published(tmp_path / "forged", ROOT / "config" / "paper.yaml"))


def test_the_command_reports_the_largest_difference(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(verdicts, "check", lambda _: "claims.json: equal")
    some = {name: SAMPLE[name] for name in ("stationary", "eigenvalues")}
    monkeypatch.setattr(verify, "SAMPLE", some)
    assert main(["verify"]) == 0
    output = capsys.readouterr().out
    assert len(output.splitlines()) == 7
    assert "manifest.json: " in output
    assert "not who published them" in output
    assert "tab1_mixing: eigenvalues: 500 values" in output
    worse = Compared("eigenvalues", "tab1_mixing", 1, 1e-3)
    monkeypatch.setattr(verify, "SAMPLE", {"worse": lambda _: worse})
    assert main(["verify"]) == 2
    assert "what this code computes by 1.0e-03, more than 1e-12" in capsys.readouterr().err


def test_a_folder_without_figures_is_refused(tmp_path, capsys):
    assert main(["verify", "--published", str(tmp_path)]) == 2
    assert "has no published figures" in capsys.readouterr().err


@pytest.mark.parametrize("policy", ["ucb", "exp3", "q-learning"])
def test_a_mean_of_fig6_is_the_mean_of_its_instances(policy):
    data = published("fig6a_baselines_4x4")
    data = data[data["policy"] == policy]
    lines = data[data["line"] == "instance"].groupby("epoch")["expected_regret"]
    mean = data[data["line"] == "mean"].sort_values("epoch")["expected_regret"]
    np.testing.assert_allclose(lines.mean(), mean, rtol=1e-12)
    assert (lines.size() == 5).all()
