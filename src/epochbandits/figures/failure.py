"""Fig. 1: the two-arm example on which policies that decide at every iteration fail."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyArrowPatch, Patch

from epochbandits.figures import lines, style
from epochbandits.figures.style import Look

__all__ = ["fig1a_failure_arms", "fig1b_failure_regret"]

RADIUS = 0.3
EDGE = "#b45a00"

# --- Fig. 1a --------------------------------------------------------------------------------------


def fig1a_failure_arms(data: pd.DataFrame) -> Figure:
    """Draw the transitions of each arm, with the mean rewards beneath the states."""
    arms = sorted(data["arm"].unique())
    figure = style.canvas(style.COLUMN, 1.28 * len(arms))
    epsilon = float(data.loc[data["probability"] > 0, "probability"].min())
    for ax, arm in zip(np.atleast_1d(figure.subplots(len(arms), 1)), arms, strict=True):
        ax.set_aspect("equal")
        ax.axis("off")
        _chain(ax, data[data["arm"] == arm], epsilon)
        ax.text(-0.95, 0, f"Arm {arm + 1}", ha="right", va="center", fontsize=9.5)
        ax.set_xlim(-1.75, 3.0)
        ax.set_ylim(-0.78, 0.72)
    return figure


def _chain(ax: Axes, rows: pd.DataFrame, epsilon: float) -> None:
    """Draw a chain's states from left to right, and an arrow for each transition that can happen."""
    gap = 2.0
    for row in rows[rows["probability"] > 0].itertuples():
        start, stop = gap * row.state, gap * row.target
        name = _probability(row.probability, epsilon)
        width = 0.7 + 1.6 * row.probability
        if row.state == row.target:
            side = -1 if row.state == 0 else 1
            _arrow(ax, (start, 0), side, name, width)
        else:
            _arc(ax, start, stop, name, width)
    for state, reward in rows.groupby("state")["mean_reward"].first().items():
        ax.add_patch(Circle((gap * state, 0), RADIUS, fc="0.25", ec="none", zorder=3))
        label = {"ha": "center", "va": "center", "zorder": 4}
        ax.text(gap * state, 0, f"$\\theta_{{{state + 1}}}$", color="white", fontsize=11, **label)
        ax.text(gap * state, -0.52, f"reward {reward:g}", fontsize=8, **label)


def _arc(ax: Axes, start: float, stop: float, name: str, width: float) -> None:
    """Draw an arrow to another state: above to the right, beneath to the left."""
    bend, side = 0.28, math.copysign(1, stop - start)
    head = {"arrowstyle": "-|>,head_length=4,head_width=2.2", "shrinkA": 0, "shrinkB": 0}
    angle = math.radians(28)
    x, y = RADIUS * math.cos(angle), RADIUS * math.sin(angle) * side
    ax.add_patch(
        FancyArrowPatch(
            (start + side * x, y),
            (stop - side * x * 1.12, y * 1.12),
            connectionstyle=f"arc3,rad={-bend}",
            color=EDGE,
            lw=width,
            **head,
        )
    )
    height = y + side * (abs(stop - start) - 2 * x) * bend / 2
    ax.text((start + stop) / 2, height + side * 0.13, name, ha="center", va="center", fontsize=9)


def _arrow(ax: Axes, centre: tuple[float, float], side: int, name: str, width: float) -> None:
    """Draw an arrow from a state to itself, on its outer side."""
    x, y = centre
    a = math.radians(35)
    start = (x + side * RADIUS * math.cos(a), y + RADIUS * math.sin(a))
    stop = (x + side * RADIUS * 1.08 * math.cos(a), y - RADIUS * 1.08 * math.sin(a))
    ax.add_patch(
        FancyArrowPatch(
            start,
            stop,
            connectionstyle=f"arc3,rad={-side * 1.9}",
            arrowstyle="-|>,head_length=4,head_width=2.2",
            shrinkA=0,
            shrinkB=0,
            color=EDGE,
            lw=width,
        )
    )
    ax.text(x + side * (RADIUS + 0.48), y, name, ha="left" if side > 0 else "right", va="center")


