"""Fig. 1: the two-arm example on which policies that decide at every iteration fail."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyArrowPatch, Patch
from matplotlib.path import Path as Curve
from matplotlib.ticker import LogLocator

from epochbandits.figures import marks, style
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.style import Look
from epochbandits.figures.tables import in_policy_order, read
from epochbandits.io.schemas import CURVES, FINALS
from epochbandits.pipeline import instance_sets
from epochbandits.stats import t_margin, wilson_interval

RADIUS, GAP, ROW = 0.3, 1.75, 1.4
"""In the diagram's unit: radius of a state, distance of states, distance of arms."""
EDGE = "#a65200"
HEAD = "-|>,head_length=3.6,head_width=1.9"

# --- Fig. 1a --------------------------------------------------------------------------------------


def transitions(inputs: Inputs, _: Settings) -> pd.DataFrame:
    """Return each transition of the first instance, with its start's mean reward."""
    instance = instance_sets.read(Path(inputs.instances[0]))[0]
    return pd.DataFrame(
        {
            "instance": instance.name,
            "arm": arm,
            "state": state,
            "target": target,
            "probability": instance.transition[arm, state, target],
            "mean_reward": instance.reward_means[arm, state],
        }
        for arm in range(instance.arms)
        for state in range(instance.states)
        for target in range(instance.states)
    )


@figure("Fig. 1a", kind="instances", table=transitions)
def fig1a_failure_arms(data: pd.DataFrame) -> Figure:
    """Draw the transitions of each arm, with the mean rewards below the states."""
    arms, states = sorted(data["arm"].unique()), data["state"].nunique()
    left, right, below, above = -2.1, GAP * (states - 1) + 1.3, -0.72, 0.62
    height = ROW * (len(arms) - 1) + above - below
    canvas = style.canvas(style.COLUMN, style.COLUMN * height / (right - left))
    canvas.set_layout_engine("none")
    ax = canvas.add_axes((0, 0, 1, 1))
    ax.axis("off")
    ax.set(xlim=(left, right), ylim=(below - ROW * (len(arms) - 1), above))
    epsilon = float(data.loc[data["probability"] > 0, "probability"].min())
    for row, arm in enumerate(arms):
        _chain(ax, data[data["arm"] == arm], -ROW * row, epsilon)
        ax.text(left + 0.04, -ROW * row, f"Arm {arm + 1}", va="center", fontsize=9)
    return canvas


def _chain(ax: Axes, rows: pd.DataFrame, y: float, epsilon: float) -> None:
    """Draw a chain's states in a row, and an arrow for each transition that can happen."""
    last = rows["state"].max()
    for row in rows[rows["probability"] > 0].itertuples():
        name, width = _probability(row.probability, epsilon), 0.8 + 1.0 * row.probability
        if row.state == row.target:
            angle = 180 if row.state == 0 else 0 if row.state == last else 90
            _loop(ax, (GAP * row.state, y), math.radians(angle), name, width)
        else:
            _arc(ax, GAP * row.state, GAP * row.target, y, name, width)
    for state, reward in rows.groupby("state")["mean_reward"].first().items():
        x = GAP * state
        ax.add_patch(Circle((x, y), RADIUS, fc="0.25", ec="none", zorder=3))
        middle: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 4}
        ax.text(x, y, f"$\\theta_{{{state + 1}}}$", color="white", fontsize=10.5, **middle)
        ax.text(x, y - RADIUS - 0.19, f"reward {reward:g}", fontsize=8, **middle)


def _arc(ax: Axes, start: float, stop: float, y: float, name: str, width: float) -> None:
    """Draw an arrow to another state: above if it points right, below if left."""
    side, lean = math.copysign(1, stop - start), math.radians(30)
    x, up = RADIUS * math.cos(lean), side * RADIUS * math.sin(lean)
    crest = y + up + side * 0.13 * abs(stop - start)
    quarter = (stop - start) / 4
    _curve(ax, width, (start + side * x, y + up), (start + quarter, crest), (stop - quarter, crest),
           (stop - side * (x + 0.03), y + up))  # fmt: skip
    # A cubic Bézier curve rises three quarters of the way to its two control points.
    top = y + up + 0.75 * (crest - y - up) + side * (0.15 if side > 0 else 0.17)
    ax.text((start + stop) / 2, top, name, ha="center", va="center", fontsize=9)


