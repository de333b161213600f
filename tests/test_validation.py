"""Checks of values, and what their errors carry."""

import pickle

import pytest

from epochbandits.validation import InputError, choice, integer, keys, number, short_repr


def refusal(check, *arguments, **options):
    with pytest.raises(InputError) as caught:
        check(*arguments, **options)
    return caught.value


def test_a_choice_is_refused_with_the_nearest_one():
    error = refusal(choice, "tihgt", "variant", ["paper", "tight"], path=("bounds", "x"))
    assert str(error) == (
        "bounds.x: variant must be one of paper, tight, not 'tihgt' (did you mean 'tight'?)"
    )
    assert (error.value, error.allowed, error.suggestion) == ("tihgt", ("paper", "tight"), "tight")
    assert choice("paper", "variant", ["paper", "tight"]) == "paper"


def test_a_choice_far_from_all_has_no_suggestion():
    for value in ("zzz", 3, None, ["paper"], "paper" * 100):
        error = refusal(choice, value, "variant", ["paper", "tight"])
        assert error.suggestion is None
        assert "did you mean" not in str(error)


def test_keys_are_exactly_those_required():
    error = refusal(keys, {"lw": "beta"}, "a law", ["law", "a"])
    assert (error.value, error.suggestion, error.key) == ("lw", "law", True)
    assert "a law lacks the key 'a'" in str(refusal(keys, {"law": "beta"}, "a law", ["law", "a"]))
    assert "must be an object" in str(refusal(keys, [], "a law", ["law", "a"]))


@pytest.mark.parametrize("value", [True, "1", None, float("nan"), float("inf"), 0, 10**400])
def test_numbers_are_finite_and_in_their_interval(value):
    error = refusal(number, value, "x", 0, 1, above=True)
    assert error.message.startswith("x must be a number in (0, 1], not ")
    assert error.allowed == ("(0, 1]",)


@pytest.mark.parametrize("value", [True, 1.0, "1", 0, 10**400])
def test_integers_are_whole_and_in_their_range(value):
    assert str(refusal(integer, value, "n", 1, 9)).startswith(
        "n must be a whole number from 1 to 9"
    )


def test_an_error_can_be_placed_below_a_path():
    error = refusal(choice, "b", "law", ["beta"], path=("laws",)).at(("arms", 2), "in a file")
    assert error.path == ("arms", 2, "laws")
    assert str(error).startswith("arms.2.laws: in a file: law must be one of beta, not 'b'")


def test_an_error_survives_the_way_between_processes():
    error = refusal(choice, "bta", "law", ["beta"], path=("laws",))
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.path, again.suggestion) == (str(error), ("laws",), "beta")


def test_any_value_can_be_shown():
    class Broken:
        def __repr__(self):
            raise RuntimeError

    for value in (10**10_000, "x" * 10**6, [[[[[[1]]]]]] * 100, Broken()):
        assert 0 < len(short_repr(value)) <= 60
