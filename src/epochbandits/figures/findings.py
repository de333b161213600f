"""The findings: where the measured result departs from the paper's, one figure each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from epochbandits.figures import lines, style
from epochbandits.figures.style import GREY, Look

__all__ = [
    "finding1_resampling",
    "finding2_decay",
    "finding3_discount_classes",
    "finding4_bounds_near_one",
    "finding5_eigenvalue_scale",
    "finding6_exploration",
]

REGRET = "Expected regret (reward)"
INTERVAL = "95% interval"


def finding1_resampling(data: pd.DataFrame) -> Figure:
    """Draw UCB and EpochUCB under both samplings, and UCB's failures against stickiness."""
    figure = style.canvas(style.PAGE, 2.6)
    left, right = figure.subplots(1, 2)
    regrets = data[data["panel"] == "samplings"]
    names = {"ucb": "UCB", "epoch-ucb": "EpochUCB"}
    places = {
        (policy, sampling): 2 * i + j
        for i, policy in enumerate(names)
        for j, sampling in enumerate(("marginal", "trajectory"))
    }
    left.set_yscale("log")
    for policy, look in zip(names, style.looks(list(names)), strict=True):
        own = regrets[regrets["policy"] == policy].pivot(
            index="instance", columns="sampling", values="mean"
        )
        at = [places[policy, sampling] for sampling in own.columns]
        for _, row in own.iterrows():
            left.plot(at, row, color=look.color, lw=0.45, alpha=0.6, marker="o", ms=1.6)
        left.plot(at, own.mean(), color=look.color, linestyle=look.dash, marker="o", ms=5, lw=2)
        left.annotate(names[policy], (np.mean(at), 0.97), xycoords=("data", "axes fraction"),
                      ha="center", va="top")  # fmt: skip
    left.set_xticks(list(places.values()), [sampling for _, sampling in places])
    left.set_xlim(-0.4, 3.4)
    left.set_ylim(top=left.get_ylim()[1] * 3)
    style.counts(left.yaxis, log=True)
    left.set_ylabel(REGRET)
    sticky = data[data["panel"] == "stickiness"].sort_values("a_low").reset_index(drop=True)
    _errorbar(right, np.arange(len(sticky)), sticky, style.looks(["ucb"])[0])
    ranges = [
        f"{low:g}–{high:g}" for low, high in zip(sticky["a_low"], sticky["a_high"], strict=True)
    ]
    right.set_xticks(np.arange(len(sticky)), ranges, rotation=25)
    right.set_ylim(-0.04, 1.04)
    right.set_xlabel("Stickiness a* of the optimal arm")
    right.set_ylabel("Share on which UCB fails")
    single = Line2D([], [], color=GREY, lw=0.5, marker="o", ms=1.6, label="single instances")
    thick = Line2D([], [], color=GREY, lw=2, marker="o", ms=5, label="mean over instances")
    lines.key(figure, [thick, single, _bar(f"{INTERVAL} (Wilson)")])
    return figure


def finding2_decay(data: pd.DataFrame) -> Figure:
    """Draw EpochGreedy over EpochUCB as c* is decayed, and how often it misses the best arm."""
    figure = style.canvas(style.PAGE, 2.6)
    look = style.looks(["epoch-greedy"])[0]
    texts = ("Regret over EpochUCB's", "Share missing the best arm")
    for ax, panel, text in zip(figure.subplots(1, 2), ("ratio", "failed"), texts, strict=True):
        part = data[data["panel"] == panel].sort_values("value")
        ax.set_xscale("log")
        ax.plot(part["value"], part["mean"], color=look.color, linestyle=look.dash, lw=1.2)
        _errorbar(ax, part["value"], part, look)
        style.counts(ax.xaxis, log=True)
        ax.set_xlabel("Factor by which c* is divided")
        ax.set_ylabel(text)
        ax.set_ylim(bottom=0)
        if panel == "ratio":
            ax.axhline(1, color=GREY, lw=0.8)
            ax.annotate("EpochUCB", (0.99, 1), xycoords=("axes fraction", "data"), xytext=(0, 2),
                        textcoords="offset points", ha="right", color=GREY,
                        fontsize=style.SMALL)  # fmt: skip
    lines.key(figure, [_bar(f"mean over {_count(data)} instances, {INTERVAL}")])
    return figure


