"""Finding 1: when UCB fails, against δ, stickiness and sampling, beside a prediction."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import seaborn as sns
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from epochbandits.claims.texts import span
from epochbandits.figures import marks, narrow, style
from epochbandits.figures.fig4_fig5_fig6_regret import Y
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.style import GREY
from epochbandits.figures.tables import interval_columns, read
from epochbandits.io.schemas import CURVES, FINALS
from epochbandits.model.instance import Instance
from epochbandits.model.lock_in import locked_probability
from epochbandits.pipeline import instance_sets
from epochbandits.stats import t_interval, wilson_interval

SAMPLINGS = {"marginal": "state redrawn (Algorithm 1)", "trajectory": "path of the chain"}
CELL = ["delta_low", "delta_high", "a_low", "a_high"]
COLUMNS = ["panel", "policy", "sampling", *CELL, "epsilon", "epoch", "mean", "low", "high",
           "predicted", "count"]  # fmt: skip
EARLIEST = 100
"""Example 1's share of plays is shown from this iteration on; before, UCB plays all arms."""
SPACING = 1.25
"""Least ratio of iterations between which that share is taken: shorter spans show single plays."""


# --- table ----------------------------------------------------------------------------------------


def ucb_failure(inputs: Inputs, settings: Settings) -> pd.DataFrame:
    """Return UCB's failures and regrets by δ, a* and sampling, and how long Example 1 locks it.

    ``panel`` "failed": the share of runs that miss the best arm, in each cell of the phase diagram.
    ``panel`` "regret": the final regret of both policies there, with the t-interval over instances.
    ``panel`` "locked": the share of Example 1's runs on the worse arm in the second half, by ε.
    ``panel`` "plays": the share of its plays on the worse arm at iteration ``epoch``, by ε.
    ``predicted`` is the mean of `model.lock_in.locked_probability` over the runs' instances.
    """
    phase, locked = (read(path, FINALS) for path in inputs.finals)
    instances = instance_sets.read_sets(inputs.instances)
    rows: list[dict[str, Any]] = []
    for (name, sampling), runs in phase.groupby(["instances", "sampling"]):
        head = {"sampling": sampling, **_place(settings.sets[name]["knobs"])}
        rows += _cell(runs, instances[name], settings.late, head)
    epsilons = {name: settings.sets[name]["epsilon"] for name in set(locked["instances"])}
    by = ["instances", "instance", "sampling"]
    for (name, index, sampling), runs in locked.groupby(by):
        share = wilson_interval(int((runs["late_gap"] > settings.late).sum()), len(runs))
        t = int(runs["iteration"].max())
        guess = locked_probability(instances[name][index], t, sampling)
        rows.append({"panel": "locked", "policy": "ucb", "sampling": sampling, "epoch": t,
                     "epsilon": epsilons[name][index], "predicted": guess, "count": len(runs),
                     **interval_columns(share)})  # fmt: skip
    for (name, index, sampling), curve in read(inputs.curves[1], CURVES).groupby(by):
        head = {"panel": "plays", "policy": "ucb", "sampling": sampling,
                "epsilon": epsilons[name][index], "count": int(curve["seeds"].max())}  # fmt: skip
        rows += [{**head, **point} for point in _plays(curve, instances[name][index], sampling)]
    return pd.DataFrame(rows).reindex(columns=COLUMNS)


def _place(knobs: Mapping[str, Any]) -> dict[str, float]:
    """Return where a set of instances is in the phase diagram: its ranges of δ and a*."""
    return dict(zip(CELL, (*knobs["delta"], *knobs["stick_optimal"]), strict=True))


