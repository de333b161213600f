"""The configuration: what is accepted, and what is said of what is not."""

import copy
import json
from functools import reduce
from pathlib import Path

import pytest
import yaml

from epochbandits.config import load, load_files, load_plan
from epochbandits.config.loading import merge
from epochbandits.config.models import Config
from epochbandits.config.reading import read_yaml
from epochbandits.release.documentation import generated
from epochbandits.validation import InputError

ROOT = Path(__file__).parents[2]
PAPER, QUICK = ROOT / "config" / "paper.yaml", ROOT / "config" / "quick.yaml"
BASE = read_yaml(PAPER)


def changed(path, value):
    """Return the paper's configuration with one entry set; a value of `...` removes it."""
    config = copy.deepcopy(BASE)
    *outer, last = path
    place = reduce(lambda at, key: at[key], outer, config)
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return config


def refusal(config, paths=()):
    with pytest.raises(InputError) as caught:
        load_plan(config, paths)
    return str(caught.value)


def test_the_committed_files_are_accepted():
    assert load_files([PAPER]).run == "paper"
    assert load_files([PAPER, QUICK]).stamp == "quick"


def test_a_quick_run_has_all_experiments_and_figures():
    paper, quick = load_files([PAPER]), load_files([PAPER, QUICK])
    for kind in ("instances", "policies", "experiments", "bounds", "eigenvalues", "figures"):
        assert list(getattr(paper, kind)) == list(getattr(quick, kind))


def test_quick_overrides_only_what_differs():
    def repeated(over, base, path=""):
        for key, value in over.items():
            if isinstance(value, dict) and isinstance(base.get(key), dict):
                yield from repeated(value, base[key], f"{path}{key}.")
            elif key in base and base[key] == value:
                yield path + key

    assert list(repeated(read_yaml(QUICK), BASE)) == []


@pytest.mark.parametrize(
    ("path", "value", "parts"),
    [
        (("rot",), 3, ["rot: unknown key (did you mean 'root'?)", "root: 3"]),
        (
            ("experiments", "epochs", "gama"),
            [1],
            ["experiments.epochs.gama: unknown key (did you mean 'gammas'?)", "gammas: [1]"],
        ),
        (
            ("instances", "main_4x4", "cuont"),
            5,
            ["instances.main_4x4.cuont: unknown key (did you mean 'count'?)", "count: 5"],
        ),
        (
            ("experiments", "discounts", "gammas"),
            [1, 1.2],
            ["experiments.discounts.gammas.1: input should be less than or equal to 1, not 1.2"],
        ),
        (("experiments", "epochs", "gammas"), [], ["experiments.epochs.gammas:", "at least 1"]),
        (("experiments", "epochs", "seeds"), 0, ["experiments.epochs.seeds:", "not 0"]),
        (("experiments", "epochs", "seeds"), ..., ["experiments.epochs.seeds: is missing"]),
        (
            ("experiments", "epochs", "policies"),
            ["epoch-ubc"],
            ["experiments.epochs.policies", "did you mean 'epoch-ucb'?", "policies: [epoch-ucb]"],
        ),
        (
            ("experiments", "epochs", "instances"),
            ["main_4x44"],
            ["experiments.epochs.instances", "did you mean 'main_4x4'?"],
        ),
        (
            ("experiments", "epochs", "sampling"),
            ["marginals"],
            ["experiments.epochs.sampling.0", "'marginal' or 'trajectory'"],
        ),
        (
            ("figures", "fig4a_ucb_vs_greddy"),
            {"source": "epochs"},
            ["did you mean 'fig4a_ucb_vs_greedy'?"],
        ),
        (
            ("figures", "fig4a_ucb_vs_greedy", "source"),
            "epoch",
            ["figures.fig4a_ucb_vs_greedy.source", "did you mean 'epochs'?"],
        ),
        (
            ("figures", "fig4a_ucb_vs_greedy", "policies"),
            ["ucb"],
            ["figures.fig4a_ucb_vs_greedy.policies must be one of epoch-greedy-decayed"],
        ),
        (("figures", "fig2a_stationary", "policies"), ["ucb"], ["shows no policies"]),
        (("instances", "main_4x4", "class"), "anticorelated", ["did you mean 'anticorrelated'?"]),
        (("instances", "failure", "epsilon"), [0.1, 1.0], ["instances.failure.epsilon.1", "1.0"]),
        (("run",), "../elsewhere", ["run: a name has small letters", "not '../elsewhere'"]),
        (("experiments", "a/b"), {}, ["experiments.a/b"]),
        (("eigenvalues", "mixing", "laws"), ["unifrom"], ["did you mean 'uniform'?"]),
        (("policies", "ucb", "code"), "x.py:Y", None),
        (("policies", "epoch-ucb", "policy"), "epoch-ubc", ["did you mean 'epoch-ucb'?"]),
        (
            ("policies", "epoch-ucb", "params"),
            {"constnat": 6},
            ["policies.epoch-ucb", "has no parameter 'constnat' (did you mean 'constant'?)"],
        ),
        (
            ("policies", "epoch-greedy-decayed", "sweep"),
            {"decay": [0]},
            ["policies.epoch-greedy-decayed", "decay must be a number in (0, 1e+12]"],
        ),
        (("policies", "eps-greedy", "sweep"), {"c": [1]}, ["give sweep or tuned, not both"]),
        (("experiments", "baselines_4x4", "tuned_on"), "tuning", ["did you mean 'tuning_4x"]),
        (
            ("experiments", "baselines_4x4", "tuned_on"),
            "baselines_4x4",
            ["must name an experiment that tunes"],
        ),
        (
            ("experiments", "tuning_4x4", "policies"),
            ["epoch-greedy"],
            ["experiments.tuning_4x4.policies must have eps-greedy"],
        ),
        (
            ("instances", "tuning_4x4", "first"),
            3,
            ["must not have instances of tuning_4x4, on which the parameters are chosen"],
        ),
        (
            ("instances", "main_4x4", "knobs"),
            {"min_gap": 0.99, "max_draws": 5},
            ["instances.main_4x4", "accepted none of 5 draws"],
        ),
        (("instances", "main_4x4", "knobs"), {"min_gup": 0.1}, ["did you mean 'min_gap'?"]),
        (("instances", "mine"), {"files": ["none.json"]}, ["none.json: cannot be read"]),
        (("seeds_per_job",), 0, ["seeds_per_job"]),
        (("experiments", "epochs", "epochs"), float("nan"), ["experiments.epochs.epochs"]),
    ],
)
def test_what_is_wrong_is_refused_with_its_key(path, value, parts):
    if parts is None:  # a policy of one's own, in place of a built-in one
        assert "cannot be imported" in refusal(changed(path, value))
        return
    text = refusal(changed(path, value))
    for part in parts:
        assert part in text


