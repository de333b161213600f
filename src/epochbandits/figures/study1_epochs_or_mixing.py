"""Study 1: is it the epochs or the mixing term? Schedules × windows in every class."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from epochbandits.figures import style
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.study_marks import contrasts, heat
from epochbandits.figures.study_tables import (
    ALL,
    add_holm,
    add_interval,
    class_means,
    units,
)
from epochbandits.pipeline.study_comparisons import compare

CONTRASTS = {
    "UCB1's window: blocks of 160 - each iteration": (("fixed:160", "ucb"), ("fixed:1", "ucb")),
    "UCB1's window: linear - each iteration": (("linear", "ucb"), ("fixed:1", "ucb")),
    "paper's window: linear - each iteration": (("linear", "own 6"), ("fixed:1", "own 6")),
    "linear: arm-specific L - without L": (("linear", "own 6"), ("linear", "none 6")),
    "linear: same L for all - without L": (("linear", "worst 6"), ("linear", "none 6")),
    "linear: same L for all - arm-specific L": (("linear", "worst 6"), ("linear", "own 6")),
    "UCB1 in blocks of 160 - EpochUCB as printed": (("fixed:160", "ucb"), ("linear", "own 6")),
}
"""What is compared: schedule and window of both sides. Fixed before the run."""
WINDOWS = {
    "ucb": ("ucb", "UCB1's"),
    "window-none": ("none", "no L"),
    "window-own": ("own", "arm's L"),
    "window-worst": ("worst", "same L"),
}
"""Name of each policy's window in the table, and in the figure."""
COLUMNS = ["panel", "schedule", "window", "class", "sampling", "mean", "low", "high", "p", "p_holm",
           "reached", "count"]  # fmt: skip


def epochs_or_mixing(inputs: Inputs, settings: Settings) -> pd.DataFrame:
    """Return the regret of each schedule and window, in each class and over all, and contrasts.

    ``panel`` "cell": mean r (`study_comparisons`) over instances of a class under a sampling, and
    over classes (``class`` "all"). ``reached``: share of runs that have ``at`` iterations.
    ``panel`` "contrast": the paired differences `CONTRASTS`, ``window`` naming them; ``p_holm`` is
    corrected for all of them.
    """
    table = units(inputs, settings)
    pairs = zip(table["policy"], table["value"], strict=True)
    table["window"] = [_window(policy, constant) for policy, constant in pairs]
    table["reached"] = (table["iteration"] >= settings.at * (1 - 1e-9)).astype(float)
    by = ["schedule", "window", "sampling"]
    reached = [table.groupby(keys, sort=False)["reached"].mean() for keys in ([*by, "class"], by)]
    cells = class_means(table, by).assign(panel="cell", reached=np.concatenate(reached))
    compared = []
    for name, sides in CONTRASTS.items():
        for sampling in dict.fromkeys(table["sampling"]):
            a, b = (
                table[(table["schedule"] == schedule) & (table["window"] == window)
                      & (table["sampling"] == sampling)]
                for schedule, window in sides
            )  # fmt: skip
            head = {"panel": "contrast", "window": name, "class": ALL, "sampling": sampling,
                    "count": len(a)}  # fmt: skip
            if len(a) and len(b):
                compared.append(add_interval(head, compare(a, b)))
    add_holm(compared)
    result = pd.concat([cells, pd.DataFrame(compared)], ignore_index=True)
    result[["schedule", "window"]] = result[["schedule", "window"]].fillna("")
    return result.reindex(columns=COLUMNS)


def _window(policy: str, constant: float) -> str:
    """Return the name of a policy's window: L, and the constant under the root if it is swept."""
    name = WINDOWS.get(policy, (policy, policy))[0]
    return name if np.isnan(constant) else f"{name} {constant:g}"


def _label(window: str) -> str:
    """Return a window's name in the figure from that in the table, which is all that it has."""
    name, _, constant = window.partition(" ")
    label = dict(WINDOWS.values()).get(name, name)
    return f"{label}, a = {constant}" if constant else label


@figure("Algorithm 2, its epochs and its window", kind="experiments", table=epochs_or_mixing,
        sources=None, unit="regret of random arms", instances=True, at=500_000)  # fmt: skip
def study1_epochs_or_mixing(data: pd.DataFrame) -> Figure:
    """Draw the mean and the worst regret of each schedule and window, and the contrasts."""
    cells = data[(data["panel"] == "cell") & (data["class"] != ALL)]
    windows, schedules = (list(dict.fromkeys(cells[key])) for key in ("window", "schedule"))
    by = ["window", "schedule"]
    canvas = style.canvas(style.PAGE, 1.1 + 0.2 * len(windows))
    mean, worst, right = canvas.subplots(1, 3, width_ratios=(1, 1, 1.05))
    groups = cells.groupby(by)["mean"]
    for ax, shares, title in ((mean, groups.mean(), "mean over classes and samplings"),
                             (worst, groups.max(), "worst class and sampling")):  # fmt: skip
        heat(ax, shares.unstack().reindex(index=windows, columns=schedules))
        ax.set_title(title, fontsize=style.SMALL)
    worst.set_yticks([])
    mean.set_yticklabels([_label(window) for window in windows])
    _contrasts(right, data[data["panel"] == "contrast"])
    return canvas


def _contrasts(ax: Axes, rows: pd.DataFrame) -> None:
    contrasts(ax, rows.assign(window=rows["window"].str.replace(" - ", " − ")), "window")
    ax.set_xlabel("Difference of regret / random arms")
