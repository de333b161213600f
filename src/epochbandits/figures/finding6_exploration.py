"""Finding 6: the exploration that Theorem 2's proof counts on, and its bound against runs."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from epochbandits.figures import marks, style
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.style import GREY, Look
from epochbandits.figures.tables import read
from epochbandits.io.schemas import INEQUALITIES

ARMS, SCALE = 2, 10.0
"""m and c/d² of the left panel."""


def exploration(inputs: Inputs, _: Settings) -> pd.DataFrame:
    """Return x₀(k) with its printed and corrected lower bounds, and Theorem 2 against shares.

    ``panel`` "x0" is for m = 2 and c/d² = 10 (errata E6): ``line`` exact, printed or corrected.
    ``panel`` "theorem2" has the measured share of suboptimal plays and the bound on it.
    """
    table = read(inputs.inequalities[0], INEQUALITIES)
    table = table[table["name"] == "theorem2"].rename(columns={"at": "k"})
    measured = table.assign(line="measured", mean=table["left"])
    measured["low"] = measured["mean"] - measured["margin"]
    measured["high"] = measured["mean"] + measured["margin"]
    bound = table.assign(line="bound", mean=table["right"], low=math.nan, high=math.nan)
    columns = ["panel", "line", "instance", "k", "mean", "low", "high"]
    parts = [_x0()]
    parts += [part.assign(panel="theorem2") for part in (measured, bound)]
    return pd.concat([part[columns] for part in parts], ignore_index=True)


def _x0() -> pd.DataFrame:
    """Return x₀(k), half the mean number of explorations of an arm, and its lower bounds."""
    k_prime = SCALE * ARMS
    k = np.arange(1, 2001)
    exact = np.cumsum(np.minimum(1.0, k_prime / k)) / (2 * ARMS)
    printed = SCALE * np.log(k * math.sqrt(math.e) / k_prime)
    corrected = SCALE / 2 * np.log(math.e * (k + 1) / k_prime) - 1 / (2 * ARMS)
    valid = k > k_prime
    parts = [
        pd.DataFrame({"line": name, "k": k[valid], "mean": values[valid]})
        for name, values in (("exact", exact), ("printed", printed), ("corrected", corrected))
    ]
    return pd.concat(parts).assign(panel="x0", low=math.nan, high=math.nan, instance=-1)


@figure("Theorem 2", kind="inequalities", table=exploration, unit="1")
def finding6_exploration(data: pd.DataFrame) -> Figure:
    """Draw x₀ with its lower bounds, and measured shares of suboptimal plays under Theorem 2."""
    canvas = style.canvas(style.PAGE, 2.6)
    left, right = canvas.subplots(1, 2)
    shown = {
        "exact": ("x₀(k), summed", Look("black", (0, None))),
        "printed": ("printed lower bound", style.looks(["epoch-greedy"])[0]),
        "corrected": ("corrected lower bound", style.looks(["epoch-ucb"])[0]),
    }
    left.set_xscale("log")
    x0 = data[data["panel"] == "x0"]
    for name, (text, look) in shown.items():
        rows = x0[x0["line"] == name]
        left.plot(rows["k"], rows["mean"], color=look.color, linestyle=look.dash, label=text)
    left.legend(loc="upper left")
    left.set_xlabel("Epoch k (log scale)")
    left.set_ylabel("Explorations of one arm, half the mean")
    style.number_axis(left.xaxis, log=True)
    right.set_xscale("log")
    right.set_yscale("log")
    theorem2 = data[data["panel"] == "theorem2"]
    instances = sorted(set(theorem2["instance"]))
    for instance, look in zip(instances, style.ramp(max(2, len(instances))), strict=False):
        rows = theorem2[theorem2["instance"] == instance]
        bound = rows[rows["line"] == "bound"].sort_values("k")
        measured = rows[rows["line"] == "measured"]
        right.plot(bound["k"], bound["mean"], color=look.color, linestyle=look.dash)
        marks.errorbar(right, measured["k"], measured, look)
    right.set_xlabel("Epoch k (log scale)")
    right.set_ylabel("Share of suboptimal plays")
    style.number_axis(right.xaxis, log=True)
    style.number_axis(right.yaxis, log=True)
    line = Line2D([], [], color=GREY, label="Theorem 2's bound, by instance")
    marks.legend_above(canvas, [line, marks.bar_handle(f"measured, {marks.INTERVAL} (Wilson)")])
    return canvas
