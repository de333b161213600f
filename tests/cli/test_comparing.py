"""The commands `compare` and `plot`."""

from pathlib import Path

import pytest

from epochbandits.cli.main import main
from epochbandits.io import parquet
from epochbandits.io.schemas import COMPARISON
from runs import INSTANCE

COMPARE = "compare i.json --policies epoch-ucb,uniform --epochs 30 --seeds 3"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    INSTANCE.to_json("i.json")
    return tmp_path


def test_compare_prints_a_ranking_and_writes_table_and_figure(capsys):
    assert main([*COMPARE.split(), "--out", "c"]) == 0
    out = capsys.readouterr().out
    assert out.index("epoch-ucb") < out.index("uniform")
    assert "over 3 seeds; differences are paired, and corrected for 1 comparison" in out
    stored = parquet.read("c/comparison.parquet", COMPARISON)
    assert stored.columns["first"].tolist() == ["epoch-ucb"]
    assert stored.about["configuration"]["seeds"] == [0, 1, 2]
    assert Path("c/comparison.svg").read_text().startswith("<?xml")
    assert main([*COMPARE.split(), "--out", "c"]) == 0
    assert "comparison.parquet (replaced)" in capsys.readouterr().out


def test_spaces_between_policies_do_not_matter(capsys):
    assert main(COMPARE.split()) == 0
    without = capsys.readouterr().out
    arguments = [{"epoch-ucb,uniform": "epoch-ucb, uniform"}.get(a, a) for a in COMPARE.split()]
    assert main(arguments) == 0
    assert capsys.readouterr().out == without


def test_parameters_belong_to_a_policy(capsys):
    assert main([*COMPARE.split(), "--param", "epoch-ucb.factor=0"]) == 0
    with_factor = capsys.readouterr().out
    assert main(COMPARE.split()) == 0
    assert with_factor != capsys.readouterr().out
    assert main([*COMPARE.split(), "--param", "ucb.factor=0"]) == 2
    assert "must be one of epoch-ucb, uniform" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (("epoch-ucb,uniform", "uniform"), "at least two policies"),
        (("epoch-ucb,uniform", "uniform,uniform"), "--policies names 'uniform' twice"),
        (("epoch-ucb,uniform", "uniform,"), "at least two policies"),
        (("epoch-ucb", "epoch-ubc"), "did you mean 'epoch-ucb'?"),
        (("i.json", "i.json i.json"), "each given only once"),
        (("--seeds 3", "--seeds 3 --out i.json"), "must be a folder"),
        (("--seeds 3", "--seeds 3 --out no/such"), "the folder no does not exist"),
    ],
)
def test_compare_refuses_in_one_sentence(change, sentence, capsys):
    assert main(COMPARE.replace(*change).split()) == 2
    err = capsys.readouterr().err
    assert sentence in err
    assert err.count("\n") == 1


def test_plot_draws_tables_of_simulate(capsys):
    for policy, name in (("epoch-ucb", "a"), ("epoch-ucb", "b"), ("uniform", "c")):
        command = f"simulate i.json --policy {policy} --epochs 20 --seeds 2 --out {name}.parquet"
        assert main(command.split()) == 0
    capsys.readouterr()
    for note in ("", " (replaced)"):
        assert main(["plot", "a.parquet", "b.parquet", "c.parquet", "--out", "p.pdf"]) == 0
        output = capsys.readouterr().out
        assert output == f"p.pdf{note}: epoch-ucb, a, epoch-ucb, b, uniform\n"
    assert Path("p.pdf").read_bytes().startswith(b"%PDF")


def test_plot_refuses_what_it_cannot_draw(capsys):
    for command, sentence in (
        ("plot i.json --out p.svg", "i.json: is not a table of 'epochbandits simulate'"),
        ("plot a.parquet --out p.txt", "--out must end in .svg or .pdf or .png"),
    ):
        assert main(command.split()) == 2
        assert sentence in capsys.readouterr().err
    Path("p.svg").write_text("mine")
    assert main(["plot", "a.parquet", "--out", "p.svg"]) == 2
    assert "--force" in capsys.readouterr().err
