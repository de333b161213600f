"""Finding 1: UCB fails where the state is redrawn at each iteration and the best arm is sticky."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from epochbandits.figures import marks, style
from epochbandits.figures.fig4_fig6_regret import AXIS, Y
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.style import GREY
from epochbandits.figures.tables import missed_share, read
from epochbandits.io.schemas import FINALS

NAMES = {"ucb": "UCB", "epoch-ucb": "EpochUCB"}
SAMPLINGS = ("marginal", "trajectory")


def resampling(inputs: Inputs, settings: Settings) -> pd.DataFrame:
    """Return final regrets of UCB and EpochUCB by sampling, and UCB's failures by stickiness.

    ``panel`` "samplings": one row per policy, sampling and instance, ``low`` and ``high`` empty.
    ``panel`` "stickiness": the share of instances on which UCB fails, for each range of a*.
    """
    ensemble, stickiness = (read(path, FINALS) for path in inputs.finals)
    ensemble = ensemble[ensemble["policy"].isin(NAMES)]
    by = ["policy", "sampling", "instance"]
    regrets = ensemble.groupby(by)[Y].mean().reset_index(name="mean")
    regrets = regrets.assign(panel="samplings", low=math.nan, high=math.nan, a_low=math.nan,
                             a_high=math.nan, count=1)  # fmt: skip
    rows = []
    for name, runs in stickiness.groupby("instances"):
        share, count = missed_share(runs, settings.late)
        a_range = settings.sets[name]["knobs"]["stick_optimal"]
        rows.append(("ucb", "marginal", -1, *share, "stickiness", *a_range, count))
    columns = [*by, "mean", "low", "high", "panel", "a_low", "a_high", "count"]
    return pd.concat([regrets[columns], pd.DataFrame(rows, columns=columns)], ignore_index=True)


@figure(
    "Fig. 6, Algorithm 1",
    kind="experiments",
    table=resampling,
    sources=2,
    unit="reward; 1 for shares",
)
def finding1_resampling(data: pd.DataFrame) -> Figure:
    """Draw UCB and EpochUCB under both samplings, and UCB's failures against stickiness."""
    canvas = style.canvas(style.PAGE, 2.6)
    left, right = canvas.subplots(1, 2)
    regrets = data[data["panel"] == "samplings"]
    ticks = [(policy, sampling) for policy in NAMES for sampling in SAMPLINGS]
    left.set_yscale("log")
    for policy, look in zip(NAMES, style.looks(list(NAMES)), strict=True):
        table = regrets[regrets["policy"] == policy].pivot(
            index="instance", columns="sampling", values="mean"
        )
        x = [ticks.index((policy, sampling)) for sampling in table.columns]
        for _, row in table.iterrows():
            left.plot(x, row, color=look.color, lw=0.45, alpha=0.6, marker="o", ms=1.6)
        left.plot(x, table.mean(), color=look.color, linestyle=look.dash, marker="o", ms=5, lw=2)
        left.annotate(NAMES[policy], (np.mean(x), 0.97), xycoords=("data", "axes fraction"),
                      ha="center", va="top")  # fmt: skip
    left.set_xticks(range(len(ticks)), [sampling for _, sampling in ticks])
    left.set_xlim(-0.4, 3.4)
    left.set_ylim(top=left.get_ylim()[1] * 3)
    style.number_axis(left.yaxis, log=True)
    left.set_ylabel(AXIS)
    sticky = data[data["panel"] == "stickiness"].sort_values("a_low").reset_index(drop=True)
    marks.errorbar(right, np.arange(len(sticky)), sticky, style.looks(["ucb"])[0])
    ranges = [
        f"{low:g}–{high:g}" for low, high in zip(sticky["a_low"], sticky["a_high"], strict=True)
    ]
    right.set_xticks(np.arange(len(sticky)), ranges, rotation=25)
    right.set_ylim(-0.04, 1.04)
    right.set_xlabel("Stickiness a* of the optimal arm")
    right.set_ylabel("Share on which UCB fails")
    single = Line2D([], [], color=GREY, lw=0.5, marker="o", ms=1.6, label="single instances")
    thick = Line2D([], [], color=GREY, lw=2, marker="o", ms=5, label="mean over instances")
    marks.legend_above(canvas, [thick, single, marks.bar_handle(f"{marks.INTERVAL} (Wilson)")])
    return canvas
