"""Study 6: what the best fixed arm leaves on the table."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from epochbandits.figures import marks, style
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.tables import read
from epochbandits.io.schemas import BENCHMARK, INEQUALITIES
from epochbandits.model.generators import CLASSES
from epochbandits.stats import t_interval

RUNGS = {
    "cycle": "best cycle found",
    "open_loop": "ignores rewards",
    "observed": "sees rewards",
    "known": "sees the state",
}
"""Benchmarks above the best fixed arm, with their names in the figure."""
_CASES = {f"{BENCHMARK}{rung}": rung for rung in RUNGS}
_LABELS = {"ladder_example1": "Example 1", **{f"judge_{name}": name for name in CLASSES}}
"""Names in the figure, of sets that have another."""
_COLOURS = {
    rung: look.color for rung, look in zip(RUNGS, style.looks(["a", "b", "c", "d"]), strict=True)
}


def ladder(inputs: Inputs, _: Settings) -> pd.DataFrame:
    """Return the share that the best fixed arm leaves to each benchmark, in percent.

    ``mean`` is the middle of the bounds, averaged over the instances of a set; ``low`` and ``high``
    are means of the lower and upper bounds; ``low_end`` and ``high_end`` the ends of their
    t-intervals over instances. ``largest`` is the largest upper bound, ``longest`` the longest of
    the best cycles.
    """
    rows = []
    for panel, path in enumerate(inputs.inequalities):
        table = read(path, INEQUALITIES)
        table = table[table["name"].isin(_CASES)]
        for (name, case), part in table.groupby(["instances", "name"], sort=False):
            label = _LABELS.get(str(name), str(name)).replace("_", " ")
            longest = int(part["at"].max())
            rows.append((panel, label, _CASES[str(case)], *_bounds(part), longest, len(part)))
    columns = ["panel", "problem", "benchmark", "mean", "low", "high", "low_end", "high_end",
               "largest", "longest", "count"]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def _bounds(part: pd.DataFrame) -> tuple[float, ...]:
    lower = 100 * (part["left"] / part["trivial"] - 1)
    upper = 100 * (part["right"] / part["trivial"] - 1)
    low, high = float(lower.mean()), float(upper.mean())
    ends = t_interval(lower)[1], t_interval(upper)[2]
    return (low + high) / 2, low, high, *ends, float(upper.max())


@figure("Section 2, the benchmark of regret", kind="inequalities", table=ladder, sources=None,
        unit="% of μ*")  # fmt: skip
def study6_strong_regret(data: pd.DataFrame) -> Figure:
    """Draw the bounds of each benchmark over the best fixed arm, for each problem."""
    panels = list(dict.fromkeys(data["panel"]))
    longest = max(data.loc[data["panel"] == panel, "problem"].nunique() for panel in panels)
    canvas = style.canvas(style.PAGE, 1.0 + 0.27 * longest)
    axes = canvas.subplots(1, len(panels), squeeze=False)[0]
    for ax, panel in zip(axes, panels, strict=True):
        _panel(ax, data[data["panel"] == panel])
    handles = [
        Line2D([], [], color=_COLOURS[rung], marker="o", ms=4, lw=1.4, label=text)
        for rung, text in RUNGS.items()
    ]  # fmt: skip
    marks.legend_above(canvas, handles)
    return canvas


def _panel(ax: Axes, data: pd.DataFrame) -> None:
    problems = sorted(set(data["problem"]), key=lambda name: (name == "Example 1", name))
    for i, rung in enumerate(RUNGS):
        color = _COLOURS[rung]
        for row in data[data["benchmark"] == rung].itertuples():
            y = problems.index(str(row.problem)) + 0.17 * (i - (len(RUNGS) - 1) / 2)
            ax.plot([row.low_end, row.high_end], [y, y], color=color, lw=0.6)
            ax.plot([row.low, row.high], [y, y], color=color, lw=2.2, solid_capstyle="butt")
            ax.plot([row.low, row.high], [y, y], "o", color=color, ms=2.6)
    ax.set_yticks(range(len(problems)), [style.escaped(problem) for problem in problems])
    ax.set_ylim(len(problems) - 0.5, -0.5)
    ax.set_xscale("symlog", linthresh=1)
    ax.set_xlim(-0.1, max(3.0, 1.15 * float(data["high_end"].fillna(data["high"]).max())))
    ticks = [tick for tick in (0, 0.5, 1, 2, 5, 10, 20, 50, 100, 200) if tick < ax.get_xlim()[1]]
    ax.set_xticks(ticks, [style.number(tick) for tick in ticks])
    ax.minorticks_off()
    ax.axvline(0, color=style.GREY, lw=0.7, zorder=0)
    ax.set_xlabel("Reward above the best fixed arm (%)")
