"""Sentences of the page with numbers: every number is computed from the run's plotted tables.

A sentence says what the table holds, whatever that is; it is left out where the table lacks the
rows that it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from epochbandits.claims.texts import amount, span
from epochbandits.claims.verdicts import NOT_ASSESSED, VERDICTS
from epochbandits.model.moments import SAMPLINGS

_RANGES = ["delta_low", "delta_high"]
REGRETS, FAILURES = "fig6a_baselines_4x4", "finding1_ucb_failure"
"""The figures behind the first screen."""


# --- the first screen -----------------------------------------------------------------------------


def outcome(claims: Sequence[Mapping[str, Any]], tables: Mapping[str, pd.DataFrame]) -> list[str]:
    """Return the results, one text each: verdicts, the paper's comparison, its condition."""
    failures = _ucb_failure(tables[FAILURES]) if FAILURES in tables else None
    return [
        text
        for text in (
            _verdicts(claims),
            _regrets(tables[REGRETS]) if REGRETS in tables else None,
            failures and f"{failures}. The paper gives no value for δ.",
        )
        if text
    ]


def _verdicts(claims: Sequence[Mapping[str, Any]]) -> str:
    counts = {v: sum(claim["verdict"] == v for claim in claims) for v in VERDICTS}
    judged = sum(count for v, count in counts.items() if v != NOT_ASSESSED)
    parts = [f"{count} are {v}" for v, count in counts.items() if count and v != NOT_ASSESSED]
    return f"Of {judged} claims that we judge in the paper’s setting, {_listed(parts)}."


def _regrets(data: pd.DataFrame) -> str | None:
    """Say which policy has the least regret at the end, and what the others have."""
    last = data[(data["line"] == "mean") & (data["epoch"] == data["epoch"].max())]
    ends = last.groupby("label")["expected_regret"].mean().sort_values()
    if len(ends) < 3:
        return None
    count = data.loc[data["line"] == "instance", "instance"].nunique()
    first, second = ends.index[:2]
    return (
        f"Fig. 6a: after {int(data['epoch'].max()):,} epochs {first} has a mean regret of "
        f"{amount(ends.iloc[0])} (units of reward, {count} instances), {second} "
        f"{amount(ends.iloc[1])}, and the other {len(ends) - 2} policies {amount(ends.iloc[2])} "
        f"to {amount(ends.iloc[-1])}."
    )


def _shares(data: pd.DataFrame) -> pd.DataFrame | None:
    """Return UCB's share of failed runs by δ and sampling, in the cells of the stickiest arm."""
    rows = data[data["panel"] == "failed"]
    rows = rows[rows["a_low"] == rows["a_low"].max()]
    table = rows.pivot(index=_RANGES, columns="sampling", values="mean")
    if len(table) < 2 or not set(SAMPLINGS) <= set(table.columns):
        return None
    return table.sort_index(ascending=False)


def lock_in_chart(data: pd.DataFrame) -> dict[str, Any] | None:
    """Return the first screen's chart: UCB's share of failed runs over δ, one series per sampling.

    Coordinates are those of a drawing 360 wide; its panel spans x 46 to 344 and y 34 to 184.
    """
    shares = _shares(data)
    if shares is None:
        return None
    rows = data[(data["panel"] == "failed")].set_index([*_RANGES, "a_low", "sampling"])
    sticky, step = data["a_low"].max(), 298 / len(shares)
    xs = [46 + step * (i + 0.5) for i in range(len(shares))]
    series = []
    for rank, sampling in enumerate(SAMPLINGS):
        points = []
        for x, place in zip(xs, shares.index, strict=True):
            cell = rows.loc[(*place, sticky, sampling)]
            points.append({
                "x": round(x + (rank - 0.5) * 14, 1),
                **{end: round(184 - 150 * float(cell[end]), 1) for end in ("mean", "low", "high")},
                "text": _percent(cell["mean"]),
            })  # fmt: skip
        series.append({"sampling": sampling, "points": points})
    cell = rows[rows.index.get_level_values("a_low") == sticky].iloc[0]
    return {
        "series": series,
        "ticks": [(round(x, 1), span(*place)) for x, place in zip(xs, shares.index, strict=True)],
        "stickiness": span(sticky, cell["a_high"]),
        "runs": f"{int(cell['count']):,}",
        "epochs": f"{int(cell['epoch']):,}",
    }


# --- findings -------------------------------------------------------------------------------------


def headline(name: str, data: pd.DataFrame) -> str | None:
    """Return the result that a finding's figure shows, in one sentence."""
    make = _HEADLINES.get(name)
    return make(data) if make else None


def _ucb_failure(data: pd.DataFrame) -> str | None:
    """Say how often UCB misses the best arm, by sampling, at the largest and the smallest δ."""
    shares = _shares(data)
    if shares is None:
        return None
    most, least = (
        {sampling: _percent(shares.loc[place, sampling]) for sampling in SAMPLINGS}
        for place in shares.index[[0, -1]]
    )
    return (
        f"If the other arms visit the good states with a probability δ of {span(*shares.index[0])},"
        f" UCB misses the best arm in {most['marginal']} of runs with the state redrawn and in "
        f"{most['trajectory']} on a path of the chain; if δ is {span(*shares.index[-1])}, in "
        f"{least['marginal']} and {least['trajectory']}"
    )


