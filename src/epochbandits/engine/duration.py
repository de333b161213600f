"""How long runs of policies in plain Python take, measured on their first decisions.

A compiled decision takes well under a microsecond, one in plain Python about 70: what is seconds
for a built-in policy can be hours for a user's.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace

from epochbandits.engine.pairing import most_decisions
from epochbandits.engine.simulation import Simulation
from epochbandits.validation import InputError

_LONG = 60.0  # seconds from which runs are announced
_TIMED = 200  # decisions that are timed


def announcements(runs: Iterable[tuple[str, Simulation, int]]) -> list[str]:
    """Return a sentence for each name whose runs, given with their number of seeds, take long."""
    seconds: dict[str, float] = {}
    for name, run, seeds in runs:
        seconds[name] = seconds.get(name, 0.0) + _expected_seconds(run) * seeds
    return [_announcement(name, total) for name, total in seconds.items() if total >= _LONG]


def _expected_seconds(run: Simulation) -> float:
    """Return about how many seconds one seed takes at most.

    It is 0 for compiled policies, and for one that fails on its first decisions: the run itself
    reports that.
    """
    if run.compiled:
        return 0.0
    decisions = most_decisions(run.paired, run.setting, run.blocks)
    timed = min(_TIMED, decisions)
    in_epochs = not run.paired and run.iterations is None
    horizon = (timed, None) if in_epochs else (None, timed)
    try:
        trial = replace(run, trace="thin", epochs=horizon[0], iterations=horizon[1])
        trial.columns([0])  # the first call compiles the environment
        start = time.perf_counter()
        trial.columns([0])
    except InputError:
        return 0.0
    return (time.perf_counter() - start) / timed * decisions


def _announcement(name: str, seconds: float) -> str:
    hours, minutes = seconds / 3600, max(1.0, seconds / 60)
    text = f"{hours:.0f} hours" if hours >= 2 else f"{minutes:.0f} minutes"
    return f"{name} is plain Python: its runs may take up to about {text} on one core"