def _loop(ax: Axes, centre: tuple[float, float], angle: float, name: str, width: float) -> None:
    """Draw an arrow from a state to itself, on the side that the angle points to."""

    def at(turn: float, reach: float) -> tuple[float, float]:
        turned = angle + math.radians(turn)
        return centre[0] + reach * math.cos(turned), centre[1] + reach * math.sin(turned)

    far = 2.9 * RADIUS
    _curve(ax, width, at(38, RADIUS), at(34, far), at(-34, far), at(-38, RADIUS + 0.02))
    x, y = at(0, 2.25 * RADIUS + 0.08)
    if abs(math.cos(angle)) < 0.5:
        ax.text(x, y, name, ha="center", va="bottom", fontsize=9)
    else:
        ax.text(x, y, name, ha="left" if math.cos(angle) > 0 else "right", va="center", fontsize=9)


def _curve(ax: Axes, width: float, *points: tuple[float, float]) -> None:
    """Draw an arrow along a cubic curve."""
    path = Curve(points, [Curve.MOVETO, Curve.CURVE4, Curve.CURVE4, Curve.CURVE4])
    shape: dict[str, Any] = {"arrowstyle": HEAD, "mutation_scale": 1.4, "lw": width}
    ax.add_patch(FancyArrowPatch(path=path, color=EDGE, zorder=2, **shape))


def _probability(value: float, epsilon: float) -> str:
    """Return a probability in terms of ε."""
    for known, name in ((1.0, "1"), (epsilon, "ε"), (1 - epsilon, "1 − ε")):
        if math.isclose(value, known, rel_tol=1e-9):
            return name
    return f"{value:.3g}"


# --- Fig. 1b --------------------------------------------------------------------------------------


def failure(inputs: Inputs, settings: Settings) -> pd.DataFrame:
    """Return Example 1's curves on two axes, and the share of locked runs against ε.

    The sources are the runs over decisions, the same runs on EpochUCB's epochs, and the sweep of ε.
    Each instance is one ε, so intervals are over seeds: Student's for curves, Wilson's for shares.
    ``panel`` is "decisions", "epochs", "locked" or "locked on the main axis". A run is locked on
    the worse arm if its ``late_gap`` exceeds the configuration's threshold.
    """
    parts = []
    for panel, path in zip(("decisions", "epochs"), inputs.curves, strict=False):
        table = read(path, CURVES)
        margin = t_margin(table["deviation"], table["seeds"])
        mean = table["expected_regret"]
        table = table.assign(panel=panel, mean=mean, low=mean - margin, high=mean + margin)
        parts.append(table.assign(epsilon=_epsilons(table, settings.sets)))
    decisions, _, sweep = inputs.finals
    for panel, path in (("locked", sweep), ("locked on the main axis", decisions)):
        table = read(path, FINALS)
        table = table.assign(
            epsilon=_epsilons(table, settings.sets), locked=table["late_gap"] > settings.late
        )
        rows = []
        for (policy, epsilon), runs in table.groupby(["policy", "epsilon"], sort=True):
            share = wilson_interval(int(runs["locked"].sum()), len(runs))
            rows.append((policy, epsilon, runs["epoch"].max(), len(runs), *share))
        names = ["policy", "epsilon", "epoch", "seeds", "mean", "low", "high"]
        parts.append(pd.DataFrame(rows, columns=names).assign(panel=panel))
    columns = ["panel", "policy", "epsilon", "epoch", "seeds", "mean", "low", "high"]
    result = pd.concat([part[columns] for part in parts], ignore_index=True)
    result = result[result["policy"].isin(settings.policies)]
    result.insert(2, "label", result["policy"].map(settings.labels))
    return in_policy_order(result, settings.policies)


def _epsilons(table: pd.DataFrame, sets: Mapping[str, Mapping[str, Any]]) -> list[float]:
    """Return ε of each row's instance."""
    pairs = zip(table["instances"], table["instance"], strict=True)
    return [sets[name]["epsilon"][index] for name, index in pairs]


