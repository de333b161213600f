"""What is refused before any job: figures, parameters, instances and files that do not fit."""

import copy
import json
from functools import reduce
from pathlib import Path

import pytest
import yaml

from epochbandits.config import load, merge, read_yaml
from epochbandits.planning import load_plan
from epochbandits.planning.loading import check_figures
from epochbandits.validation import InputError

ROOT = Path(__file__).parents[2]
PAPER = ROOT / "config" / "paper.yaml"
BASE = read_yaml(PAPER)


def changed(path, value):
    """Return the paper's configuration with one entry set."""
    config = copy.deepcopy(BASE)
    *outer, last = path
    reduce(lambda at, key: at[key], outer, config)[last] = value
    return config


def refusal(config, paths=()):
    with pytest.raises(InputError) as caught:
        load_plan(config, paths)
    return str(caught.value)


@pytest.mark.parametrize(
    ("path", "value", "parts"),
    [
        (
            ("figures", "fig4a_ucb_vs_greddy"),
            {"source": "epochs"},
            [
                "figures.fig4a_ucb_vs_greddy: figure must be one of fig1a_failure_arms",
                "did you mean 'fig4a_ucb_vs_greedy'?",
                "fig4a_ucb_vs_greedy: {source: epochs}",
            ],
        ),
        (
            ("figures", "fig4a_ucb_vs_greedy", "source"),
            "epoch",
            [
                "figures.fig4a_ucb_vs_greedy.source: source must be one of failure",
                "did you mean 'epochs'?",
                "source: epochs",
            ],
        ),
        (
            ("figures", "tab1_mixing", "source"),
            ["mixing", "mixing"],
            ["figures.tab1_mixing.source: the figure needs 1 source in eigenvalues, not 2"],
        ),
        (
            ("figures", "finding1_ucb_failure", "source"),
            "phase",
            ["the figure needs 2 sources in experiments, not 1"],
        ),
        (
            ("figures", "fig1b_failure_regret", "source"),
            ["failure", "failure_pared"],
            ["figures.fig1b_failure_regret.source", "source: [failure, failure_paired]"],
        ),
        (
            ("figures", "fig4a_ucb_vs_greedy", "policies"),
            ["ucb"],
            ["figures.fig4a_ucb_vs_greedy.policies: policy must be one of epoch-greedy-decayed"],
        ),
        (("figures", "fig2a_stationary", "policies"), ["ucb"], ["shows no policies"]),
        (("policies", "ucb", "code"), "x.py:Y", ["policies.ucb: in experiments.", "be imported"]),
        (
            ("policies", "epoch-ucb", "params"),
            {"constnat": 6},
            ["policies.epoch-ucb", "has no parameter 'constnat' (did you mean 'constant'?)"],
        ),
        (
            ("policies", "epoch-greedy-decayed", "sweep"),
            {"decay": [*BASE["policies"]["epoch-greedy-decayed"]["sweep"]["decay"], 0]},
            ["policies.epoch-greedy-decayed", "decay must be a number in (0, 1e+12]"],
        ),
        (
            ("instances", "main_4x4", "knobs"),
            {"min_gap": 0.99, "max_draws": 5},
            ["instances.main_4x4", "accepted none of 5 draws"],
        ),
        (("instances", "main_4x4", "knobs"), {"min_gup": 0.1}, ["did you mean 'min_gap'?"]),
        (("instances", "mine"), {"files": ["none.json"]}, ["none.json: cannot be read"]),
    ],
)
def test_a_wrong_value_is_refused_with_its_key(path, value, parts):
    text = refusal(changed(path, value))
    for part in parts:
        assert part in text


def test_file_line_and_correction_are_printed(tmp_path):
    mine = tmp_path / "mine.yaml"
    mine.write_text("run: mine\nfigures:\n  tab1_mixing:\n    source: mixng\n")
    text = refusal(merge(BASE, read_yaml(mine)), [PAPER, mine])
    assert text.startswith(f"{mine}, line 4: figures.tab1_mixing.source: source must be one of ")
    fixed = yaml.safe_load(text.split("write:\n")[1])
    assert fixed == {"figures": {"tab1_mixing": {"source": "mixing"}}}


