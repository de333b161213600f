"""Short forms and relative paths of a configuration, and advice that is right."""

from pathlib import Path

import pytest

from epochbandits.config import load, load_files, locating, merge, read_yaml
from epochbandits.validation import InputError, choice

ROOT = Path(__file__).parents[2]
PAPER = ROOT / "config" / "paper.yaml"


def with_file(tmp_path, text):
    """Return the paper's file and one more with this text."""
    path = tmp_path / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return [PAPER, path]


def refusal(paths, config=None):
    with pytest.raises(InputError) as caught:
        load(config or merge(*map(read_yaml, paths)), paths)
    return str(caught.value)


def test_a_list_of_figures_takes_their_blocks_from_earlier_files(tmp_path):
    paths = with_file(tmp_path, "figures: [fig5a_ucb_discount, regret_epochs]")
    figures = load_files(paths).figures
    assert list(figures) == ["fig5a_ucb_discount", "regret_epochs"]
    assert figures["fig5a_ucb_discount"].policies == ["epoch-ucb"]
    assert figures["regret_epochs"].source == ["epochs"]


def test_a_misspelt_figure_in_a_list(tmp_path):
    text = refusal(with_file(tmp_path, "run: mine\nfigures: [fig5a_ucb_discuont]"))
    assert "mine.yaml, line 2: figures.0: figure must be one of" in text
    assert "figures: [fig5a_ucb_discount]" in text


def test_a_figure_of_any_experiment_may_have_another_source():
    config = merge(read_yaml(PAPER), {"figures": {"regret_x": {"source": "window"}}})
    assert load(config).figures["regret_x"].source == ["window"]


def test_paths_are_relative_to_the_file_that_has_them(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    paths = with_file(
        tmp_path / "sub",
        "policies: {a: {code: 'p.py:A'}, b: {code: '../q.py:B'}, c: {code: 'm.n:C'}}\n"
        "instances: {mine: {files: [i.json, /abs.json]}}",
    )
    config = load_files(paths)
    assert [config.policies[name].code for name in "abc"] == ["sub/p.py:A", "q.py:B", "m.n:C"]
    assert config.instances["mine"].files == ["sub/i.json", "/abs.json"]


def test_a_path_from_the_command_line_is_relative_to_the_working_directory(tmp_path):
    paths = with_file(tmp_path, "policies: {a: {code: 'p.py:A'}}")
    config = merge(merge(*map(read_yaml, paths)), {"policies": {"a": {"code": "q.py:A"}}})
    assert load(config, paths).policies["a"].code == "q.py:A"


@pytest.mark.parametrize("value", ["yes", "no", "'5'", "5.5", "[5]"])
def test_seeds_are_a_number(tmp_path, value):
    text = refusal(with_file(tmp_path, f"experiments:\n  epochs: {{seeds: {value}}}"))
    assert "mine.yaml, line 2: experiments.epochs.seeds: must be a valid integer" in text


def test_an_error_of_the_command_line_blames_no_file(tmp_path):
    paths = with_file(tmp_path, "run: mine")
    config = merge(merge(*map(read_yaml, paths)), {"seeds_per_job": "yes"})
    assert refusal(paths, config) == "--config: seeds_per_job: must be a valid integer, not 'yes'"


def test_a_removed_policy_is_taken_out_of_the_list(tmp_path):
    text = refusal(with_file(tmp_path, "run: mine\npolicies:\n  exp3: null"))
    assert "mine.yaml, line 3: policies.exp3 is set to null, but experiments.baselines_4x4" in text
    assert "did you mean" not in text
    rest = "policies: [epoch-ucb, epoch-greedy, ucb, ucb-tuned, eps-greedy, q-learning]"
    assert rest in " ".join(text.split())


def test_discounts_are_swept_by_gammas(tmp_path):
    text = refusal(with_file(tmp_path, "policies: {a: {policy: ucb, sweep: {gamma: [1, 0.5]}}}"))
    assert "policies.a.sweep.gamma: is swept by `gammas` of the experiment" in text


SWEEPS = """
policies:
  variants: {policy: epoch-ucb, label: EpochUCB, sweep: {variant: [paper, tight]}}
  exp3: {sweep: {rate: [null, 0.1]}}
  thompson: {sweep: {known: [true, false]}}
experiments:
  mine:
    instances: [main_4x4]
    policies: [ucb, variants, thompson]
    epochs: 50
    seeds: 2
figures:
  regret_mine: {policies: [variants]}
"""


def test_a_sweep_of_words_makes_a_policy_of_each(tmp_path):
    config = load_files(with_file(tmp_path, SWEEPS))
    listed = ["variants-paper", "variants-tight", "thompson-true", "thompson-false"]
    assert config.experiments["mine"].policies == ["ucb", *listed]
    assert config.figures["regret_mine"].policies == listed[:2]
    policies = [config.policies[name] for name in (*listed, "exp3-automatic", "exp3-0-1")]
    assert [policy.params for policy in policies] == [
        {"variant": "paper"}, {"variant": "tight"}, {"known": True}, {"known": False},
        {"rate": None}, {"rate": 0.1},
    ]  # fmt: skip
    assert policies[1].label == "EpochUCB, variant = tight"
    assert policies[2].policy == "thompson"
    assert not any(policy.sweep for policy in policies)


@pytest.mark.parametrize(
    ("block", "sentence"),
    [
        ("{policy: ucb, sweep: {constant: [a, a]}}", "constant: has 'a' twice, or a value"),
        ("{policy: ucb, sweep: {tau0: [a]}}", "tau0: has values that are not numbers"),
        ("{policy: ucb, params: {c: 1}, sweep: {c: [a]}}", "c: is in params as well"),
        (
            "{policy: ucb, sweep: {a: [x], b: [1]}}",
            "has several parameters; make a policy",
        ),
        ("{policy: ucb, sweep: {c: [.nan]}}", "sweep.c.0: must be a finite number, not nan"),
        (
            "{policy: ucb, sweep: {c: [Tuned]}}",
            "would create policy ucb-tuned, which already exists",
        ),
    ],
)
def test_a_sweep_of_words_that_is_refused(block, sentence, tmp_path):
    text = refusal(with_file(tmp_path, f"policies:\n  ucb: {block}"))
    assert "mine.yaml, line 2: policies.ucb.sweep" in text
    assert sentence in text


def test_a_refused_word_of_a_sweep_is_found_in_its_list(tmp_path):
    paths = with_file(tmp_path, SWEEPS.replace("tight", "tigth"))
    config = merge(*map(read_yaml, paths))
    with pytest.raises(InputError) as caught, locating(config, paths):
        choice("tigth", "variant", ["paper", "tight"], path=("policies", "variants-tigth"))
    assert "mine.yaml, line 3: policies.variants.sweep.variant.1: variant" in str(caught.value)
    assert "variant: [paper, tight]" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("experiments: {epochs: {policies: []}}", "epochs.policies: needs at least one entry"),
        ('policies: {ucb: {label: "a\\e[31mb"}}', "ucb.label: must have no control characters"),
        ('stamp: "a\\nb"', "stamp: must have no control characters"),
    ],
)
def test_what_is_refused_is_said_in_words(text, sentence, tmp_path):
    message = refusal(with_file(tmp_path, text))
    assert f"mine.yaml, line 1: {text.split(':')[0]}" in message
    assert sentence in message
