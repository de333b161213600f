"""Study 8: other people's problems."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from epochbandits.figures import marks, style
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.study_tables import sources
from epochbandits.pipeline import instance_sets
from epochbandits.stats import t_margin
from epochbandits.theory.lai_robbins import lai_robbins

REFERENCE = "Lai–Robbins"
_IID = "iid"
_SHAPES = "osD^vP*"


def other_problems(inputs: Inputs, settings: Settings) -> pd.DataFrame:
    """Return weak regret per iteration: curves of i.i.d. problems, final values of the others.

    Intervals are over runs. The reference is c log t, with c of Lai and Robbins. ``experiment``
    says which runs an end belongs to: EpochUCB has another horizon.
    """
    rows = []
    for source in sources(inputs, settings):
        curves = source.curves
        for (name, sampling, policy), curve in curves.groupby(
            ["instances", "sampling", "policy"], sort=False
        ):
            curve = curve.sort_values("epoch")
            independent = settings.sets[str(name)]["class"] == _IID
            margin = t_margin(curve["deviation"], curve["seeds"])
            shown = curve.assign(margin=margin)
            # The recorded spread is that of regret per epoch: of decisions, in unpaired runs.
            exact = not source.block["paired"]
            shown = shown if independent and exact else shown.tail(1)
            for row in shown.itertuples():
                mean = float(row.iteration_regret)
                width = float(row.margin) if exact else math.nan
                rows.append((source.name, "curve" if independent and exact else "end", name,
                             sampling, policy, settings.labels[str(policy)], float(row.iteration),
                             mean, mean - width, mean + width))  # fmt: skip
    for name, members in instance_sets.read_sets(inputs.instances).items():
        if settings.sets[name]["class"] == _IID:
            c, end = lai_robbins(members[0].mu), max(row[6] for row in rows if row[2] == name)
            rows += [("", "curve", name, "", REFERENCE, REFERENCE, t, c * math.log(t), math.nan,
                      math.nan) for t in np.geomspace(10, end, 30)]  # fmt: skip
    columns = ["experiment", "kind", "problem", "sampling", "policy", "label", "iteration", "mean",
               "low", "high"]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


@figure("Section 1, related problems", kind="experiments", table=other_problems, sources=None,
        instances=True)  # fmt: skip
def study8_other_problems(data: pd.DataFrame) -> Figure:
    """Draw regret over time for independent rewards, and at the end for the other problems."""
    curves = data[(data["kind"] == "curve") & (data["sampling"] != "marginal")]
    ends = data[(data["kind"] == "end") & (data["sampling"] != "marginal")]
    ends = ends[~ends["problem"].isin(curves["problem"])]
    names = [name for name in dict.fromkeys(data["policy"]) if name != REFERENCE]
    colours = dict(zip(names, style.looks([f"other {name}" for name in names]), strict=True))
    independent = sorted(dict.fromkeys(curves["problem"]), reverse=True)  # two arms, then ten
    canvas = style.canvas(style.PAGE, 3.1)
    axes = canvas.subplots(1, len(independent) + 1,
                           width_ratios=[1] * len(independent) + [1.35])  # fmt: skip
    for ax, problem in zip(axes, independent, strict=False):
        _curves(ax, curves[curves["problem"] == problem], colours)
        ax.set_title(problem.replace("_", " "))
    _ends(axes[-1], ends, colours)
    labels = data.drop_duplicates("policy").set_index("policy")["label"]
    handles = [marks.line_handle(colours[name], style.escaped(labels[name]), ms=3.6,
                                 marker=_SHAPES[i % len(_SHAPES)])
               for i, name in enumerate(names)]  # fmt: skip
    grey = style.Look(style.GREY, (0, (1.2, 1.2)))
    marks.legend_above(canvas, [*handles, marks.line_handle(grey, REFERENCE)], rows=2)
    return canvas


def _curves(ax: Axes, data: pd.DataFrame, colours: dict[str, style.Look]) -> None:
    for policy, curve in data.groupby("policy", sort=False):
        look = colours.get(str(policy), style.Look(style.GREY, (0, (1.2, 1.2))))
        curve = curve[curve["iteration"] >= 10]
        ax.plot(curve["iteration"], curve["mean"], color=look.color, linestyle=look.dash)
        if curve["low"].notna().any():
            ax.fill_between(curve["iteration"], curve["low"], curve["high"], color=look.color,
                            alpha=0.2, lw=0)  # fmt: skip
    ax.set_xscale("log")
    ax.set_xlim(10, data["iteration"].max())
    ax.set_ylim(0, None)
    style.number_axis(ax.xaxis, log=True)
    style.number_axis(ax.yaxis)
    ax.set_xlabel("Iterations")
    ax.set_ylabel("Regret")


def _ends(ax: Axes, data: pd.DataFrame, colours: dict[str, style.Look]) -> None:
    """Draw final regret, a point for each policy on each problem."""
    shown = list(dict.fromkeys(data["problem"]))
    data = data.drop_duplicates(["problem", "policy"])
    names = list(colours)
    for i, policy in enumerate(names):
        part = data[data["policy"] == policy]
        x = [shown.index(name) + 0.13 * (i - (len(names) - 1) / 2) for name in part["problem"]]
        reach = [(part["mean"] - part["low"]).fillna(0), (part["high"] - part["mean"]).fillna(0)]
        ax.errorbar(x, part["mean"], yerr=reach, fmt=_SHAPES[i % len(_SHAPES)], ms=3.6, capsize=1.5,
                    lw=1, color=colours[policy].color)  # fmt: skip
    ax.set_xticks(range(len(shown)),
                  [style.escaped(name.replace("_", " ")) for name in shown], rotation=35,
                  ha="right", rotation_mode="anchor")  # fmt: skip
    ax.set_yscale("symlog", linthresh=10)
    ax.set_ylim(3 * min(-10.0, data["mean"].min()), 3 * max(10.0, data["mean"].max()))
    ax.axhline(0, color=style.GREY, lw=0.7, zorder=0)
    ax.set_ylabel("Regret at the end")
