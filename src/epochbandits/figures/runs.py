"""Pictures of runs that no configuration describes: ``epochbandits plot`` and `Comparison.plot`."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from epochbandits.figures import style
from epochbandits.figures.fig4_fig5_fig6_regret import draw_comparison
from epochbandits.figures.render import save
from epochbandits.figures.tables import in_policy_order, with_mean
from epochbandits.io import files
from epochbandits.pipeline.layout import FORMATS

MARK = "drawn by epochbandits from simulated runs"
"""Title of the pictures, by which a later command recognises them."""


def draw_runs(runs: pd.DataFrame, unit: str) -> Figure:
    """Draw the expected regret of policies: the mean over units, its interval, and each unit.

    Parameters
    ----------
    runs : pd.DataFrame
        The columns ``policy``, ``unit``, ``epoch`` and ``expected_regret``.
    unit : str
        What the units are, in the plural: seeds or instances.
    """
    table = runs.groupby(["policy", "unit", "epoch"], sort=False)["expected_regret"].mean()
    table = table.reset_index().rename(columns={"unit": "instance"})
    table = table.assign(instances="", sampling="", gamma=1.0, value=float("nan"))
    by = ["policy", "instances", "sampling", "gamma", "value", "epoch"]
    data = with_mean(table, by, ["expected_regret"])
    data.insert(1, "label", data["policy"])
    with style.applied():
        drawn = draw_comparison(in_policy_order(data, runs["policy"].unique().tolist()), unit)
        style.fix_layout(drawn)
    return drawn


def save_picture(drawn: Figure, path: str) -> None:
    """Write a picture in the format of the path's ending, one of `layout.FORMATS`."""
    end = Path(path).suffix[1:]
    assert end in FORMATS
    with files.replacing(path) as temporary:
        save(drawn, temporary, end, MARK)
