"""Verdicts by quantifier: counter-examples, examples, corrections and controls."""

import pytest

from epochbandits.claims.sample import RuleResult
from epochbandits.claims.verdicts import combined, decisive, separate
from epochbandits.validation import InputError


def rule_result(holds, fails, controlled=True):
    return RuleResult(1.0, 0.9, 1.1, holds, fails, 50, 50, controlled=controlled)


YES, NO, OPEN = rule_result(1e-6, 1.0), rule_result(1.0, 1e-6), rule_result(0.4, 0.6)
BARELY, BARELY_NOT = rule_result(0.02, 0.98), rule_result(0.98, 0.02)
BROKEN = rule_result(1e-6, 1.0, controlled=False)


@pytest.mark.parametrize("quantifier", ["all", "mean"])
@pytest.mark.parametrize(
    ("results", "verdict"),
    [
        ([YES, YES], "reproduced"),
        ([BARELY, BARELY], "reproduced"),  # each must be shown, so nothing is to correct
        ([YES, OPEN], "undetermined"),
        ([YES, NO], "not reproduced"),  # one counter-example
        ([OPEN, NO], "not reproduced"),
        ([BARELY_NOT], "not reproduced"),
        ([YES, BARELY_NOT], "undetermined"),  # one of two at p = .02 is no counter-example
        ([YES, BROKEN], "not assessable"),
        ([NO, BROKEN], "not reproduced"),
        ([BROKEN], "not assessable"),
    ],
)
def test_for_all(quantifier, results, verdict):
    assert combined(results, quantifier, 0.95) == verdict


@pytest.mark.parametrize(
    ("results", "verdict"),
    [
        ([YES, NO, NO], "reproduced"),  # one example
        ([BARELY], "reproduced"),
        ([BARELY, NO], "undetermined"),  # one of two at p = .02 is no example
        ([NO, NO], "not reproduced"),
        ([NO, BARELY_NOT], "not reproduced"),
        ([NO, OPEN], "undetermined"),
        ([NO, BROKEN], "not assessable"),
        ([YES, BROKEN], "reproduced"),
        ([BROKEN], "not assessable"),
    ],
)
def test_there_is(results, verdict):
    assert combined(results, "some", 0.95) == verdict


def test_cells_are_judged_by_themselves_and_corrected():
    verdicts = separate([YES, NO, OPEN, BARELY, BROKEN], 0.95)
    expected = ["reproduced", "not reproduced", "undetermined", "undetermined", "not assessable"]
    assert verdicts == expected
    assert separate([BARELY], 0.95) == ["reproduced"]
    assert separate([], 0.95) == []


def test_the_condition_that_decides_is_shown():
    assert decisive([YES, NO, OPEN], "some") == 0
    assert decisive([YES, NO, OPEN], "all") == 1
    assert decisive([YES, YES], "mean") == 0


def test_a_claim_needs_a_condition():
    with pytest.raises(InputError, match="at least one condition"):
        combined([], "all", 0.95)