@figure("Fig. 1b", kind="experiments", table=failure, sources=3, unit="reward; 1 for shares")
def fig1b_failure_regret(data: pd.DataFrame) -> Figure:
    """Draw regret over decisions and over EpochUCB's epochs, and how many runs are locked."""
    policies = list(dict.fromkeys(data["policy"]))
    looks = dict(zip(policies, style.looks(policies), strict=True))
    main = data[data["panel"] == "decisions"]
    # The first instance of the configuration is the main one.
    epsilons = list(dict.fromkeys(main["epsilon"]))
    canvas = style.canvas(style.PAGE, 2.35)
    axes = canvas.subplots(1, 3, width_ratios=(1.2, 1, 0.9))
    for ax, panel, label in zip(
        axes, ("decisions", "epochs"), ("Decisions", "EpochUCB's epochs"), strict=False
    ):
        rows = data[data["panel"] == panel]
        for (policy, epsilon), curve in rows.groupby(["policy", "epsilon"], sort=False):
            _regret(ax, curve, looks[policy], epsilons.index(epsilon))
        ax.set(xlabel=label, ylabel="", xlim=(0, rows["epoch"].max()))
        style.number_axis(ax.xaxis, most=4)
        style.number_axis(ax.yaxis)
    axes[0].set_ylabel("Expected regret (reward)")
    _locked(axes[2], data, looks)
    seeds = f"mean of {int(main['seeds'].max())} seeds, ε = "
    handles: list[Any] = [
        Line2D([], [], color=style.GREY, label=f"{seeds}{epsilon:g}", **_weight(rank))
        for rank, epsilon in enumerate(epsilons)
    ]
    handles.append(Patch(color=style.GREY, alpha=0.25, lw=0, label=f"{marks.PERCENT} over seeds"))
    marks.legend_above(canvas, handles)
    ends = main[main["epsilon"] == epsilons[0]].groupby("policy", sort=False).last()
    entries = [
        (style.escaped(row["label"]), row["mean"], looks[policy]) for policy, row in ends.iterrows()
    ]
    marks.end_labels(canvas, [(axes[0], entries)])
    return canvas


def _weight(rank: int) -> dict[str, Any]:
    """Return width and marker of a line: thick for the main ε, marked for the others."""
    marker = {"marker": "osD^v"[(rank - 1) % 5], "ms": 2.8, "mfc": "white", "mew": 0.8}
    return {"lw": 1.7} if rank == 0 else {"lw": 0.8, **marker}


def _regret(ax: Axes, rows: pd.DataFrame, look: Look, rank: int) -> None:
    every = {"markevery": (0.05 * rank, 0.22), "mec": look.color} if rank else {}
    shown = {"color": look.color, "linestyle": look.dash, **_weight(rank), **every}
    ax.plot(rows["epoch"].to_numpy(), rows["mean"].to_numpy(), **shown)
    if np.isfinite(rows["low"]).all():
        band = {"color": look.color, "alpha": 0.15, "lw": 0}
        ax.fill_between(rows["epoch"], rows["low"], rows["high"], **band)


def _locked(ax: Axes, data: pd.DataFrame, looks: dict[str, Look]) -> None:
    """Draw the share of locked runs against ε, with Wilson's intervals.

    Policies that are not in the sweep appear as open squares, at the ε and horizon of the left
    panel.
    """
    ax.set_xscale("log")
    swept = data[data["panel"] == "locked"]
    rest = data[
        (data["panel"] == "locked on the main axis") & ~data["policy"].isin(swept["policy"])
    ]
    for rows, joined in ((swept, True), (rest, False)):
        for policy, line in rows.sort_values("epsilon").groupby("policy", sort=False):
            look = looks[policy]
            # Points of one ε are side by side, so that intervals do not overlap.
            offset = 1.2 ** (list(looks).index(policy) - (len(looks) - 1) / 2)
            ax.errorbar(
                line["epsilon"] * offset,
                line["mean"],
                yerr=marks.reach(line),
                color=look.color,
                linestyle=look.dash if joined else "none",
                lw=1.3,
                elinewidth=0.9,
                capsize=1.8,
                marker="o" if joined else "s",
                ms=3.2,
                mfc=look.color if joined else "white",
            )
    ax.set(ylim=(-0.04, 1.04), xlabel="ε", ylabel="Share of locked runs")
    ax.xaxis.set_major_locator(LogLocator(numticks=8))
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", ".25", ".5", ".75", "1"])
