"""Instances: derived quantities, JSON bit for bit, and one clear sentence for each bad input."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from epochbandits import InputError, Instance
from epochbandits.model.generators import generate
from vectors import VECTORS, vector_instance


@pytest.mark.parametrize("entry", VECTORS["instances"], ids=lambda entry: entry["name"])
def test_reference_values(entry):
    instance = vector_instance(entry)
    np.testing.assert_allclose(instance.mu, entry["mu"], rtol=1e-13)
    np.testing.assert_allclose(instance.gap, entry["gap"], rtol=1e-12, atol=1e-16)
    assert instance.best_arm == entry["jstar"]
    assert instance.min_gap == pytest.approx(entry["delta_min"], rel=1e-12)
    assert (instance.arms, instance.states) == (entry["m"], entry["S"])


def test_json_round_trip_is_bit_for_bit(tmp_path):
    instance = generate("anticorrelated", 5, 7, 3)
    instance.to_json(tmp_path / "a.json")
    again = Instance.from_json(tmp_path / "a.json")
    again.to_json(tmp_path / "b.json")
    assert again == instance
    assert hash(again) == hash(instance)
    assert again.transition.tobytes() == instance.transition.tobytes()
    assert again.initial.tobytes() == instance.initial.tobytes()
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_report_says_the_constants(two_arm_dict):
    instance = Instance.from_dict(two_arm_dict)
    for arm, row in enumerate(instance.report()["per_arm"]):
        lam, pi = instance.mixing[arm].lam, instance.pi[arm].min()
        assert row["lam"] == lam
        assert row["lambda2"] == pytest.approx(lam**2)
        assert row["C"] == pytest.approx(0.5 * np.sqrt(1 + (1 - pi) ** 2 / pi))
        assert row["C_exact"] == pytest.approx(0.5 * np.sqrt((1 - pi) / pi))


def test_small_gaps_are_gaps(two_arm_dict):
    two_arm_dict["transition"][1] = two_arm_dict["transition"][0]
    two_arm_dict["rewards"] = [
        [{"law": "constant", "value": 0.5}] * 2,
        [{"law": "constant", "value": 0.5 - 1e-6}] * 2,
    ]
    assert Instance.from_dict(two_arm_dict).min_gap == pytest.approx(1e-6, rel=1e-9)


def test_rows_are_accepted_to_1e_9(two_arm_dict):
    two_arm_dict["transition"][0][0] = [0.9, 0.1 + 9e-10]
    Instance.from_dict(two_arm_dict)
    two_arm_dict["transition"][0][0] = [0.9, 0.1 + 2e-9]
    with pytest.raises(InputError, match="sums to"):
        Instance.from_dict(two_arm_dict)


def test_files_are_for_others_to_read(two_arm_dict, tmp_path):
    path = tmp_path / "a.json"
    Instance.from_dict(two_arm_dict).to_json(path)
    umask = os.umask(0)
    os.umask(umask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~umask


def test_links_and_pipes_stay_what_they_are(two_arm_dict, tmp_path):
    instance = Instance.from_dict(two_arm_dict)
    link, target = tmp_path / "link.json", tmp_path / "target.json"
    link.symlink_to(target)
    instance.to_json(link)
    assert link.is_symlink()
    assert Instance.from_json(target) == instance
    instance.to_json("/dev/null")
    assert not Path("/dev/null").is_file()


def test_instances_that_differ_are_not_equal(two_arm_dict):
    first = Instance.from_dict(two_arm_dict)
    two_arm_dict["initial"] = [0.0, 1.0]
    assert Instance.from_dict(two_arm_dict) != first
    assert first != "two"


def test_rounded_rows_are_normalised_and_exact_ones_left_alone(two_arm_dict):
    two_arm_dict["transition"][0][0] = [0.33333333333, 0.66666666666]
    row = Instance.from_dict(two_arm_dict).transition[0, 0]
    assert row.sum() == pytest.approx(1, abs=1e-16)
    assert row[0] == pytest.approx(1 / 3, rel=1e-10)


def test_an_instance_cannot_be_changed(two_arm_dict):
    instance = Instance.from_dict(two_arm_dict)
    with pytest.raises(AttributeError):
        instance.name = "other"
    for array in (instance.transition, instance.pi, instance.mu, instance.gap):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_ties_have_no_gap(two_arm_dict):
    two_arm_dict["transition"][1] = two_arm_dict["transition"][0]
    two_arm_dict["rewards"][1] = two_arm_dict["rewards"][0]
    instance = Instance.from_dict(two_arm_dict)
    assert instance.gap.tolist() == [0, 0]
    assert instance.min_gap is None
    assert instance.best_arm == 0


def test_one_arm_and_one_state_are_legal():
    instance = Instance.from_dict(
        {
            "name": "single",
            "transition": [[[1.0]]],
            "rewards": [[{"law": "constant", "value": 0.5}]],
            "initial": [1.0],
        }
    )
    assert (instance.arms, instance.states, instance.mixing[0].lam) == (1, 1, 0)


def put(*path_and_value):
    *path, value = path_and_value

    def change(data):
        for key in path[:-1]:
            data = data[key]
        data[path[-1]] = value

    return change


BAD = {
    "row sum": (
        put("transition", 1, 0, [0.5, 0.4]),
        "transition[1][0] (arm 1, state 0) sums to 0.9;",
    ),
    "just off": (put("transition", 0, 1, [0.2, 0.80001]), "(arm 0, state 1) sums to 1.00001"),
    "negative": (
        put("transition", 0, 1, [-0.2, 1.2]),
        "(arm 0, state 1)[0] must be a number in [0, 1]",
    ),
    "nan": (
        put("transition", 0, 0, 1, float("nan")),
        "(arm 0, state 0)[1] must be a number in [0, 1], not nan",
    ),
    "text": (put("transition", 0, 0, 1, "x"), "must be a number in [0, 1], not 'x'"),
    "bool": (put("transition", 0, 0, [True, False]), "must be a number in [0, 1], not True"),
    "huge": (put("transition", 0, 0, [10**400, 0]), "must be a number in [0, 1]"),
    "short row": (
        put("transition", 1, 1, [1.0]),
        "transition[1][1] (arm 1, state 1) must be a list of prob",
    ),
    "not square": (
        put("transition", 1, [[0.5, 0.5]]),
        "transition[1] (arm 1) must be a square matrix: 2",
    ),
    "no arms": (put("transition", []), "transition must be a list of matrices, one for each arm"),
    "flat": (put("transition", [1.0, 0.0]), "transition[0] (arm 0) must be a square matrix"),
    "number": (put("transition", 3), "transition must be a list of matrices"),
    "rewards rows": (
        put("rewards", [[]]),
        "rewards must be a list with one row of laws for each arm: 2",
    ),
    "rewards row": (
        put("rewards", 1, [{}]),
        "rewards[1] (arm 1) must be a list of one law per state: 2",
    ),
    "law range": (
        put("rewards", 0, 1, "a", -1.0),
        "rewards[0][1] (arm 0, state 1): a must be a number in (0",
    ),
    "law name": (put("rewards", 0, 1, "law", "bta"), "did you mean 'beta'?"),
    "law key": (
        put("rewards", 0, 0, "P", 0.3),
        "rewards[0][0] (arm 0, state 0): law 'bernoulli' has the unknown key",
    ),
    "initial sum": (put("initial", [0.5, 0.4]), "initial sums to 0.9"),
    "initial length": (put("initial", [1.0]), "initial must be a list of probabilities"),
    "unknown key": (put("inital", [1.0, 0.0]), "unknown key 'inital' (did you mean 'initial'?)"),
    "name": (put("name", ""), "name must be a non-empty string"),
    "reducible": (
        put("transition", 1, [[1.0, 0.0], [0.4, 0.6]]),
        "transition[1] (arm 1): the chain is reducible: state 1 is never reached from state 0",
    ),
    "reducible back": (
        put("transition", 0, [[0.5, 0.5], [0.0, 1.0]]),
        "state 0 is never reached from state 1",
    ),
    "surrogate": (put("name", "\ud800"), "name must be a non-empty string"),
    "denormal": (
        put("transition", 0, [[1.0, 1e-320], [0.2, 0.8]]),
        "(arm 0, state 0): the smallest positive probability is 1e-320",
    ),
    "tiny": (put("transition", 0, [[1.0, 1e-61], [0.2, 0.8]]), "must be at least 1e-60"),
    "periodic": (
        put("transition", 0, [[0.0, 1.0], [1.0, 0.0]]),
        "transition[0] (arm 0): the chain has period 2",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_instances_are_named(case, two_arm_dict, tmp_path):
    change, sentence = BAD[case]
    change(two_arm_dict)
    path = tmp_path / "bad.json"
    path.write_text(json.dumps(two_arm_dict))
    with pytest.raises(InputError) as caught:
        Instance.from_json(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert sentence in message
    assert "\n" not in message


@pytest.mark.parametrize("key", ["name", "transition", "rewards", "initial"])
def test_missing_keys_are_named(key, two_arm_dict):
    del two_arm_dict[key]
    with pytest.raises(InputError, match=f"lacks the key '{key}'"):
        Instance.from_dict(two_arm_dict)


def test_reducible_reversiblization_is_refused(two_arm_dict):
    two_arm_dict.update(
        transition=[[[0, 1, 0], [0, 0, 1], [0.5, 0.5, 0]]],
        rewards=[[{"law": "constant", "value": 0.5}] * 3],
        initial=[1, 0, 0],
    )
    with pytest.raises(InputError, match=r"arm 0\): M\(P\) is reducible.*Assumption 2"):
        Instance.from_dict(two_arm_dict)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is not JSON: Expecting value at line 1"),
        (b"{", "is not JSON"),
        (b"\xff\xfe", "is not UTF-8"),
        (b'{"name": "a", "name": "b"}', "'name' is given twice"),
        (b"[" * 100_000, "nested too deeply"),
        (b"[]", "the instance must be an object"),
        (b'{"name": ' + b"9" * 5000 + b"}", "digits"),
    ],
    ids=["empty", "open", "binary", "twice", "deep", "list", "long"],
)
def test_files_that_are_no_instance(content, sentence, tmp_path):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=sentence):
        Instance.from_json(path)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        Instance.from_json(tmp_path / "none.json")
    with pytest.raises(InputError, match="cannot be read"):
        Instance.from_json(tmp_path)


def test_writing_leaves_the_old_file_when_it_fails(tmp_path, two_arm_dict, monkeypatch):
    instance = Instance.from_dict(two_arm_dict)
    path = tmp_path / "a.json"
    path.write_text("old")

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(InputError, match="cannot be written: No space left"):
        instance.to_json(path)
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


@pytest.mark.parametrize(
    ("arms", "states"), [(1001, 1), (1, 1001), (100, 101)], ids=["arms", "states", "entries"]
)
def test_large_instances_are_refused_before_they_are_looked_at(arms, states, two_arm_dict):
    """The rows are empty: had one been looked at, that would be the error."""
    two_arm_dict["transition"] = [[[]] * states] * arms
    with pytest.raises(InputError, match=f"{arms} arms and {states} states are too many"):
        Instance.from_dict(two_arm_dict)


def test_endless_and_large_files_are_refused(tmp_path):
    with pytest.raises(InputError, match="is larger than 32 MB"):
        Instance.from_json("/dev/zero")
    sparse = tmp_path / "sparse.json"
    with sparse.open("wb") as file:
        file.truncate(2**40)
    with pytest.raises(InputError, match="is larger than 32 MB"):
        Instance.from_json(sparse)
    with pytest.raises(InputError, match="cannot be read"):
        Instance.from_json("a\0b")
