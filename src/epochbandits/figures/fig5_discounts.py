"""Fig. 5: regret over discounts."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from epochbandits.figures import lines
from epochbandits.figures.discount_panels import discount_panels
from epochbandits.figures.fig4_fig6_regret import AXIS, Y, draw_regret, regret_curves
from epochbandits.figures.registry import figure


@figure("Fig. 5a", kind="experiments", table=regret_curves)
def fig5a_ucb_discount(data: pd.DataFrame) -> Figure:
    """Draw EpochUCB's regret for several discounts, and its end against the discount."""
    return discount_panels(lines.make_series(data), Y, AXIS, draw_regret)


@figure("Fig. 5b", kind="experiments", table=regret_curves)
def fig5b_greedy_discount(data: pd.DataFrame) -> Figure:
    """Draw EpochGreedy's regret for several discounts, with a tuned and with the theory's c."""
    return discount_panels(lines.make_series(data), Y, AXIS, draw_regret)
