"""Fig. 3: the gap-dependent regret bounds over the horizon, on logarithmic axes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from epochbandits.figures import lines, style
from epochbandits.figures.lines import Series
from epochbandits.figures.regret import NEAR_ONE, discount_looks
from epochbandits.figures.style import Look

__all__ = ["fig3a_bounds", "fig3b_ucb_bound_discount", "fig3c_greedy_bound_discount"]

LABELS = {"epoch-ucb": "EpochUCB", "epoch-greedy": "EpochGreedy"}
TRIVIAL = "n·Δ_max"
TRIVIAL_LOOK = Look("0.35", (0, (1, 1.5)))
FORM = {"epoch-ucb": "", "epoch-greedy": "corrected"}
"""The form of each bound that is drawn; the printed one of EpochGreedy is drawn beside it."""


def fig3a_bounds(data: pd.DataFrame) -> Figure:
    """Draw the bounds of both algorithms, with the printed L and with the tight one."""
    figure = style.canvas(style.PAGE, 3.0)
    ax = figure.subplots()
    trivial = _pick(data, "trivial", "paper", "", 1.0)
    entries = [(trivial, TRIVIAL_LOOK)]
    for algorithm, own in zip(LABELS, style.looks(list(LABELS)), strict=True):
        for variant in ("paper", "tight"):
            one = _pick(data, algorithm, variant, FORM[algorithm], 1.0)
            entries.append((one, own))
    _draw(ax, entries)
    lines.explain(figure, trivial.mean, trivial.instances["instance"].nunique())
    lines.end_labels(ax, [(s.label, _end(s), look) for s, look in entries])
    return figure


def fig3b_ucb_bound_discount(data: pd.DataFrame) -> Figure:
    """Draw EpochUCB's bound for several discounts."""
    return _discounts(data, "epoch-ucb")


def fig3c_greedy_bound_discount(data: pd.DataFrame) -> Figure:
    """Draw EpochGreedy's bound for several discounts."""
    return _discounts(data, "epoch-greedy")


def _discounts(data: pd.DataFrame, algorithm: str) -> Figure:
    gammas = sorted(data["gamma"].unique(), reverse=True)
    looks = dict(zip(gammas, discount_looks(gammas), strict=True))
    far = [g for g in gammas if g == 1 or g <= NEAR_ONE]
    near = [g for g in gammas if g > NEAR_ONE] if set(gammas) - set(far) else []
    groups = [g for g in (far, near) if g]
    figure = style.canvas(style.PAGE, 2.8)
    row = np.atleast_1d(figure.subplots(1, len(groups), sharey=True))
    trivial = _pick(data, "trivial", "paper", "", gammas[0])
    shown = []
    for ax, group in zip(row, groups, strict=True):
        entries = [(_pick(data, algorithm, "paper", FORM[algorithm], g), looks[g]) for g in group]
        _draw(ax, [(trivial, TRIVIAL_LOOK), *entries])
        shown.append([("n·Δ_max", _end(trivial), TRIVIAL_LOOK)])
        shown[-1] += [(f"γ = {s.gamma:g}", _end(s), look) for s, look in entries]
        if ax is not row[0]:
            ax.set_ylabel("")
    row[0].set_title(LABELS[algorithm])
    lines.explain(figure, trivial.mean, trivial.instances["instance"].nunique())
    for ax, here in zip(row, shown, strict=True):
        lines.end_labels(ax, here)
    return figure


def _pick(data: pd.DataFrame, algorithm: str, variant: str, form: str, gamma: float) -> Series:
    """Return one bound as a series."""
    own = data[
        (data["algorithm"] == algorithm)
        & (data["variant"] == variant)
        & (data["form"] == form)
        & (data["gamma"] == gamma)
    ]
    label = LABELS.get(algorithm, TRIVIAL)
    mean, single = own[own["line"] == "mean"], own[own["line"] == "instance"]
    return Series(label, algorithm, gamma, np.nan, mean, single)


def _draw(ax: Axes, entries: Sequence[tuple[Series, Look]]) -> None:
    ax.set_xscale("log")
    ax.set_yscale("log")
    floor = min(float(s.instances["bound"].min()) for s, _ in entries)
    for one, look in entries:
        lines.curve(ax, one, look, y="bound", floor=floor)
    epochs = entries[0][0].mean["epoch"]
    ax.set_xlim(epochs.min(), epochs.max())
    style.counts(ax.xaxis, log=True)
    style.counts(ax.yaxis, log=True)
    ax.set_xlabel("Epochs n")
    ax.set_ylabel("Regret bound (reward)")


def _end(one: Series) -> float:
    return float(one.mean["bound"].iloc[-1])
