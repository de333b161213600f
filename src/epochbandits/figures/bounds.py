"""Fig. 3: the gap-dependent regret bounds over the horizon, on logarithmic axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from epochbandits.figures import discounts, labels, lines, style
from epochbandits.figures.lines import Chosen, Series
from epochbandits.figures.style import Look

__all__ = ["fig3a_bounds", "fig3b_ucb_bound_discount", "fig3c_greedy_bound_discount"]

Y, AXIS = "bound", "Regret bound (reward)"
PRINTED = "#7a2f00"
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


def fig3a_bounds(data: pd.DataFrame) -> Figure:
    """Draw the bounds of both algorithms under time averages, with each form of L."""
    data = data[data["gamma"] == data["gamma"].max()]
    variants = [v for v in VARIANTS if v in set(data["variant"])]
    figure = style.canvas(style.PAGE, 2.6)
    row = figure.subplots(1, len(variants), sharey=True, squeeze=False)[0]
    own = style.looks(["epoch-ucb", "epoch-greedy"])
    looks = [*own, Look(PRINTED, (0, (0.8, 0.8))), TRIVIAL]
    shown = []
    for ax, variant in zip(row, variants, strict=True):
        found = _series(data[data["variant"] == variant])
        shown.append([*zip(found, looks, strict=True)])
        _draw(ax, [pair for pair in shown[-1] if pair[0].name in (*MAIN, NAMES["trivial", ""])])
        lines.mean(ax, found[2], looks[2], Y, width=1.1)
        ends = found[1].instances.groupby("instance")["k_prime"].first()
        ax.plot(
            ends, np.full(len(ends), 0.02), **_mark(looks[1]), transform=ax.get_xaxis_transform()
        )
        ax.set_title(VARIANTS[variant])
    row[0].set_ylabel(AXIS)
    told = "exploring ends (k′), by instance"
    lines.explain(figure, shown[0], [Line2D([], [], label=told, **_mark(looks[1]))])
    entries = [(s.label, lines.end(s, Y), look) for s, look in shown[-1]]
    labels.end_labels(figure, [(row[-1], entries)])
    return figure


def fig3b_ucb_bound_discount(data: pd.DataFrame) -> Figure:
    """Draw EpochUCB's bound for several discounts."""
    return _discounted(data, "epoch-ucb")


def fig3c_greedy_bound_discount(data: pd.DataFrame) -> Figure:
    """Draw EpochGreedy's bound for several discounts."""
    return _discounted(data, "epoch-greedy")


def _discounted(data: pd.DataFrame, algorithm: str) -> Figure:
    variant = next(v for v in VARIANTS if v in set(data["variant"]))
    found = _series(data[data["variant"] == variant])
    own = [one for one in found if one.policy == algorithm and one.name in MAIN]
    trivial = next(one for one in found if one.policy == "trivial")
    return discounts.panels(own, Y, AXIS, _draw, [(trivial, TRIVIAL)])


def _series(data: pd.DataFrame) -> list[Series]:
    """Return the bounds, discounts falling, in the order of NAMES."""
    found = []
    for (algorithm, form), name in NAMES.items():
        own = data[(data["algorithm"] == algorithm) & (data["form"] == form)]
        for gamma, rows in sorted(own.groupby("gamma"), key=lambda pair: -pair[0]):
            mean, single = rows[rows["line"] == "mean"], rows[rows["line"] == "instance"]
            found.append(Series(name, name, algorithm, gamma, np.nan, mean, single))
    return found


def _draw(ax: Axes, chosen: Chosen) -> None:
    ax.set_xscale("log")
    ax.set_yscale("log")
    lines.curves(ax, chosen, Y)
    # The trivial line comes from far beneath, where nothing else is.
    lines.frame(ax, chosen, Y, [pair for pair in chosen if pair[0].policy != "trivial"])
    ax.set_ylabel("")


def _mark(look: Look) -> dict[str, Any]:
    return {"marker": "^", "ms": 4, "mew": 0, "lw": 0, "color": look.color, "clip_on": False}