def finding3_discount_classes(data: pd.DataFrame) -> Figure:
    """Draw EpochUCB's regret at γ over that at 1, for each class."""
    names = list(dict.fromkeys(data["instances"]))
    chosen = [*zip(names, style.looks(names), strict=True)]
    figure = style.canvas(style.PAGE, 2.8)
    ax = figure.subplots()
    ax.set_yscale("log")
    for name, look in chosen:
        part = data[data["instances"] == name].sort_values("gamma")
        ax.fill_between(part["gamma"], part["low"].clip(lower=part["mean"] / 100), part["high"],
                        color=look.color, alpha=0.12, lw=0)  # fmt: skip
        ax.plot(
            part["gamma"], part["mean"], color=look.color, linestyle=look.dash, marker="o", ms=3
        )
    _unity(ax, "as with time averages")
    ax.set_xlabel("Discount γ")
    ax.set_ylabel("Regret at γ over regret at 1")
    style.counts(ax.yaxis, log=True)
    handles = [_line(look, name) for name, look in chosen]
    lines.key(figure, handles)
    return figure


def finding4_bounds_near_one(data: pd.DataFrame) -> Figure:
    """Draw the bounds at γ over those at 1, with the printed and with the tight L."""
    figure = style.canvas(style.PAGE, 2.5)
    names = {"epoch-ucb": "EpochUCB's bound", "epoch-greedy": "EpochGreedy's bound"}
    variants = {"paper": "L as printed", "tight": "tight L", "min": "smaller branch"}
    present = [v for v in variants if v in set(data["variant"])]
    looks = dict(zip(present, style.looks(["epoch-ucb", "ucb", "exp3"]), strict=False))
    row = figure.subplots(1, 2, sharey=True)
    for ax, (algorithm, title) in zip(row, names.items(), strict=True):
        ax.set_xscale("log")
        ax.set_yscale("log")
        for variant, look in looks.items():
            part = data[(data["algorithm"] == algorithm) & (data["variant"] == variant)]
            part = part[part["gamma"] < 1].sort_values("gamma")
            ax.plot(1 - part["gamma"], part["mean"], color=look.color, linestyle=look.dash,
                    marker="o", ms=3)  # fmt: skip
        _unity(ax, "γ = 1")
        ax.invert_xaxis()
        ax.set_title(title)
        ax.set_xlabel("1 − γ (log scale; γ rises to the right)")
        style.counts(ax.xaxis, log=True)
        style.counts(ax.yaxis, log=True)
    row[0].set_ylabel("Bound at γ over bound at 1")
    handles = [_line(look, variants[v], marker="o", ms=3) for v, look in looks.items()]
    lines.key(figure, handles)
    return figure


def finding5_eigenvalue_scale(data: pd.DataFrame) -> Figure:
    """Draw mean and 95th percentile of both scales for each law beside the printed values."""
    figure = style.canvas(style.PAGE, 2.4)
    ax = figure.subplots()
    laws = list(dict.fromkeys(data["law"]))
    scales = {"lambda2": ("λ₂", -0.13, "o"), "root": ("√λ₂", 0.13, "s")}
    for (scale, (_, shift, marker)), look in zip(
        scales.items(), style.looks(["epoch-ucb", "epoch-greedy"]), strict=True
    ):
        part = data[data["scale"] == scale].set_index("law").loc[laws]
        at = np.arange(len(laws)) + shift
        ax.hlines(at, part["mean"], part["high"], color=look.color, lw=1.4)
        ax.plot(part["mean"], at, marker, color=look.color, ms=4.5)
        ax.plot(part["high"], at, "|", color=look.color, ms=8, mew=1.4)
    first = data[data["scale"] == "root"].set_index("law").loc[laws]
    for i, law in enumerate(laws):
        printed = first.loc[law, ["printed_mean", "printed_high"]].astype(float)
        ax.plot(printed, [i, i], "x", color="black", ms=5.5, mew=1.2, zorder=4)
    ax.set_yticks(np.arange(len(laws)), laws)
    ax.invert_yaxis()
    ax.set_xlim(0, 1)
    ax.set_xlabel("Eigenvalue of M(P), or its square root")
    handles: list[Any] = [
        Line2D(
            [],
            [],
            color=look.color,
            marker=marker,
            ms=4.5,
            label=f"{name}: mean to 95th percentile",
        )
        for (name, _, marker), look in zip(
            scales.values(), style.looks(["epoch-ucb", "epoch-greedy"]), strict=True
        )
    ]
    cross = Line2D(
        [], [], color="black", marker="x", ls="", label="the paper's mean and percentile"
    )
    lines.key(figure, [*handles, cross])
    return figure