def _cell(
    runs: pd.DataFrame, instances: Sequence[Instance], late: float, head: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Return a cell of the phase diagram: UCB's failures, and both regrets."""
    ucb = runs[runs["policy"] == "ucb"]
    share = wilson_interval(int((ucb["late_gap"] > late).sum()), len(ucb))
    guesses = [
        locked_probability(instances[index], t, head["sampling"])
        for index, t in zip(ucb["instance"], ucb["iteration"], strict=True)
    ]
    rows = [{**head, "panel": "failed", "policy": "ucb", "epoch": int(ucb["epoch"].max()),
             **interval_columns(share), "predicted": float(np.mean(guesses)),
             "count": len(ucb)}]  # fmt: skip
    for policy, part in runs.groupby("policy"):
        regret = part.groupby("instance")[Y].mean()
        rows.append({**head, "panel": "regret", "policy": policy, "count": len(regret),
                     "epoch": int(part["epoch"].max()),
                     **interval_columns(t_interval(regret))})  # fmt: skip
    return rows


def _plays(curve: pd.DataFrame, instance: Instance, sampling: Any) -> list[dict[str, Any]]:
    """Return the share of plays on the worse arm between recorded iterations."""
    curve = curve[curve["iteration"] >= EARLIEST]
    t, regret = curve["iteration"].to_numpy(), curve["subopt_regret"].to_numpy()
    chosen = [0]
    for i in range(1, len(t)):
        if t[i] >= SPACING * t[chosen[-1]]:
            chosen.append(i)
    t, regret = t[chosen], regret[chosen]
    share = np.diff(regret) / np.diff(t) / (instance.min_gap or math.nan)
    middle = np.sqrt(t[1:] * t[:-1]).round().astype(int)
    return [
        {"epoch": at, "mean": mean, "predicted": locked_probability(instance, at, sampling)}
        for at, mean in zip(middle.tolist(), share.tolist(), strict=True)
    ]


# --- picture --------------------------------------------------------------------------------------


@figure(
    "Fig. 6, Example 1, Algorithm 1",
    kind="experiments",
    table=ucb_failure,
    sources=2,
    unit="reward; 1 for shares",
    instances=True,
)
def finding1_ucb_failure(data: pd.DataFrame) -> Figure:
    """Draw UCB's failures beside the prediction, its regret over EpochUCB's, and Example 1."""
    canvas = style.canvas(style.PAGE, 4.2)
    axes = canvas.subplots(2, 4, width_ratios=(1, 1, 1, 1.15))
    failed = data[data["panel"] == "failed"]
    regret = data[data["panel"] == "regret"].set_index(["policy", "sampling", *CELL])["mean"]
    ratio = (regret["ucb"] / regret["epoch-ucb"]).rename("ratio").reset_index()
    for (sampling, title), row in zip(SAMPLINGS.items(), axes, strict=True):
        here = failed[failed["sampling"] == sampling]
        _cells(row[0], here, "mean")
        _cells(row[1], here, "predicted")
        _cells(row[2], ratio[ratio["sampling"] == sampling], "ratio")
        row[0].set_title(title, fontsize=8.5, fontweight="bold", pad=18)
    titles = ("UCB: share failed", "predicted", "UCB / EpochUCB regret")
    stacked = narrow.is_applied()
    for rank, row in enumerate(axes):
        for column, title in enumerate(titles):
            row[column].annotate(title, (0, 1), xytext=(0, 4), xycoords="axes fraction",
                                 textcoords="offset points", fontsize=style.SMALL)  # fmt: skip
            if column == 0 or stacked:
                row[column].set_ylabel("δ")
            else:
                row[column].set_yticks([])
            if (column == 2) if stacked else (rank == 1):
                row[column].set_xlabel("Stickiness a*")
            else:
                row[column].set_xticks([])
    _locked(axes[0][3], data[data["panel"] == "locked"])
    _over_time(axes[1][3], data[data["panel"] == "plays"])
    handles = [
        Line2D([], [], ms=3.5, lw=0, label=f"Example 1, {text}", **marks.sampling_look(sampling))
        for sampling, text in SAMPLINGS.items()
    ]
    handles.append(Line2D([], [], color=GREY, lw=0.9, label="Example 1, predicted"))
    marks.legend_above(canvas, handles)
    return canvas


def _cells(ax: Axes, data: pd.DataFrame, value: str) -> None:
    """Draw a heat map over δ and a*, with its numbers."""
    table = data.pivot(index="delta_low", columns="a_low", values=value)
    table = table.sort_index(ascending=False)
    ratio = value == "ratio"
    shown = table.map(_short if ratio else lambda x: f"{x:.2f}".removeprefix("0"))
    colours: dict[str, Any] = (
        {"cmap": "RdBu_r", "norm": LogNorm(1 / 60, 60)} if ratio
        else {"cmap": sns.color_palette("Blues", as_cmap=True), "vmin": 0, "vmax": 1}
    )  # fmt: skip
    sns.heatmap(table, annot=shown, fmt="", annot_kws={"fontsize": style.SMALL}, linewidths=0.8,
                linecolor="white", cbar=False, ax=ax, **colours)  # fmt: skip
    for text, number in zip(ax.texts, table.to_numpy().ravel(), strict=True):
        dark = abs(math.log(max(number, 1e-9))) > math.log(15) if ratio else number > 0.6
        text.set_color("white" if dark else "black")
    for axis, low, high, names in (
        (ax.xaxis, "a_low", "a_high", table.columns),
        (ax.yaxis, "delta_low", "delta_high", table.index),
    ):
        tops = data.groupby(low)[high].first()
        axis.set_ticks(np.arange(len(names)) + 0.5, [span(name, tops[name]) for name in names])
    ax.tick_params(length=0, axis="both")
    ax.tick_params(axis="x", rotation=35)
    ax.tick_params(axis="y", rotation=0)
    ax.set(xlabel="", ylabel="")


def _short(value: float) -> str:
    """Return a ratio as text."""
    digits = 0 if value >= 9.95 else 1 if value >= 0.995 else 2
    return f"{value:.{digits}f}".removeprefix("0")


def _locked(ax: Axes, data: pd.DataFrame) -> None:
    """Draw the share of Example 1's runs that are locked against ε."""
    ax.set_xscale("log")
    for rank, sampling in enumerate(SAMPLINGS):
        rows = data[data["sampling"] == sampling].sort_values("epsilon")
        ax.errorbar(rows["epsilon"] * (0.93 if rank == 0 else 1.07), rows["mean"], ls="none",
                    yerr=marks.reach(rows), ms=3.2, capsize=1.6, lw=0.9,
                    **marks.sampling_look(sampling))  # fmt: skip
        ax.plot(rows["epsilon"], rows["predicted"], color=GREY, lw=0.9, zorder=1)
    ax.set_ylim(-0.04, 1.04)
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", ".25", ".5", ".75", "1"])
    style.number_axis(ax.xaxis, log=True)
    ax.set(xlabel="ε of Example 1", ylabel="Share of runs locked")
    ax.set_title(f"at t = {style.number(int(data['epoch'].max()))}", fontsize=style.SMALL)


def _over_time(ax: Axes, data: pd.DataFrame) -> None:
    """Draw the share of Example 1's plays on the worse arm against the iteration."""
    ax.set_xscale("log")
    for sampling in SAMPLINGS:
        rows = data[data["sampling"] == sampling]
        look = marks.sampling_look(sampling)
        for _, line in rows.sort_values("epoch").groupby("epsilon"):
            ax.plot(line["epoch"], line["mean"], ls="none", ms=1.8, alpha=0.8, **look)
            ax.plot(line["epoch"], line["predicted"], color=GREY, lw=0.9, zorder=1)
    ax.set_ylim(-0.04, 1.04)
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", ".25", ".5", ".75", "1"])
    ends = rows.sort_values("epoch").groupby("epsilon")["predicted"].last()
    # Names of the lines, apart by at least a tenth of the panel's height.
    for epsilon, y in zip(ends.index, marks.spread((ends.to_numpy() + 0.04) / 1.08, 0.1),
                          strict=True):  # fmt: skip
        ax.annotate(f"ε = {epsilon:g}", (1.02, y), xycoords="axes fraction", va="center",
                    fontsize=style.SMALL)  # fmt: skip
    ax.set_xlim(EARLIEST, data["epoch"].max() * 1.05)
    style.number_axis(ax.xaxis, log=True)
    ax.set(xlabel="Iteration t", ylabel="Share of worse plays")
