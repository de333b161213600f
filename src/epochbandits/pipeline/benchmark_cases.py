r"""What learners that know the instance can earn per iteration: a ladder of benchmarks.

Each row has a lower bound ``left`` and an upper bound ``right`` of an optimal average reward, and
the reward μ_* of the best fixed arm as ``trivial``:

``benchmark_fixed``
    the best fixed arm, against which the paper's (weak) regret counts; exact;
``benchmark_cycle``
    the best of the open-loop cycles that are searched; ``at`` is its length; exact;
``benchmark_open_loop``
    the best sequence of arms that ignores the rewards: all that Algorithm 1's marginal sampling
    allows;
``benchmark_observed``
    the best policy that sees the rewards, on paths;
``benchmark_known``
    the best policy that sees the state.

They are in increasing order. The bounds of the third and fourth need a grid over distributions of
the state, and are computed for instances with few states; others lack these rows.
"""

from __future__ import annotations

from collections.abc import Iterator

from epochbandits.io.schemas import BENCHMARK
from epochbandits.model import beliefs, control, cycles
from epochbandits.model.instance import Instance
from epochbandits.model.setting import Setting
from epochbandits.model.simplex import Grid
from epochbandits.pipeline.cases import Case

BENCHMARKS = ("fixed", "cycle", "open_loop", "observed", "known")
"""The benchmarks, from the lowest to the highest."""
_MAX_STATES = 4
_MAX_POINTS = 1800
_MAX_RESOLUTION = 400


def resolution(states: int) -> int:
    """Return the resolution of the grid: up to 400, with at most 1800 points."""
    M = 1
    while M < _MAX_RESOLUTION and Grid(states, M + 1).size <= _MAX_POINTS:
        M += 1
    return M


def benchmarks(instance: Instance, setting: Setting, _: int) -> Iterator[Case]:
    """Yield the benchmarks, which depend on neither setting nor horizon; once, for γ = 1."""
    if setting.gamma != 1:
        return
    fixed = float(instance.mu.max())
    cycle = cycles.best_cycle(instance)
    known = control.known_state(instance)
    yield _case("fixed", fixed, fixed, fixed)
    yield _case("cycle", cycle.reward, cycle.reward, fixed, len(cycle.arms))
    if instance.states <= _MAX_STATES:
        M = resolution(instance.states)
        blind = beliefs.unobserved(instance, M)
        seeing = beliefs.observed(instance, M)
        lower = max(cycle.reward, blind.lower)
        yield _case("open_loop", lower, min(blind.upper, known.upper), fixed)
        lower = max(lower, seeing.lower)
        yield _case("observed", lower, min(seeing.upper, known.upper), fixed)
    yield _case("known", known.lower, known.upper, fixed)


def _case(name: str, left: float, right: float, fixed: float, at: int = 1) -> Case:
    return Case(name=f"{BENCHMARK}{name}", at=at, left=left, right=right, trivial=fixed)
