"""Study 9: long horizons: where bounds begin to say something, where rankings cross."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from epochbandits.figures import style
from epochbandits.figures.marks import end_labels
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.study_tables import (
    SAMPLINGS,
    Source,
    add_holm,
    add_interval,
    mean_gaps,
    sources,
    units_at,
)
from epochbandits.figures.tables import interval_columns
from epochbandits.model.instance import Instance
from epochbandits.model.setting import Setting
from epochbandits.pipeline import instance_sets
from epochbandits.pipeline.study_comparisons import compare, pooled
from epochbandits.stats import Interval, t_interval
from epochbandits.theory import ucb

DECADES = tuple(10**k for k in range(4, 11))
"""Iterations at which policies are compared; each policy as far as its runs reach."""
BOUND_AT = tuple(10**k for k in range(3, 8))
REFERENCE = "epoch-ucb"
COLUMNS = ["panel", "policy", "label", "sampling", "at", "mean", "low", "high", "p", "p_holm",
           "count"]  # fmt: skip


def long_horizons(inputs: Inputs, settings: Settings) -> pd.DataFrame:
    """Return regret against the number of iterations, and the bound against that of epochs.

    ``panel`` "regret": mean r (`study_comparisons`) over classes after ``at`` iterations.
    ``panel`` "against": the paired difference to EpochUCB there; it changes its sign where the
    ranking crosses. ``panel`` "bound": Corollary 1's bound over n·Δ_max at ``at`` epochs, below 1
    where it says something; "measured": EpochUCB's measured regret per epoch over that bound.
    """
    rows: list[dict[str, Any]] = []
    data, instances = sources(inputs, settings), instance_sets.read_sets(inputs.instances)
    gaps = mean_gaps(instances)
    for at in DECADES:
        table = units_at(at, data, settings, gaps)
        table = table[table["iteration"] >= at * (1 - 1e-9)]
        against = []
        for (policy, sampling), part in table.groupby(["policy", "sampling"], sort=False):
            head = {"policy": policy, "sampling": sampling, "at": at, "count": len(part)}
            rows.append(add_interval({"panel": "regret", **head}, pooled(part)))
            other = table[(table["policy"] == REFERENCE) & (table["sampling"] == sampling)]
            if policy != REFERENCE and len(other):
                against.append(add_interval({"panel": "against", **head}, compare(part, other)))
        rows += against
    compared = [row for row in rows if row["panel"] == "against"]
    add_holm(compared)
    rows += _bounds(data, instances)
    result = pd.DataFrame(rows)
    result["label"] = result["policy"].map(settings.labels)
    return result.reindex(columns=COLUMNS)


def _bounds(
    data: list[Source], instances: Mapping[str, Sequence[Instance]]
) -> list[dict[str, Any]]:
    """Return the bound over the trivial one, and EpochUCB's measured regret over the bound."""
    rows = []
    n = np.array(BOUND_AT)
    bounds = {(name, i): ucb.regret_bound(n, one, Setting())
              for name, members in instances.items() for i, one in enumerate(members)}  # fmt: skip
    worst = {key: n * float(instances[key[0]][key[1]].gap.max()) for key in bounds}
    for k, at in enumerate(BOUND_AT):
        share = t_interval([bounds[key][k] / worst[key][k] for key in bounds])
        rows.append(_row("bound", "", at, share, len(bounds)))
    for sampling in SAMPLINGS:
        for k, at in enumerate(BOUND_AT):
            ratios = []
            for source in data:
                here = source.curves.query("policy == @REFERENCE and sampling == @sampling")
                for key, curve in here.sort_values("epoch").groupby(["instances", "instance"]):
                    if curve["epoch"].max() >= at:
                        measured = np.interp(at, curve["epoch"], curve["expected_regret"])
                        ratios.append(float(measured / bounds[key][k]))
            if ratios:
                rows.append(_row("measured", sampling, at, t_interval(ratios), len(ratios)))
    return rows


def _row(panel: str, sampling: str, at: int, interval: Interval,
         count: int) -> dict[str, Any]:  # fmt: skip
    return {"panel": panel, "policy": REFERENCE, "sampling": sampling, "at": at,
            **interval_columns(interval), "count": count}  # fmt: skip


@figure("Corollary 1, Fig. 6", kind="experiments", table=long_horizons, sources=None,
        unit="regret of random arms; 1 for shares of bounds", instances=True)  # fmt: skip
def study9_long_horizons(data: pd.DataFrame) -> Figure:
    """Draw regret against iterations under both samplings, and the bound against epochs."""
    regret = data[data["panel"] == "regret"]
    policies = list(dict.fromkeys(regret["policy"]))
    looks = dict(zip(policies, style.looks(policies), strict=True))
    canvas = style.canvas(style.PAGE, 2.9)
    axes = canvas.subplots(1, 3, width_ratios=(1, 1, 0.9))
    panels = []
    for ax, (sampling, name) in zip(axes[:2], SAMPLINGS.items(), strict=True):
        ax.set(xscale="log", yscale="log")
        ends = []
        for policy in policies:
            rows = regret[(regret["policy"] == policy) & (regret["sampling"] == sampling)]
            rows = rows[rows["mean"] > 0].sort_values("at")
            if len(rows):
                look = looks[policy]
                ax.plot(rows["at"], rows["mean"], marker="o", ms=2, color=look.color, ls=look.dash)
                ends.append((str(rows["label"].iloc[0]), float(rows["mean"].iloc[-1]), look))
        ax.set_title(f"state {name}", fontsize=style.SMALL)
        ax.set_xlabel("Iterations")
        style.number_axis(ax.xaxis, log=True)
        if sampling == "trajectory":
            panels.append((ax, ends))
    axes[0].set_ylabel("Regret / random arms")
    _draw_bounds(axes[2], data)
    end_labels(canvas, panels)
    return canvas


def _draw_bounds(ax: Any, data: pd.DataFrame) -> None:
    ax.set(xscale="log", yscale="log")
    bound = data[data["panel"] == "bound"].sort_values("at")
    ax.plot(bound["at"], bound["mean"], "o-", ms=2.5, color="#222222", label="bound / n·Δ_max")
    measured = data[data["panel"] == "measured"]
    for sampling, rows in measured.groupby("sampling"):
        rows = rows[rows["mean"] > 0].sort_values("at")
        label = f"regret / bound, {SAMPLINGS[sampling]}"
        ax.plot(rows["at"], rows["mean"], "s--", ms=2.5, label=label)
    ax.axhline(1, color=style.GREY, lw=0.7)
    ax.set_xlabel("Epochs")
    ax.legend(loc="lower left", bbox_to_anchor=(0, 1), fontsize=style.SMALL, borderaxespad=0)
    style.number_axis(ax.xaxis, log=True)