def _probability(value: float, epsilon: float) -> str:
    """Return a probability in terms of ε."""
    for known, name in ((1.0, "1"), (epsilon, "ε"), (1 - epsilon, "1 − ε")):
        if math.isclose(value, known, rel_tol=1e-9):
            return name
    return f"{value:.3g}"


# --- Fig. 1b --------------------------------------------------------------------------------------


def fig1b_failure_regret(data: pd.DataFrame) -> Figure:
    """Draw regret over decisions and over EpochUCB's epochs, and how many runs are locked."""
    policies = list(dict.fromkeys(data["policy"]))
    found = dict(zip(policies, style.looks(policies), strict=True))
    epsilons = list(dict.fromkeys(data.loc[data["panel"] == "decisions", "epsilon"]))
    figure = style.canvas(style.PAGE, 2.6)
    first, second, third = figure.subplots(1, 3, width_ratios=(1.25, 1, 1))
    for ax, panel in ((first, "decisions"), (second, "epochs")):
        for (policy, epsilon), rows in data[data["panel"] == panel].groupby(["policy", "epsilon"]):
            _regret(ax, rows, found[policy], epsilons.index(epsilon))
        ax.set_xlim(0, data.loc[data["panel"] == panel, "epoch"].max())
        style.counts(ax.xaxis)
        style.counts(ax.yaxis)
        ax.set_ylabel("")
    first.set_ylabel("Expected regret (reward)")
    first.set_xlabel("Decisions")
    second.set_xlabel("EpochUCB's epochs")
    _locked(third, data, found)
    handles: list[Any] = [
        Line2D([], [], color=style.GREY, label=f"ε = {epsilon:g}", **_weight(k))
        for k, epsilon in enumerate(epsilons)
    ]
    handles.append(Patch(color=style.GREY, alpha=0.25, lw=0, label="95% over seeds"))
    figure.legend(handles=handles, loc="outside upper left", ncols=len(handles), borderpad=0)
    main = data[(data["panel"] == "decisions") & (data["epsilon"] == epsilons[0])]
    ends = main.groupby("policy", sort=False).last()
    lines.end_labels(
        first, [(row["label"], row["mean"], found[policy]) for policy, row in ends.iterrows()]
    )
    return figure


def _weight(rank: int) -> dict[str, Any]:
    """Return how the lines of the first, main ε and of the others differ."""
    return {"lw": 1.6} if rank == 0 else {"lw": 0.8, "marker": "o", "ms": 2.6, "mfc": "white"}


def _regret(ax: Axes, rows: pd.DataFrame, look: Look, rank: int) -> None:
    marked = {} if rank == 0 else {"markevery": (rank * 0.1, 0.2), "mew": 0.8, "mec": look.color}
    sns.lineplot(
        rows,
        x="epoch",
        y="mean",
        estimator=None,
        color=look.color,
        linestyle=look.dash,
        legend=False,
        ax=ax,
        **_weight(rank),
        **marked,
    )
    if np.isfinite(rows["low"]).all():
        ax.fill_between(
            rows["epoch"], rows["low"], rows["high"], color=look.color, alpha=0.15, lw=0
        )


def _locked(ax: Axes, data: pd.DataFrame, found: dict[str, Look]) -> None:
    """Draw the share of locked runs against ε, with Wilson's intervals."""
    ax.set_xscale("log")
    rows = data[data["panel"] == "locked"]
    for policy, own in rows.groupby("policy", sort=False):
        own = own.sort_values("epsilon")
        reach = [own["mean"] - own["low"], own["high"] - own["mean"]]
        look = found[policy]
        ax.errorbar(
            own["epsilon"],
            own["mean"],
            yerr=np.clip(reach, 0, None),
            color=look.color,
            linestyle=look.dash,
            lw=1.2,
            elinewidth=0.9,
            capsize=2,
            marker="o",
            ms=3.4,
        )
    ax.set_ylim(-0.03, 1.03)
    ax.set_xlabel("ε")
    ax.set_ylabel("Share of locked runs")