def _decay(data: pd.DataFrame) -> str | None:
    ratio = data[data["panel"] == "ratio"].set_index("value")["mean"].sort_index()
    if len(ratio) < 3:
        return None
    best = float(ratio.idxmin())
    return (
        f"EpochGreedy has {amount(ratio.iloc[0])} times EpochUCB’s regret with "
        f"{_divided(ratio.index[0])}, {amount(ratio[best])} times with {_divided(best)}, and "
        f"{amount(ratio.iloc[-1])} times with {_divided(ratio.index[-1])}"
    )


def _discount_classes(data: pd.DataFrame) -> str | None:
    gamma = data["gamma"].min()
    ratio = data[data["gamma"] == gamma].set_index("instances")["mean"]
    parts = []
    for verb, part in (("raises", ratio[ratio > 1]), ("lowers", ratio[ratio <= 1])):
        if len(part):
            ends = dict.fromkeys((amount(part.min()), amount(part.max())))
            parts.append(f"{verb} EpochUCB’s regret in {_listed(list(part.index))} "
                         f"({' to '.join(ends)} times that at γ = 1)")  # fmt: skip
    return f"Discounting by γ = {gamma:g} {' and '.join(parts)}" if parts else None


def _near_one(data: pd.DataFrame) -> str | None:
    rows = data[(data["algorithm"] == "epoch-ucb") & (data["variant"] == "paper")]
    ratio = rows.set_index("gamma")["mean"].sort_index()
    some = [gamma for gamma in (0.9, 0.95, 0.99) if gamma in ratio.index]
    if not some:
        return None
    first, *rest = (f"{amount(ratio[gamma])} times" for gamma in some)
    texts = [
        f"{size} at γ = {gamma:g}"
        for size, gamma in zip([f"{first} as large", *rest], some, strict=True)
    ]
    return f"Relative to γ = 1, EpochUCB’s printed bound is {_listed(texts)}"


def _scales(data: pd.DataFrame) -> str | None:
    rows = data[data["law"] == "uniform"].set_index("scale")
    if not len(rows):
        return None
    names = {"lambda2": "λ₂ of M(P)", "root": "the root of λ₂", "singular": "σ₂ of P"}
    distance = (rows["mean"] - rows["printed_mean"]).abs() + (
        rows["high"] - rows["printed_high"]
    ).abs()
    nearest, printed = rows.loc[distance.idxmin()], rows.iloc[0]
    other = rows.loc["lambda2"]
    return (
        f"For uniform rows the paper prints {printed['printed_mean']:.2f} and "
        f"{printed['printed_high']:.2f} (mean, 95th percentile); λ₂ has {other['mean']:.3f} and "
        f"{other['high']:.3f}, and {names[distance.idxmin()]} comes nearest with "
        f"{nearest['mean']:.3f} and {nearest['high']:.3f}"
    )


def _exploration(data: pd.DataFrame) -> str | None:
    x0 = data[data["panel"] == "x0"].pivot(index="x", columns="line", values="mean")
    bounds = data[data["panel"] == "theorem2"]
    bounds = bounds.pivot(index=["instance", "x"], columns="line", values="mean").dropna()
    if not len(x0) or not len(bounds):
        return None
    last = x0.iloc[-1]
    above = int((bounds["printed"] >= bounds["valid"]).sum())
    return (
        f"Theorem 2’s proof assumes {amount(last['printed'] / last['exact'])} times as many "
        f"explorations as there are (epoch {int(x0.index[-1]):,}); a bound with another proof "
        f"lies below the printed one at {above} of {len(bounds)} points"
    )


def _window(data: pd.DataFrame) -> str | None:
    kind = next(iter(data["instances"]), "")
    rows = data[data["instances"] == kind].set_index("label")["mean"]
    names = list(rows.index)
    if len(names) < 3 or "EpochUCB" not in rows.index:
        return None
    parts = [name for name in names if name not in ("EpochUCB", "UCB")]
    high = max(parts, key=lambda name: rows[name])
    low = min(parts, key=lambda name: rows[name])
    return (
        f"In {kind} EpochUCB’s mean regret is {amount(rows['EpochUCB'])}; with "
        f"its window changed it goes from {amount(rows[low])} ({low}) to {amount(rows[high])} "
        f"({high})"
    )


_HEADLINES: dict[str, Callable[[pd.DataFrame], str | None]] = {
    FAILURES: _ucb_failure,
    "finding2_decay": _decay,
    "finding3_discount_classes": _discount_classes,
    "finding4_bounds_near_one": _near_one,
    "finding5_eigenvalue_scale": _scales,
    "finding6_exploration": _exploration,
    "finding7_window": _window,
}


def _divided(factor: float) -> str:
    return "c*" if factor == 1 else f"c*/{factor:,.0f}"


def _listed(parts: Sequence[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)


def _percent(share: float) -> str:
    return f"{100 * share:.1f}".removesuffix(".0") + "%"
