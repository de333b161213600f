"""The configuration: what is accepted, and how the rest is refused."""

import copy
from functools import reduce
from pathlib import Path

import pytest
import yaml

from epochbandits.config import Config, load, load_files, merge, read_yaml
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
        load(config, paths)
    return str(caught.value)


def test_the_committed_files_are_accepted():
    assert load_files([PAPER]).run == "paper"
    assert load_files([PAPER, QUICK]).stamp == "quick"


@pytest.mark.parametrize("over", [PAPER, QUICK, ROOT / "examples" / "my_study" / "config.yaml"])
def test_an_expanded_configuration_is_loaded_again_without_its_files(over):
    config = load_files([PAPER, over])
    assert load(config.model_dump(mode="json", by_alias=True)) == config


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
            ("instances", "main_4x4"),
            {"class": "iid", "params": {"mean": [0.9]}},
            ["instances.main_4x4.params.mean: unknown parameter 'mean'", "means: [0.9]"],
        ),
        (
            ("instances", "main_4x4"),
            {"class": "rotting", "params": {"means": [[0.9, 0.5], [0.6, 0.5]], "restart": 0}},
            ["instances.main_4x4.params: transition[0] (arm 0): the chain is reducible"],
        ),
        (
            ("experiments", "discounts", "gammas"),
            [1, 1.2],
            ["experiments.discounts.gammas.1: must be less than or equal to 1, not 1.2"],
        ),
        (("experiments", "epochs", "gammas"), [], ["experiments.epochs.gammas:", "at least one"]),
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
        (("instances", "main_4x4", "class"), "anticorelated", ["did you mean 'anticorrelated'?"]),
        (("instances", "failure", "epsilon"), [0.1, 1.0], ["instances.failure.epsilon.1", "1.0"]),
        (("run",), "../elsewhere", ["run: a name has at most 60 lowercase", "not '../elsewhere'"]),
        (("experiments", "a/b"), {}, ["experiments.a/b"]),
        (("eigenvalues", "mixing", "laws"), ["unifrom"], ["did you mean 'uniform'?"]),
        (("policies", "epoch-ucb", "policy"), "epoch-ubc", ["did you mean 'epoch-ucb'?"]),
        (("policies", "eps-greedy", "sweep"), {"c": [1]}, ["give sweep or tuned, not both"]),
        (("experiments", "baselines_4x4", "tuned_on"), "tuning", ["did you mean 'tuning_4x"]),
        (
            ("experiments", "baselines_4x4", "tuned_on"),
            "baselines_4x4",
            ["must name an experiment without tuned_on, not 'baselines_4x4'"],
        ),
        (
            ("experiments", "tuning_4x4", "policies"),
            ["epoch-greedy"],
            ["experiments.tuning_4x4.policies: must contain eps-greedy"],
        ),
        (
            ("instances", "tuning_4x4", "first"),
            2003,
            ["must not share instances with tuning_4x4, on which the parameters are tuned"],
        ),
        (("seeds_per_job",), 0, ["seeds_per_job"]),
        (("claims", "alternatives"), {"lniear": [1]}, ["did you mean 'linear'?", "linear: [1]"]),
        (("claims", "alternatives"), {"most": [2]}, ["claims", "most", "less than 1"]),
        (("policies", "ucb"), 3, ["policies.ucb: must be a mapping with keys among policy, code"]),
        (("instances", "failure"), [], ["failure: must be a mapping with keys among class"]),
        (("bounds",), 3, ["bounds: must be a mapping, not 3"]),
        (("policies", "ucb", "code"), "x.py", ["code: must be module:Class or file.py:Class, not"]),
        (("policies", "ucb", "code"), "x:Y\n", ["code: must be module:Class or file.py:Class"]),
        (("stamp",), "x" * 21, ["stamp: string should have at most 20 characters"]),
        (
            ("eigenvalues", "mixing", "laws"),
            ["uniform", "normal: softmx"],
            ["eigenvalues.mixing.laws.1: law must be one of", "laws: [uniform, 'normal: softmax']"],
        ),
        (
            ("experiments", "epochs", "schedule"),
            "fixd:3",
            [
                "experiments.epochs.schedule: schedule must be linear,",
                "schedule: 'fixed:3'",
            ],
        ),
        (
            ("policies", "ucb", "schedule"),
            "geometric:0",
            ["policies.ucb.schedule: schedule must be", "ALPHA in (0, 100], not 'geometric:0'"],
        ),
        (("policies", "exp3", "tuned"), {"g": [1, 1.0]}, ["policies.exp3.tuned.g: has the entry"]),
        (("policies", "exp3", "tuned"), {"g": []}, ["policies.exp3.tuned.g: needs at least one"]),
        (("figures", "fig3a_bounds", "sorce"), "x", ["did you mean 'source'?", "source: x"]),
        (("experiments", "epochs", "epochs"), float("nan"), ["experiments.epochs.epochs"]),
    ],
)
def test_a_wrong_value_is_refused_with_its_key(path, value, parts):
    text = refusal(changed(path, value))
    for part in parts:
        assert part in text