def finding6_exploration(data: pd.DataFrame) -> Figure:
    """Draw x₀ with its lower bounds, and measured shares of suboptimal plays under Theorem 2."""
    figure = style.canvas(style.PAGE, 2.6)
    left, right = figure.subplots(1, 2)
    shown = {
        "exact": ("x₀(k), summed", Look("black", (0, None))),
        "printed": ("printed lower bound", style.looks(["epoch-greedy"])[0]),
        "corrected": ("corrected lower bound", style.looks(["epoch-ucb"])[0]),
    }
    left.set_xscale("log")
    x0 = data[data["panel"] == "x0"]
    for name, (text, look) in shown.items():
        part = x0[x0["line"] == name]
        left.plot(part["k"], part["mean"], color=look.color, linestyle=look.dash, label=text)
    left.legend(loc="upper left")
    left.set_xlabel("Epoch k (log scale)")
    left.set_ylabel("Explorations of one arm, half the mean")
    style.counts(left.xaxis, log=True)
    right.set_xscale("log")
    right.set_yscale("log")
    rest = data[data["panel"] == "theorem2"]
    numbers = sorted(set(rest["instance"]))
    for index, look in zip(numbers, style.ramp(max(2, len(numbers))), strict=False):
        own = rest[rest["instance"] == index]
        bound = own[own["line"] == "bound"].sort_values("k")
        right.plot(bound["k"], bound["mean"], color=look.color, linestyle=look.dash)
        _errorbar(right, own[own["line"] == "measured"]["k"], own[own["line"] == "measured"], look)
    right.set_xlabel("Epoch k (log scale)")
    right.set_ylabel("Share of suboptimal plays")
    style.counts(right.xaxis, log=True)
    style.counts(right.yaxis, log=True)
    line = Line2D([], [], color=GREY, label="Theorem 2's bound, by instance")
    lines.key(figure, [line, _bar(f"measured, {INTERVAL} (Wilson)")])
    return figure


def _errorbar(ax: Axes, at: Any, part: pd.DataFrame, look: Look) -> None:
    """Draw means with their intervals, as far as there are any."""
    low = (part["mean"] - part["low"]).clip(lower=0).fillna(0)
    high = (part["high"] - part["mean"]).clip(lower=0).fillna(0)
    ax.errorbar(at, part["mean"], yerr=[low, high], fmt="o", ms=4, color=look.color, capsize=2,
                lw=1.2)  # fmt: skip


def _unity(ax: Axes, text: str) -> None:
    ax.axhline(1, color=GREY, lw=0.8, zorder=0)
    ax.annotate(text, (0.01, 1), xycoords=("axes fraction", "data"), xytext=(0, 2), color=GREY,
                textcoords="offset points", fontsize=style.SMALL)  # fmt: skip


def _line(look: Look, label: str, **more: Any) -> Line2D:
    dash: Any = look.dash
    return Line2D([], [], color=look.color, linestyle=dash, label=label, **more)


def _bar(label: str) -> Line2D:
    return Line2D([], [], color=GREY, marker="o", ms=4, lw=1.2, label=label)


def _count(data: pd.DataFrame) -> int:
    return int(data["count"].max())
