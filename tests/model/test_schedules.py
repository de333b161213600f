"""Epoch lengths by schedule, and what is no schedule."""

import inspect
import re

import numba
import pytest

from epochbandits import InputError, compare, simulate
from epochbandits.cli.main import _parser
from epochbandits.config.models import SettingBlock
from epochbandits.engine import fast
from epochbandits.model import schedules
from epochbandits.model.schedules import SCHEDULES, Schedule, epoch_length, parse_schedule
from epochbandits.model.setting import Setting
from runs import run


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("linear", [5, 8, 11, 14]),
        ("fixed:9", [9, 9, 9, 9]),
        ("geometric:1", [1, 2, 4, 8]),
        ("geometric:0.5", [1, 1, 1, 2]),  # ⌈1.5^(T+1)⌉ - ⌈1.5^T⌉ = 1, 1, 1, 2
    ],
)
@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_schedules(text, expected, engine):
    table = run("fixed-arm", epochs=4, schedule=text, tau0=5, zeta=3, engine=engine)
    assert table["tau"].tolist() == expected
    plan = parse_schedule(text, Setting(5, 3))
    assert [plan.length(T) for T in range(4)] == expected


@pytest.mark.parametrize("text", ["linear", "fixed:9", "geometric:0.3"])
def test_compiled_lengths_are_those_of_python(text):
    """A long run of one arm: each epoch as long as the schedule says."""
    table = run("fixed-arm", epochs=60, schedule=text, tau0=5, zeta=3)
    schedule = parse_schedule(text, Setting(5, 3))
    assert table["tau"].tolist() == [schedule.length(plays) for plays in range(60)]


def test_only_a_length_of_one_decides_each_iteration():
    each = {
        t: parse_schedule(t, Setting(1, 1)).each_iteration
        for t in ("linear", "fixed:1", "fixed:2", "geometric:0.1")
    }
    assert each == {"linear": False, "fixed:1": True, "fixed:2": False, "geometric:0.1": False}


@pytest.mark.parametrize(
    "text", ["weekly", "fixed", "fixed:0", "fixed:x", "geometric:0", "linear:3"]
)
def test_bad_schedules_are_refused(text):
    with pytest.raises(InputError, match="schedule must be linear, fixed:TAU"):
        parse_schedule(text, Setting())


@pytest.mark.parametrize("compiled", [False, True])
def test_a_kind_without_a_formula_has_no_length(compiled):
    """Such a schedule cannot be parsed; one whose formula was forgotten must not seem geometric."""
    unknown = Schedule(7, 40.0, 1.0)
    kernel = fast.epoch_length
    length = (
        numba.njit(lambda schedule, plays: kernel(schedule, plays)) if compiled else epoch_length
    )
    assert length(Schedule(0, 40.0, 1.0), 3) == 43
    with pytest.raises(ValueError, match="unknown kind"):
        length(unknown, 3)
    with pytest.raises(ValueError, match="unknown kind"):
        unknown.check(10)


@pytest.mark.parametrize("kind", schedules._KINDS)
def test_the_words_for_the_schedules_name_each_of_them(kind):
    assert re.search(rf"\b{kind}\b", SCHEDULES)


@pytest.mark.parametrize("text", ["linear", "fixed:3", "geometric:0.5"])
def test_each_of_the_papers_schedules_has_a_first_epoch(text):
    assert parse_schedule(text, Setting()).length(0) >= 1


def test_the_defaults_are_the_papers_epochs():
    """τ0 = 40 and ζ = 1 are written once; signatures, options and blocks show them as numbers."""
    for function in (simulate, compare):
        parameters = inspect.signature(function).parameters
        assert (parameters["tau0"].default, parameters["zeta"].default) == (40, 1)
    options = _parser().parse_args(["theory", "instance.json"])
    block = SettingBlock.model_fields
    assert (options.tau0, options.zeta) == (40, 1)
    assert (block["tau0"].default, block["zeta"].default) == (40, 1)
    assert Setting() == Setting(40, 1, 1.0)
