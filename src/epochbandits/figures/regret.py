"""The regret of any experiment: the figures ``regret_<experiment>``."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from epochbandits.figures import lines, style
from epochbandits.figures.fig4_fig6_regret import draw_series, regret_curves
from epochbandits.figures.registry import Drawing, Inputs, Settings, spec_of
from epochbandits.io.schemas import REGRET_FIGURE

__all__ = ["DRAWING"]


def regret_table(inputs: Inputs, settings: Settings) -> pd.DataFrame:
    """Return the regret curves of all policies, with the name of what each of them sweeps."""
    table = regret_curves(inputs, settings)
    table.insert(2, "parameter", table["policy"].map(dict(settings.swept)).fillna(""))
    return table


def draw_regret_of_any(data: pd.DataFrame) -> Figure:
    """Draw the regret of all policies on linear and on semilogarithmic axes."""
    names = data.drop_duplicates("policy").set_index("policy")["parameter"]
    series = []
    for one in lines.make_series(data):
        number, parameter = style.number(one.value), names[one.policy]
        if parameter:
            whole = one.label.replace(f", {number}", f", {style.escaped(parameter)} = {number}", 1)
            one = one._replace(label=whole)
        series.append(one)
    return draw_series(series)


DRAWING = Drawing(spec_of(REGRET_FIGURE), regret_table, draw_regret_of_any)
