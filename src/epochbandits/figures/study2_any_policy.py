"""Study 2: any policy in epochs, against itself with a decision at each iteration."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from epochbandits.figures import style
from epochbandits.figures.marks import sampling_look
from epochbandits.figures.registry import Inputs, Settings, figure
from epochbandits.figures.study_marks import contrasts, sampling_handles
from epochbandits.figures.study_tables import ALL, SAMPLINGS, add_holm, add_interval, units
from epochbandits.pipeline.study_comparisons import compare, ranking

EPOCHS = "-epochs"
"""Suffix of policies that decide once per epoch."""
ACCOUNTS = {"iteration": "r", "epoch": "r_epoch"}
COLUMNS = ["panel", "policy", "label", "account", "class", "sampling", "mean", "low", "high", "p",
           "p_holm", "worst", "where", "behind", "behind_low", "behind_high", "rank",
           "count"]  # fmt: skip


def any_policy(inputs: Inputs, settings: Settings) -> pd.DataFrame:
    """Return paired differences of each policy in epochs to itself, and rankings of all.

    ``panel`` "paired": r of the policy in epochs minus r with a decision at each iteration
    (`study_comparisons`), by sampling, for each class and over all; ``account`` is the regret that
    is counted. ``p_holm`` of the differences over all classes is corrected for their number.
    ``panel`` "ranking": all policies by r over all classes, under both samplings and by sampling
    ("all"), with the difference ``behind`` the best.
    """
    table = units(inputs, settings)
    pairs = [name for name in settings.policies if name + EPOCHS in settings.policies]
    rows: list[dict[str, Any]] = []
    for account, value in ACCOUNTS.items():
        data = table.assign(r=table[value])
        parts = {name: data[data["policy"] == name] for name in settings.policies}
        for name in pairs:
            rows += _paired(parts[name + EPOCHS], parts[name],
                            {"policy": name, "label": settings.labels[name],
                             "account": account})  # fmt: skip
        for sampling in (ALL, *dict.fromkeys(data["sampling"])):
            rows += _ranked(parts, sampling, account, settings)
    overall = [row for row in rows if row["panel"] == "paired" and row["class"] == ALL]
    add_holm(overall)
    result = pd.DataFrame(rows).reindex(columns=COLUMNS)
    result["where"] = result["where"].fillna("")
    result["rank"] = result["rank"].fillna(0).astype(int)
    return result


def _paired(a: pd.DataFrame, b: pd.DataFrame, head: dict[str, Any]) -> list[dict[str, Any]]:
    rows = []
    for sampling in dict.fromkeys(a["sampling"]):
        mine, other = (side[side["sampling"] == sampling] for side in (a, b))
        for name in (ALL, *dict.fromkeys(mine["class"])):
            here = mine if name == ALL else mine[mine["class"] == name]
            more = {"panel": "paired", "class": name, "sampling": sampling, "count": len(here)}
            rows.append(add_interval({**head, **more}, compare(here, other)))
    return rows


def _ranked(
    parts: dict[str, pd.DataFrame], sampling: str, account: str, settings: Settings
) -> list[dict[str, Any]]:
    chosen = {
        name: part if sampling == ALL else part[part["sampling"] == sampling]
        for name, part in parts.items()
    }
    table = ranking(chosen)
    table["p_holm"] = table.pop("p")
    head = {"panel": "ranking", "account": account, "class": ALL, "sampling": sampling}
    return [
        {**head, "policy": row["name"], "label": settings.labels[row["name"]], "rank": place + 1,
         "count": len(chosen[row["name"]]),
         **row.drop("name").to_dict()}
        for place, (_, row) in enumerate(table.iterrows())
    ]  # fmt: skip


@figure("Section 6, 'other algorithms'", kind="experiments", table=any_policy,
        unit="regret of random arms", instances=True, at=340_000)  # fmt: skip
def study2_any_policy(data: pd.DataFrame) -> Figure:
    """Draw what epochs change for each policy, and the ranking of all."""
    paired = data[(data["panel"] == "paired") & (data["class"] == ALL)]
    ranked = data[(data["panel"] == "ranking") & (data["account"] == "iteration")]
    names = ranked.loc[ranked["sampling"] == ALL].sort_values("rank")
    canvas = style.canvas(style.PAGE, 0.9 + 0.17 * len(names))
    left, middle, right = canvas.subplots(1, 3, width_ratios=(1, 1, 1.2))
    for ax, account in ((left, "iteration"), (middle, "epoch")):
        contrasts(ax, paired[paired["account"] == account], "label")
        ax.set_title(f"in epochs − each iteration,\nregret per {account}", fontsize=style.SMALL)
    left.set_yticklabels([])
    for sampling in SAMPLINGS:
        rows = ranked[ranked["sampling"] == sampling].set_index("policy").loc[names["policy"]]
        look = {"ls": "none", "ms": 3.5, **sampling_look(sampling)}
        right.plot(rows["mean"], range(len(rows)), **look)
        right.plot(rows["worst"], range(len(rows)), mfc="white", **look)
    right.set_yticks(range(len(names)), [style.escaped(name) for name in names["label"]])
    right.set_ylim(len(names) - 0.5, -0.5)
    right.yaxis.tick_right()
    right.tick_params(axis="y", length=0)
    right.grid(axis="y", lw=0.3, color="0.9")
    right.set_title("regret / random arms: mean (filled)\nand worst class", fontsize=style.SMALL)
    canvas.legend(handles=sampling_handles(), loc="outside lower left", ncols=2)
    return canvas
