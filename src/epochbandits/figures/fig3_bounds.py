"""Fig. 3: the gap-dependent regret bounds, over the horizon and over the discount."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from epochbandits.figures import lines, marks, style
from epochbandits.figures.lines import Series, Styled
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.style import Look
from epochbandits.figures.tables import read, with_mean
from epochbandits.io.schemas import BOUNDS

Y, AXIS = "bound", "Regret bound (reward)"
AS_PRINTED = Look("#7a2f00", (0, (0.8, 0.8)))
TRIVIAL = Look("0.35", (0, (1, 1.6)))

NAMES = {
    ("epoch-ucb", ""): "EpochUCB",
    ("epoch-greedy", "corrected"): "EpochGreedy",
    ("epoch-greedy", "paper"): "EpochGreedy (Thm. 2)",
    ("trivial", ""): r"$n\,\Delta_{\max}$",
}
"""Bounds by algorithm and form: EpochGreedy's main one is the corrected one (errata E7)."""

MAIN = ("EpochUCB", "EpochGreedy")

VARIANTS = {"paper": "$L_j$ as printed", "tight": "tight $L_j$", "min": "smaller branch of $L_j$"}


def bound_curves(inputs: Inputs, _: Settings) -> pd.DataFrame:
    """Return the gap-dependent bounds of each instance and their mean over instances."""
    by = ["algorithm", "variant", "form", "gamma", "epoch"]
    table = read(inputs.bounds[0], BOUNDS)
    table = table[table["form"] != "gap-independent"]
    return with_mean(table, by, ["bound", "c", "k_prime"])


@figure("Fig. 3a", kind="bounds", table=bound_curves)
def fig3a_bounds(data: pd.DataFrame) -> Figure:
    """Draw the bounds of both algorithms under time averages, with each form of L."""
    data = data[data["gamma"] == data["gamma"].max()]
    variants = [v for v in VARIANTS if v in set(data["variant"])]
    canvas = style.canvas(style.PAGE, 2.6)
    row = canvas.subplots(1, len(variants), sharey=True, squeeze=False)[0]
    ucb, greedy = style.looks(["epoch-ucb", "epoch-greedy"])
    panels = []
    for ax, variant in zip(row, variants, strict=True):
        series = _series(data[data["variant"] == variant])
        styled = [*zip(series, (ucb, greedy, AS_PRINTED, TRIVIAL), strict=True)]
        _draw(ax, [pair for pair in styled if pair[1] is not AS_PRINTED])
        lines.draw_mean(ax, *styled[2], Y, width=1.1)
        ends = series[1].instances.groupby("instance")["k_prime"].first()
        ax.plot(
            ends, np.full(len(ends), 0.02), **_triangle(greedy), transform=ax.get_xaxis_transform()
        )
        ax.set_title(VARIANTS[variant])
        panels.append(styled)
    row[0].set_ylabel(AXIS)
    text = "exploring ends (k′), by instance"
    lines.curve_legend(canvas, panels[0], [Line2D([], [], label=text, **_triangle(greedy))])
    entries = [(s.label, lines.final_mean(s, Y), look) for s, look in panels[-1]]
    marks.end_labels(canvas, [(row[-1], entries)])
    return canvas


@figure("Fig. 3b", kind="bounds", table=bound_curves)
def fig3b_ucb_bound_discount(data: pd.DataFrame) -> Figure:
    """Draw EpochUCB's bound for several discounts."""
    return _discounted(data, "epoch-ucb")


@figure("Fig. 3c", kind="bounds", table=bound_curves)
def fig3c_greedy_bound_discount(data: pd.DataFrame) -> Figure:
    """Draw EpochGreedy's bound for several discounts."""
    return _discounted(data, "epoch-greedy")


def _discounted(data: pd.DataFrame, algorithm: str) -> Figure:
    variant = next(v for v in VARIANTS if v in set(data["variant"]))
    series = _series(data[data["variant"] == variant])
    shown = [curve for curve in series if curve.policy == algorithm and curve.name in MAIN]
    trivial = next(curve for curve in series if curve.policy == "trivial")
    return lines.discount_panels(shown, Y, AXIS, _draw, [(trivial, TRIVIAL)])


def _series(data: pd.DataFrame) -> list[Series]:
    """Return the bounds in the order of NAMES, each with falling discounts."""
    result = []
    for (algorithm, form), name in NAMES.items():
        part = data[(data["algorithm"] == algorithm) & (data["form"] == form)]
        for gamma, rows in sorted(part.groupby("gamma"), key=lambda pair: -pair[0]):
            mean, single = rows[rows["line"] == "mean"], rows[rows["line"] == "instance"]
            result.append(Series(name, name, algorithm, gamma, np.nan, mean, single))
    return result


def _draw(ax: Axes, styled: Styled) -> None:
    ax.set(xscale="log", yscale="log")
    lines.draw_curves(ax, styled, Y)
    # The trivial bound starts far below all others.
    lines.set_limits(ax, styled, Y, [pair for pair in styled if pair[0].policy != "trivial"])
    ax.set_ylabel("")


def _triangle(look: Look) -> dict[str, Any]:
    return {"marker": "^", "ms": 4, "mew": 0, "lw": 0, "color": look.color, "clip_on": False}
