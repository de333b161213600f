"""Study 3: when UCB and its relatives for changing arms fail: δ × stickiness × gap × sampling."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from epochbandits.figures import style
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.study_marks import heat
from epochbandits.figures.study_tables import SAMPLINGS
from epochbandits.figures.tables import interval_columns, read
from epochbandits.io.schemas import FINALS
from epochbandits.model.generators import CLASSES
from epochbandits.model.lock_in import locked_probability
from epochbandits.pipeline import instance_sets
from epochbandits.stats import wilson_interval

EXAMPLE = -1.0
"""Stands for the stickiness of Example 1, whose optimal arm leaves the bad state at once."""
PREDICTED = "predicted"
GAPS = ("small", "medium", "large")
COLUMNS = ["policy", "label", "sampling", "gap", "gap_low", "gap_high", "delta_low", "delta_high",
           "a_low", "a_high", "epsilon", "epoch", "mean", "low", "high", "predicted", "r",
           "count"]  # fmt: skip


def ucb_map(inputs: Inputs, settings: Settings) -> pd.DataFrame:
    """Return the share of runs that miss the best arm, by policy, sampling and cell of the map.

    A run misses it if the mean gap of its later plays exceeds ``late``·Δ_min. ``predicted`` is the
    mean of `model.lock_in.locked_probability` over the runs' instances, for UCB. Of Example 1,
    each ε is a row with its own share over seeds; ``a_low`` is `EXAMPLE`. ``r`` is the mean regret
    over that of random arms.
    """
    made = instance_sets.read_sets(inputs.instances)
    rows: list[dict[str, Any]] = []
    for path in inputs.finals:
        finals = read(path, FINALS)
        finals = finals[finals["policy"].isin(settings.policies)]
        for (name, policy, sampling), runs in finals.groupby(["instances", "policy", "sampling"],
                                                             sort=False):  # fmt: skip
            block = settings.sets[name]
            instances = made[name]
            whole = block["class"] != "failure"
            for index, part in [(None, runs)] if whole else runs.groupby("instance"):
                head = _place(block) if index is None else _example(block["epsilon"][index])
                failed = part["late_gap"] > settings.late
                share = wilson_interval(int(failed.sum()), len(part))
                gap = np.array([float(instances[i].gap.mean()) for i in part["instance"]])
                guess = [
                    locked_probability(instances[i], float(t), sampling)
                    for i, t in zip(part["instance"], part["iteration"], strict=True)
                ] if policy == "ucb" else [np.nan]  # fmt: skip
                # The runs of one instance all have the same prediction.
                guess = guess if whole else guess[:1]
                rows.append({
                    **head, "policy": policy, "label": settings.labels[policy],
                    "sampling": sampling, "epoch": int(part["epoch"].max()),
                    **interval_columns(share),
                    "predicted": float(np.mean(guess)), "count": len(part),
                    "r": float((part["iteration_regret"] / part["iteration"] / gap).mean()),
                })  # fmt: skip
    return pd.DataFrame(rows).reindex(columns=COLUMNS)


def _place(block: Mapping[str, Any]) -> dict[str, Any]:
    """Return the cell of a set of instances: ranges of δ, a* and the others' mean rewards."""
    default, knobs = CLASSES[block["class"]], block["knobs"]
    low, high = knobs.get("mean_others", default.mean_others)
    gap = "small" if low > 0.5 else "medium" if low > 0.3 else "large"
    return {
        "gap": gap, "gap_low": low, "gap_high": high,
        **dict(zip(("delta_low", "delta_high"), knobs["delta"], strict=True)),
        **dict(zip(("a_low", "a_high"), knobs["stick_optimal"], strict=True)),
    }  # fmt: skip


def _example(epsilon: float) -> dict[str, Any]:
    return {"gap": "large", "epsilon": epsilon, "delta_low": epsilon, "delta_high": epsilon,
            "a_low": EXAMPLE, "a_high": EXAMPLE}  # fmt: skip


@figure("Example 1, Fig. 6", kind="experiments", table=ucb_map, sources=None, unit="1",
        instances=True)  # fmt: skip
def study3_ucb_map(data: pd.DataFrame) -> Figure:
    """Draw the map of each policy, a column for each gap and sampling, and UCB's prediction."""
    policies = list(dict.fromkeys(data["policy"]))
    labels = dict(zip(data["policy"], data["label"], strict=True))
    guess = data[data["policy"] == "ucb"].assign(mean=lambda d: d["predicted"], policy=PREDICTED)
    everything = pd.concat([guess, data]) if len(guess) else data
    maps = [PREDICTED, *policies] if len(guess) else policies
    order = sorted(maps, key=lambda name: (name != "ucb", name != PREDICTED))
    columns = [(sampling, gap) for sampling in SAMPLINGS for gap in GAPS]
    canvas = style.canvas(style.PAGE, 0.7 + 0.85 * len(order))
    axes = np.atleast_2d(canvas.subplots(len(order), len(columns)))
    deltas = sorted(data.loc[data["a_low"] != EXAMPLE, "delta_low"].unique(), reverse=True)
    for row, name in zip(axes, order, strict=True):
        for ax, (sampling, gap) in zip(row, columns, strict=True):
            here = everything[(everything["policy"] == name) & (everything["gap"] == gap)
                              & (everything["sampling"] == sampling)]  # fmt: skip
            if here.empty:
                ax.set_axis_off()
                continue
            # Example 1 is in the row whose range of δ contains its ε.
            rows = [max((d for d in deltas if d <= low), default=deltas[-1])
                    for low in here["delta_low"]]  # fmt: skip
            table = here.assign(row=rows).pivot_table(index="row", columns="a_low", values="mean")
            table = table.reindex(index=deltas)
            heat(ax, table, numbers=False)
            if gap == "medium":
                _mark(ax, table)
            ax.set_xticks([])
            ax.set_yticks([])
            if name == order[-1]:
                names = ["Ex. 1" if a == EXAMPLE else f"{a:g}".removeprefix("0")
                         for a in table.columns]  # fmt: skip
                ax.set_xticks(range(len(names)), names, rotation=60)
                ax.set_xlabel("a* from")
            if name == order[0]:
                ax.set_title(f"{gap} gap\n{SAMPLINGS[sampling]}", fontsize=style.SMALL)
        row[0].set_yticks(range(len(deltas)), [f"{d:g}".removeprefix("0") for d in deltas])
        row[0].set_ylabel(labels.get(name, "UCB, predicted"), fontsize=style.SMALL)
    return canvas


def _mark(ax: Any, table: pd.DataFrame) -> None:
    """Frame the cell of the paper's class."""
    default = CLASSES["anticorrelated"]
    at = (default.delta[0], default.stick_optimal[0])
    if at[0] in table.index and at[1] in table.columns:
        x, y = list(table.columns).index(at[1]), list(table.index).index(at[0])
        ax.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, fill=False, ec="#d55e00", lw=1.4))