def test_file_and_line_are_named(tmp_path):
    mine = tmp_path / "mine.yaml"
    mine.write_text("run: mine\nexperiments:\n  epochs:\n    gammas: [1, 1.2]\n")
    text = refusal(merge(BASE, read_yaml(mine)), [PAPER, mine])
    assert text.startswith(f"{mine}, line 4: experiments.epochs.gammas.1:")


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


def test_corrected_yaml_can_be_copied():
    text = refusal(changed(("experiments", "epochs", "gama"), [1]))
    fixed = yaml.safe_load(text.split("write:\n")[1])
    assert fixed == {"experiments": {"epochs": {"gammas": [1]}}}
    good = merge(BASE, fixed)
    assert load(good).experiments["epochs"].gammas == [1.0]


def test_a_block_set_to_null_is_left_out():
    config = load(merge(BASE, {"experiments": {"window": None}}))
    assert "window" not in config.experiments


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("run: a\nrun: b\n", "line 2: the key 'run' is given twice"),
        ("run: [a\n", "is not YAML"),
        ("- a\n", "must be a mapping"),
        ("a: !!python/object/apply:os.system ['true']\n", "is not YAML"),
        ("? [a]\n: b\n", "a key must be a plain word"),
        ("a: &x [*x]\n", "nor hold themselves"),
        ("\x00", "is not YAML"),
    ],
)
def test_yaml_is_read_strictly(tmp_path, text, sentence):
    path = tmp_path / "x.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=sentence):
        read_yaml(path)


@pytest.mark.parametrize("name", sorted(generated()))
def test_generated_files_are_in_step(name):
    assert (ROOT / name).read_text(encoding="utf-8") == generated()[name], "run: make docs"


def test_every_key_is_explained():
    def models(schema):
        yield schema
        yield from schema["$defs"].values()

    for model in models(Config.model_json_schema()):
        for key, field in model["properties"].items():
            assert field.get("description"), key


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
    assert "use it only with code that you trust" in (ROOT / "README.md").read_text()


@pytest.mark.parametrize("name", ["..", "../x", "/x", "a/b", "a\n", "", ".x", "A", "x" * 61])
def test_names_cannot_leave_their_folder(name):
    assert "run: " in refusal(changed(("run",), name))
    for kind in ("instances", "policies", "experiments", "bounds", "eigenvalues", "inequalities"):
        block = next(iter(BASE[kind].values()))
        assert kind in refusal(changed((kind, name), block))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]\n" if i else "a0: &a0 [1]\n"
                 for i in range(30)), "more than 100000 values"),
        ("a0: &a0 {x: 1}\n" + "".join(
            f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * 9)}]}}\n" for i in range(1, 30)),
         "more than 100000 values"),
        ("a0: &a0 [1]\n" + "".join(f"a{i}: &a{i} [*a{i - 1}]\n" for i in range(1, 99)), "50 deep"),
        ("a: " + "[" * 60 + "]" * 60, "50 deep"),
        ("a: " + "[" * 5000, "nested too deeply"),
        ("a: " + "x" * 2**20, "larger than 1 MB"),
        ("a: 0x" + "f" * 9000, None),
    ],
    ids=["laughs", "merges", "chain", "deep", "deeper", "long", "number"],
)  # fmt: skip
def test_large_yaml_is_refused(tmp_path, text, sentence):
    path = tmp_path / "x.yaml"
    path.write_text(text)
    if sentence is None:  # it can be read, and must not stop the message that refuses it
        assert "a: unknown key" in refusal(read_yaml(path), [path])
        return
    with pytest.raises(InputError, match=sentence):
        read_yaml(path)


def test_aliases_that_snakemake_has_read_are_counted():
    value = [1]
    for _ in range(30):
        value = [value] * 9
    assert "more than 100000 values" in refusal(changed(("run",), value))


def test_jobs_are_bounded():
    config = changed(("experiments", "epochs", "seeds"), 100_000)
    config["experiments"]["epochs"]["seeds_per_job"] = 1
    assert "experiments.epochs.seeds: the run has more than 100000" in refusal(config)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("run: mine\nrun: other\n", "given twice"),
        ("__use_yte__: true\nrun: mine\n", "makes Snakemake run code; write plain YAML"),
    ],
)
def test_what_snakemake_reads_otherwise_is_refused(tmp_path, text, sentence):
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(InputError, match=sentence):
        load_plan(yaml.safe_load(Path("config/paper.yaml").read_text()), [path])
