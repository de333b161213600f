r"""Schedules: for how many iterations a choice is played.

After T earlier plays of an arm, the next one lasts

==================  ===================================================  ========================
``linear``          τ0 + ζT                                              the paper's epochs
``fixed:TAU``       TAU                                                  1: decide each iteration
``geometric:ALPHA`` max(1, ⌈(1+α)^{T+1}⌉ - ⌈(1+α)^T⌉)                     UCB2 (Auer et al. 2002)
==================  ===================================================  ========================

`epoch_length` and `decides_each_iteration` are plain functions that the fast engine also compiles,
so that a new schedule is written once, here.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from epochbandits.model.setting import Setting
from epochbandits.validation import InputError, nearest, suggestion

EACH_ITERATION = "fixed:1"
SCHEDULES = (
    "linear, fixed:TAU with a whole number TAU from 1, or geometric:ALPHA with ALPHA in (0, 100]"
)
"""The schedules in words, for messages and help texts."""
LINEAR, GEOMETRIC = 0, 1
_KINDS = ("linear", "fixed", "geometric")
MAX_EPOCH_LENGTH = 2**40  # iterations of one epoch; the engine has no higher powers of P
MAX_ITERATIONS = 2**53  # of a run; a double cannot count beyond it


class Schedule(NamedTuple):
    """LINEAR: base + rate·T iterations; GEOMETRIC: growth by the factor 1 + rate."""

    kind: int
    base: float
    rate: float

    @property
    def each_iteration(self) -> bool:
        """Whether every choice is played only once."""
        return decides_each_iteration(self)

    def length(self, plays: int) -> int:
        """Return the iterations of an arm's next epoch after ``plays`` earlier ones."""
        return epoch_length(self, plays)

    def most_iterations(self, epochs: int) -> float:
        """Return the most iterations that epochs can take: one arm is played in all of them."""
        if self.kind == LINEAR:
            return epochs * self.base + self.rate * epochs * (epochs - 1) / 2
        if self.kind == GEOMETRIC:
            return math.exp(min(epochs * math.log1p(self.rate), 700.0))
        raise ValueError("a schedule of an unknown kind")

    def check(self, epochs: int) -> None:
        """Reject a horizon that would be too long to count if one arm were played all the time."""
        total = self.most_iterations(epochs)
        last = self.base + self.rate * epochs if self.kind == LINEAR else total
        if last > MAX_EPOCH_LENGTH or total > MAX_ITERATIONS:
            raise InputError(
                f"a horizon of {epochs} may take {total:.2g} iterations, {last:.2g} of them in one "
                f"epoch; at most {MAX_ITERATIONS:.2g} and {MAX_EPOCH_LENGTH:.2g} can be counted"
            )


def epoch_length(schedule: Schedule, plays: int) -> int:
    """Return the iterations of the next epoch of an arm that was chosen ``plays`` times before."""
    if schedule.kind == LINEAR:
        return int(schedule.base + schedule.rate * plays)
    if schedule.kind == GEOMETRIC:
        growth: float = 1.0 + schedule.rate
        return max(1, math.ceil(math.pow(growth, plays + 1)) - math.ceil(math.pow(growth, plays)))
    raise ValueError("a schedule of an unknown kind")


def decides_each_iteration(schedule: Schedule) -> bool:
    """Return whether every choice is played only once."""
    return schedule.kind == LINEAR and schedule.base == 1.0 and schedule.rate == 0.0


def parse_schedule(text: str, setting: Setting) -> Schedule:
    """Return the schedule that a text describes, one of `SCHEDULES`."""
    kind, _, argument = str(text).partition(":")
    try:
        if kind == "linear" and not argument:
            return Schedule(LINEAR, float(setting.tau0), float(setting.zeta))
        if kind == "fixed" and 1 <= int(argument) <= MAX_EPOCH_LENGTH:
            return Schedule(LINEAR, float(int(argument)), 0.0)
        if kind == "geometric" and 0 < float(argument) <= 100:
            return Schedule(GEOMETRIC, 1.0, float(argument))
    except ValueError:
        pass
    raise InputError(
        f"schedule must be {SCHEDULES}, not {text!r}"
        + (suggestion(kind, _KINDS) if kind not in _KINDS else ""),
        value=text,
        suggestion=_corrected(kind, argument),
    )


def _corrected(kind: str, argument: str) -> str | None:
    """Return a schedule with its misspelt kind corrected, if that makes it valid."""
    near = nearest(kind, _KINDS)
    if near is None or near == kind:
        return None
    text = f"{near}:{argument}" if argument else near
    try:
        parse_schedule(text, Setting())
    except InputError:
        return None
    return text
