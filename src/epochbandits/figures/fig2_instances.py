"""Fig. 2: a sample instance, its stationary distributions and mean rewards by state."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import seaborn as sns
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from epochbandits.figures import style
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.pipeline import instance_sets

DARK = 0.6
"""Cells above this value have white numbers; on a paler blue, black has more contrast."""
READABLE = 10
"""Up to this many states, cells show their values."""


def arms(inputs: Inputs, _: Settings) -> pd.DataFrame:
    """Return stationary probability and mean reward by arm and state of the first instance."""
    instance = instance_sets.read(Path(inputs.instances[0]))[0]
    return pd.DataFrame(
        {
            "instance": instance.name,
            "arm": arm,
            "state": state,
            "stationary": instance.pi[arm, state],
            "mean_reward": instance.reward_means[arm, state],
            "law": instance.rewards[arm][state].name,
            "best": arm == instance.best_arm,
        }
        for arm in range(instance.arms)
        for state in range(instance.states)
    )


@figure("Fig. 2a", kind="instances", table=arms)
def fig2a_stationary(data: pd.DataFrame) -> Figure:
    """Draw the stationary probability of each state under each arm."""
    return _cells(data, "stationary", "Stationary probability")


@figure("Fig. 2b", kind="instances", table=arms)
def fig2b_mean_rewards(data: pd.DataFrame) -> Figure:
    """Draw the mean reward of each state under each arm."""
    return _cells(data, "mean_reward", "Mean reward")


def _cells(data: pd.DataFrame, value: str, label: str) -> Figure:
    """Draw arms as rows and states as columns, darker for more, with the optimal arm framed."""
    table = data.pivot(index="arm", columns="state", values=value)
    count, states = table.shape
    canvas = style.canvas(style.COLUMN, 0.85 + 0.34 * count)
    ax = canvas.subplots()
    sns.heatmap(
        table,
        vmin=0,
        vmax=1,
        cmap=sns.color_palette("Blues", as_cmap=True),
        annot=states <= READABLE,
        fmt=".2f",
        annot_kws={"fontsize": style.SMALL + 0.5},
        linewidths=1,
        linecolor="white",
        cbar_kws={"label": label, "ticks": [0, 0.5, 1], "pad": 0.03},
        ax=ax,
    )
    for text in ax.texts:
        text.set_color("white" if float(text.get_text()) > DARK else "black")
    best = sorted(set(data.loc[data["best"].astype(bool), "arm"]))
    for arm in best:
        row = table.index.get_loc(arm)
        frame = Rectangle((0, row), states, 1, fill=False, ec="black", lw=1.4, clip_on=False)
        ax.add_patch(frame).set_zorder(3)
    names = [f"arm {arm + 1}" + (" (best)" if arm in best else "") for arm in table.index]
    ax.set_yticklabels(names, rotation=0)
    ax.set_xticklabels([f"$\\theta_{{{state + 1}}}$" for state in table.columns], fontsize=8.5)
    ax.tick_params(length=0)
    ax.set(xlabel="State", ylabel="")
    return canvas