def numbers(model, path=()):
    """Yield a path, in the paper's configuration, of each key that holds numbers."""
    for name, block in model:
        key = type(model).model_fields[name].alias or name
        if isinstance(block, dict) and block:
            first = next(iter(block))
            if hasattr(block[first], "model_fields_set"):
                yield from numbers(block[first], (*path, key, first))
        elif hasattr(block, "model_fields_set"):
            yield from numbers(block, (*path, key))
        elif isinstance(block, int | float) and not isinstance(block, bool):
            yield (*path, key)
        elif isinstance(block, list) and isinstance(block[0], float):
            yield (*path, key, 0)


@pytest.mark.parametrize(
    "path", list(numbers(load(BASE))), ids=lambda path: ".".join(map(str, path))
)
@pytest.mark.parametrize("value", [True, "1"])
def test_a_number_is_not_a_truth_value_nor_a_word(path, value):
    """YAML reads `seeds: yes` as true, which Python would take for 1."""
    if path[-1] == 0:
        path, value = path[:-1], [value]
    assert ".".join(path) in refusal(changed(path, value))


def test_a_schedule_is_in_the_dump_only_if_it_is_set():
    """What existing results say of their configuration stays as it is."""
    blocks = load(BASE).experiments["epochs"], load(BASE).policies["ucb"]
    assert all("schedule" not in block.model_dump() for block in blocks)
    block = load(changed(("policies", "ucb", "schedule"), "linear")).policies["ucb"]
    assert block.model_dump()["schedule"] == "linear"


def test_a_key_named_like_a_mark_of_the_validator_is_reported_as_it_is():
    for key in ("[key]", "drawn", "x]"):
        text = refusal(changed(("instances", "main_4x4", key), 1))
        assert f"instances.main_4x4.{key}: unknown key" in text


def test_file_and_line_are_named(tmp_path):
    mine = tmp_path / "mine.yaml"
    mine.write_text("run: mine\nexperiments:\n  epochs:\n    gammas: [1, 1.2]\n")
    text = refusal(merge(BASE, read_yaml(mine)), [PAPER, mine])
    assert text.startswith(f"{mine}, line 4: experiments.epochs.gammas.1:")


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
        ("run: a\nrun: b\n", "line 2: is not plain YAML: the key 'run' appears twice"),
        ("run: [a\n", "is not plain YAML"),
        ("- a\n", "must be a mapping"),
        ("a: !!python/object/apply:os.system ['true']\n", "is not plain YAML"),
        ("? [a]\n: b\n", "a key must be a plain word"),
        ("a: &x [*x]\n", "must not contain themselves"),
        ("\x00", "is not plain YAML"),
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
