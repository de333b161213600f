"""Section 5.1: what the classes of instances have in common, and how they differ."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from epochbandits.figures import narrow, style
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.style import GREY
from epochbandits.model.instance import Instance
from epochbandits.model.setting import Setting
from epochbandits.model.structure import correlation, good_states, holding_time
from epochbandits.pipeline import instance_sets
from epochbandits.theory.penalty import penalty_bound

PLAYS = 100
"""Plays of each arm at which the bonuses L are compared."""
NUMBERS = {
    "correlation": "correlation\nof π* with π",
    "visits": "others'\nmass on S*",
    "holding": "holding time\nof S* (median)",
    "lam_best": "λ of the\nbest arm",
    "lam_others": "λ of the\nothers",
    "largest": "largest L is\nthe best arm's",
}


def classes(inputs: Inputs, settings: Settings) -> pd.DataFrame:
    """Return the structure of each instance of each set; ``instances`` is the class's name."""
    rows = []
    for folder, (name, block) in zip(inputs.instances, settings.sources.items(), strict=True):
        for index, instance in enumerate(instance_sets.read(Path(folder))):
            head = {"instance": index, "instances": block.get("class") or name}
            rows.append({**head, **_structure(instance)})
    return pd.DataFrame(rows)


def _structure(instance: Instance) -> dict[str, Any]:
    best = instance.best_arm
    others = [arm for arm in range(instance.arms) if arm != best]
    lam = np.array([arm.lam for arm in instance.mixing])
    bonus = penalty_bound(PLAYS, instance.mixing, Setting())
    return {
        "correlation": correlation(instance),
        "visits": float(instance.pi[others][:, good_states(instance)].sum(axis=1).mean()),
        "holding": holding_time(instance),
        "lam_best": float(lam[best]),
        "lam_others": float(lam[others].mean()),
        "largest": float(np.argmax(bonus) == best),
    }


@figure("Section 5.1", kind="instances", table=classes, sources=None, unit="1")
def tab2_classes(data: pd.DataFrame) -> Figure:
    """Draw each instance's correlation and holding time by class, beside a table of the means."""
    names = list(dict.fromkeys(data["instances"]))
    canvas = style.canvas(style.PAGE, 0.8 + 0.24 * len(names))
    left, table = canvas.subplots(1, 2, sharey=True, width_ratios=(1, 2.5))
    for row, name in enumerate(names):
        values = data.loc[data["instances"] == name, "correlation"]
        left.plot(values, np.full(len(values), row), "|", color=GREY, ms=7, mew=0.6, alpha=0.8)
        left.plot(values.mean(), row, "o", color="black", ms=4)
    left.axvline(0, color="0.8", lw=0.6, zorder=0)
    left.set_xlim(-1.03, 1.03)
    left.set_xticks([-1, -0.5, 0, 0.5, 1], ["−1", "−.5", "0", ".5", "1"])
    left.set_xlabel("Correlation of π* with the others")
    left.set_yticks(range(len(names)), names)
    left.set_ylim(len(names) - 0.5, -0.5)
    left.tick_params(axis="y", length=0)
    _numbers(table, data, names)
    return canvas


def _numbers(ax: Axes, data: pd.DataFrame, names: list[str]) -> None:
    """Print the classes' means, and the median of the holding time, in their rows."""
    style.print_only(ax)
    ax.set_xlim(0, 1)
    font: dict[str, Any] = {"ha": "center", "fontsize": style.SMALL}
    places = (np.arange(len(NUMBERS)) + 0.5) / len(NUMBERS)
    for x, (column, title) in zip(places, NUMBERS.items(), strict=True):
        turned = 90 if narrow.is_applied() else 0
        ax.text(x, 1.03, title, va="bottom", transform=ax.get_xaxis_transform(), rotation=turned,
                **font)  # fmt: skip
        for row, name in enumerate(names):
            values = data.loc[data["instances"] == name, column]
            number = values.median() if column == "holding" else values.mean()
            text = style.number(round(number)) if column == "holding" else f"{number:.2f}"
            ax.text(x, row, text.replace("-", "−"), va="center", **font)
