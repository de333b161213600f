"""Epoch lengths by schedule, and what is no schedule."""

import pytest

from epochbandits import InputError
from epochbandits.model.schedules import parse_schedule
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