@pytest.mark.parametrize(
    ("path", "wrong", "right"),
    [
        (("policies", "epoch-ucb", "params"), {"variant": "tihgt"}, {"variant": "tight"}),
        (("policies", "epoch-ucb", "params"), {"constnat": 5}, {"constant": 5}),
        (("instances", "main_4x4", "knobs"), {"min_gup": 0.1}, {"min_gap": 0.1}),
    ],
)
def test_a_refusal_by_the_library_has_line_and_correction(tmp_path, path, wrong, right):
    """The library knows neither file nor key: the refused word is looked up below the block."""
    mine = tmp_path / "mine.yaml"
    first, second, third = path
    mine.write_text(yaml.safe_dump({first: {second: {third: wrong}}}))
    text = refusal(merge(BASE, read_yaml(mine)), [PAPER, mine])
    assert text.startswith(f"{mine}, line 4: {'.'.join((*path, *wrong))}: ")
    assert yaml.safe_load(text.split("write:\n")[1])[first][second][third].items() >= right.items()


def test_a_word_that_is_in_a_block_twice_is_not_corrected():
    block = {"params": {"variant": "tihgt"}, "label": "tihgt"}
    text = refusal(changed(("policies", "epoch-ucb"), block))
    assert "policies.epoch-ucb: " in text
    assert "did you mean 'tight'?" in text
    assert "write:" not in text


def test_the_error_of_a_figure_has_its_facts_as_fields():
    config = load(changed(("figures", "tab1_mixing", "source"), ["mixng"]))
    with pytest.raises(InputError) as caught:
        check_figures(config)
    error = caught.value
    assert error.path == ("figures", "tab1_mixing", "source")
    assert (error.value, error.suggestion) == ("mixng", "mixing")
    assert error.allowed == ("mixing", "mixing_large")


def test_a_removed_experiment_takes_its_figure_with_it(tmp_path):
    mine = tmp_path / "mine.yaml"
    mine.write_text("run: mine\nexperiments:\n  baselines_4x4: null\n")
    text = refusal(merge(BASE, read_yaml(mine)), [PAPER, mine])
    assert "mine.yaml, line 3: experiments.baselines_4x4 is set to null, but" in text
    assert "figures: {fig6a_baselines_4x4: null}" in text
    assert "4x8" not in text


def test_an_instance_file_that_fails_its_assumptions_is_refused(tmp_path):
    bad = tmp_path / "bad.json"
    instance = {
        "name": "bad",
        "transition": [[[1, 0], [0, 1]], [[0.5, 0.5], [0.5, 0.5]]],
        "rewards": [[{"law": "constant", "value": 0.5}] * 2] * 2,
        "initial": [1, 0],
    }
    bad.write_text(json.dumps(instance))
    text = refusal(changed(("instances", "mine"), {"files": [str(bad)]}))
    assert text.startswith("instances.mine: ")
    assert str(bad) in text
    assert "arm 0" in text


def test_only_the_key_code_names_a_class(tmp_path):
    """A file that is named anywhere else is not run."""
    ran = tmp_path / "ran"
    mine = tmp_path / "mine.py"
    mine.write_text(f"import pathlib; pathlib.Path({str(ran)!r}).touch()\nclass Mine: pass\n")
    for path in (("policies", "ucb", "policy"), ("instances", "main_4x4", "class")):
        refusal(changed(path, f"{mine}:Mine"))
    refusal(changed(("instances", "mine"), {"files": [str(mine)]}))
    refusal(changed(("policies", "ucb", "params"), {"c": f"{mine}:Mine"}))
    refusal(changed(("policies", f"{mine}:Mine"), {}))
    assert not ran.exists()
    refusal(changed(("policies", "ucb", "code"), f"{mine}:Mine"))
    assert ran.exists()
    assert "use it only with code that you trust" in (ROOT / "docs/pipeline.md").read_text()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("run: mine\nrun: other\n", "appears twice"),
        ("__use_yte__: true\nrun: mine\n", "makes Snakemake run code; write plain YAML"),
    ],
)
def test_a_file_that_snakemake_reads_differently_is_refused(tmp_path, text, sentence):
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=sentence):
        load_plan(BASE, [path])
