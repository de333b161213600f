"""How long a run of a policy in plain Python takes, measured on its first decisions.

A compiled decision takes well under a microsecond, one in plain Python about 70: what is seconds
for a built-in policy can be hours for a user's.
"""

from __future__ import annotations

import time
from dataclasses import replace

from epochbandits.engine.simulation import Simulation
from epochbandits.policies import Builtin
from epochbandits.validation import InputError

LONG = 60.0
"""Seconds from which a run is announced."""
_TIMED = 200  # decisions


def expected_seconds(run: Simulation, seeds: int) -> float:
    """Return about how many seconds ``seeds`` runs take at most, one after the other.

    It is 0 for compiled policies, and for one that fails on its first decisions: the run itself
    reports that.
    """
    if run.engine != "reference" and isinstance(run.implementation, Builtin):
        return 0.0
    timed = min(_TIMED, most_decisions(run))
    in_epochs = not run.paired and run.iterations is None
    horizon = (timed, None) if in_epochs else (None, timed)
    try:
        trial = replace(run, trace="thin", epochs=horizon[0], iterations=horizon[1])
        trial.columns([0])  # the first call compiles the environment
        start = time.perf_counter()
        trial.columns([0])
    except InputError:
        return 0.0
    return (time.perf_counter() - start) / timed * most_decisions(run) * seeds


def most_decisions(run: Simulation) -> int:
    """Return the decisions of one run.

    For a paired one it is the largest number possible, n τ0 + ζ n(n-1)/2: the iterations of
    EpochUCB in n epochs of one arm.
    """
    n = run.blocks
    if not run.paired:
        return n
    return n * run.setting.tau0 + run.setting.zeta * n * (n - 1) // 2


def announcement(name: str, seconds: float) -> str:
    """Return a sentence that says how long a policy in plain Python will take."""
    hours, minutes = seconds / 3600, max(1.0, seconds / 60)
    text = f"{hours:.0f} hours" if hours >= 2 else f"{minutes:.0f} minutes"
    return f"{name} is plain Python: its runs may take up to about {text} of one core"
