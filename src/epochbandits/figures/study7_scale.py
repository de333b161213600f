"""Study 7: from 4 to 64 arms and states: regret, and what the bound says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from epochbandits.figures import style
from epochbandits.figures.marks import sampling_look
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.study_marks import sampling_handles
from epochbandits.figures.study_tables import cell_means, units
from epochbandits.figures.tables import interval_columns
from epochbandits.model.setting import Setting
from epochbandits.pipeline import instance_sets
from epochbandits.stats import t_interval
from epochbandits.theory.useful_horizon import first_useful_horizon

BOUND = "bound"
COLUMNS = ["panel", "policy", "label", "arms", "states", "sampling", "mean", "low", "high",
           "per_epoch", "count"]  # fmt: skip


def scale(inputs: Inputs, settings: Settings) -> pd.DataFrame:
    """Return the regret by number of arms and states, and from which n the bound is useful.

    ``panel`` "regret": mean r (`study_comparisons`), with ``per_epoch`` that of the regret per
    epoch. ``panel`` "bound": log10 of the n from which Corollary 1's bound is below n·Δ_max.
    """
    table = units(inputs, settings)
    size = {name: (block["arms"], block["states"]) for name, block in settings.sets.items()}
    table["arms"] = [size[name][0] for name in table["instances"]]
    table["states"] = [size[name][1] for name in table["instances"]]
    by = ["policy", "arms", "states", "sampling"]
    result = cell_means(table, by).assign(panel="regret")
    result["per_epoch"] = cell_means(table, by, "r_epoch")["mean"]
    rows: list[dict[str, Any]] = []
    for name, members in instance_sets.read_sets(inputs.instances).items():
        useful = [np.log10(first_useful_horizon(each, Setting(), "epoch-ucb", "worst", "paper"))
                  for each in members]  # fmt: skip
        arms, states = size[name]
        rows.append({"panel": BOUND, "policy": "epoch-ucb", "arms": arms, "states": states,
                     "sampling": "", **interval_columns(t_interval(useful)),
                     "count": len(members)})  # fmt: skip
    result = pd.concat([result, pd.DataFrame(rows)], ignore_index=True)
    result["label"] = result["policy"].map(settings.labels)
    return result.reindex(columns=COLUMNS)


@figure("Section 5, more arms and states", kind="experiments", table=scale, sources=None,
        unit="regret of random arms; log10 of epochs", instances=True, at=300_000)  # fmt: skip
def study7_scale(data: pd.DataFrame) -> Figure:
    """Draw regret against the size for each policy, and the n from which the bound is useful."""
    regret = data[data["panel"] == "regret"]
    policies = list(dict.fromkeys(regret["policy"]))
    canvas = style.canvas(style.PAGE, 2.5)
    axes = canvas.subplots(1, len(policies) + 1, sharex=False)
    for ax, policy in zip(axes[:-1], policies, strict=True):
        for sampling in dict.fromkeys(regret["sampling"]):
            rows = regret[(regret["policy"] == policy) & (regret["sampling"] == sampling)]
            look = sampling_look(sampling)
            for chosen, line in _cuts(rows):
                ax.plot(line[chosen], line["mean"], lw=1.2, ms=3.2,
                        ls="-" if chosen == "arms" else ":", **look)  # fmt: skip
        _axis(ax, str(regret.loc[regret["policy"] == policy, "label"].iloc[0]))
        ax.set_ylim(0, max(1.0, float(regret["mean"].max())))
    axes[0].set_ylabel("Regret / random arms")
    bound = data[data["panel"] == BOUND]
    for chosen, line in _cuts(bound):
        axes[-1].plot(line[chosen], line["mean"], "o", ms=3.2, lw=1.2, color=style.GREY,
                      ls="-" if chosen == "arms" else ":")  # fmt: skip
    _axis(axes[-1], "bound useful from")
    axes[-1].set_ylabel("log10 n")
    canvas.supxlabel("Arms = states (solid); states with 4 arms (dotted)", fontsize=8.5)
    canvas.legend(handles=sampling_handles(), loc="outside upper left", ncols=2)
    return canvas


def _cuts(rows: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    """Return the sizes with as many arms as states, and those with four arms."""
    square = rows[rows["arms"] == rows["states"]].sort_values("arms")
    few = rows[rows["arms"] == 4].sort_values("states")
    return [("arms", square), ("states", few)]


def _axis(ax: Any, title: str) -> None:
    ax.set_xscale("log", base=2)
    ax.set_xticks([4, 8, 16, 32, 64], ["4", "8", "16", "32", "64"])
    ax.minorticks_off()
    ax.set_title(style.escaped(title), fontsize=style.SMALL)
