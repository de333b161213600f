"""Finding 6: the exploration that Theorem 2's proof counts on, and its bound against runs."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from epochbandits.figures import marks, style
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.style import Look
from epochbandits.figures.tables import read
from epochbandits.io.schemas import INEQUALITIES

ARMS, SCALE = 2, 10.0
"""m and c/d² of the left panel."""
_LEAST = 1e-15  # bottom of the right panel


def exploration(inputs: Inputs, _: Settings) -> pd.DataFrame:
    """Return x₀(k) with its printed and corrected lower bounds, and bounds beyond exploration.

    ``panel`` "x0" is for m = 2 and c/d² = 10 (errata E6): ``line`` exact, printed or corrected
    over x = k. ``panel`` "theorem2" has, over x = k/k', what the printed and the valid bound have
    beyond exploration, and what the runs leave open: the upper end of the measured chance's
    interval, for time averages and Algorithm 1's sampling, of the worst arm of each instance.
    """
    table = read(inputs.inequalities[0], INEQUALITIES)
    table = table[(table["gamma"] == 1) & (table["sampling"] == "marginal")]
    key = ["instances", "instance", "at"]
    bounds = table[table["name"] == "theorem2_valid"].set_index(key).sort_index()
    measured = table[table["name"] == "theorem2"]
    upper = (measured["left"] + measured["margin"]).groupby([measured[k] for k in key]).max()
    rows = pd.DataFrame(
        {
            "printed": bounds["right"],
            "valid": bounds["left"],
            "measured": upper - (1 - bounds["trivial"]),
        }
    ).reset_index()
    group = rows.groupby(["instances", "instance"])
    rows = rows.assign(instance=group.ngroup(), x=rows["at"] / group["at"].transform("min"))
    lines = rows.melt(
        ["instance", "x"], ["printed", "valid", "measured"], var_name="line", value_name="mean"
    )
    columns = ["panel", "line", "instance", "x", "mean"]
    return pd.concat([_x0()[columns], lines.assign(panel="theorem2")[columns]], ignore_index=True)


def _x0() -> pd.DataFrame:
    """Return x₀(k), half the mean number of explorations of an arm, and its lower bounds."""
    k_prime = SCALE * ARMS
    k = np.arange(1.0, 2001)
    exact = np.cumsum(np.minimum(1.0, k_prime / k)) / (2 * ARMS)
    printed = SCALE * np.log(k * math.sqrt(math.e) / k_prime)
    corrected = SCALE / 2 * np.log(math.e * (k + 1) / k_prime) - 1 / (2 * ARMS)
    valid = k > k_prime
    parts = [
        pd.DataFrame({"line": name, "x": k[valid], "mean": values[valid]})
        for name, values in (("exact", exact), ("printed", printed), ("corrected", corrected))
    ]
    return pd.concat(parts).assign(panel="x0", instance=-1)


@figure("Theorem 2", kind="inequalities", table=exploration, unit="1")
def finding6_exploration(data: pd.DataFrame) -> Figure:
    """Draw x₀ with its lower bounds, and what Theorem 2 has beyond exploration."""
    canvas = style.canvas(style.PAGE, 2.6)
    left, right = canvas.subplots(1, 2)
    ucb, greedy = style.looks(["epoch-ucb", "epoch-greedy"])
    black = Look("black", (0, None))
    _lines(left, data[data["panel"] == "x0"], {
        "exact": ("x₀(k), summed", black),
        "printed": ("printed lower bound", greedy),
        "corrected": ("corrected lower bound", ucb),
    })  # fmt: skip
    left.set(xlabel="Epoch k (log scale)", ylabel="Explorations of one arm, half the mean")
    left.legend(loc="upper left")
    right.set_yscale("log")
    theorem2 = data[data["panel"] == "theorem2"]
    _lines(right, theorem2, {
        "printed": ("Theorem 2 as printed", greedy),
        "measured": (f"what the runs leave open ({marks.PERCENT})", black),
        "valid": ("a bound with a proof", ucb),
    }, width=0.8)  # fmt: skip
    right.set_ylim(_LEAST, 10)
    right.axhline(1, color=style.GREY, lw=0.6)
    right.set(xlabel="Epoch, k/k′ (log scale)", ylabel="Chance beyond exploration")
    right.legend(loc="center right")
    for ax in (left, right):
        style.number_axis(ax.xaxis, log=True)
    return canvas


def _lines(
    ax: Axes, data: pd.DataFrame, shown: dict[str, tuple[str, Look]], width: float = 1.4
) -> None:
    """Draw a line for each kind and instance, with a label for each kind."""
    ax.set_xscale("log")
    for name, (text, look) in shown.items():
        groups = data[data["line"] == name].groupby("instance")
        for label, (_, rows) in zip([text, *[None] * (len(groups) - 1)], groups, strict=True):
            ax.plot(rows["x"], rows["mean"], color=look.color, ls=look.dash, lw=width, label=label)
