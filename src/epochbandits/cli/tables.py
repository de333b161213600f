"""Plain-text tables of the results that the command line also prints as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from epochbandits.validation import printable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from epochbandits.comparison import Comparison

_GREEDY = {
    "regret_bound": "regret bound (corrected)",
    "regret_bound_paper": "regret bound (as printed)",
    "cprime": "c'",
    "nu": "nu",
    "c": "c",
    "c2": "c''",
    "d": "d",
}


def theory_table(result: dict[str, Any]) -> str:
    """Return the constants and bounds of `theory.summary`, one row for each arm."""
    best = result["best_arm"]
    columns = ["mu", "gap", "lam", "C", "rho", "L", "plays_bound"]
    rows = [
        [f"{arm}{' *' if arm == best else ''}", *(_text(result[key][arm]) for key in columns)]
        for arm in range(len(result["mu"]))
    ]
    n, greedy = result["epochs"], result["greedy"]
    pairs = [
        ("EpochUCB, regret bound", result["regret_bound"]),
        ("EpochUCB, gap-independent bound", result["regret_bound_gap_independent"]),
        ("kappa", result["kappa"]),
    ]
    if greedy is not None:
        pairs += [(f"EpochGreedy, {label}", greedy[key]) for key, label in _GREEDY.items()]
    head = (
        f"{printable(result['instance'])}: tau0 {result['tau0']}, zeta {result['zeta']}, "
        f"gamma {result['gamma']:g}, {n} epochs, variant {result['variant']}"
    )
    table = _aligned(
        [["arm", "mu", "gap", "lambda", "C", "rho", f"L({n})", f"E[T]({n}) <="], *rows]
    )
    values = _aligned([[label, _text(value)] for label, value in pairs])
    return f"{head}\n\n{table}\n(* best arm)\n\n{values}"


def check_table(result: dict[str, Any]) -> str:
    """Return the result of `Instance.report`, one row for each arm."""
    head = ["arm", "irreducible", "aperiodic", "M(P) irreducible", "lambda2(M)", "C", "mu", "gap"]
    keys = ["irreducible", "aperiodic", "reversiblization_irreducible", "lambda2", "C", "mu", "gap"]
    rows = [
        [
            str(arm["arm"]) + (" *" if arm["arm"] == result["best_arm"] else ""),
            *(_text(arm[key]) for key in keys),
        ]
        for arm in result["per_arm"]
    ]
    return (
        f"{printable(result['instance'])}: {result['arms']} arms, {result['states']} states; "
        f"Assumptions 1 and 2 hold\n\n{_aligned([head, *rows])}\n(* best arm)"
    )


def policy_table(policies: Sequence[dict[str, Any]]) -> str:
    """Return the policies with their schedules, parameters and defaults."""
    rows = [["policy", "schedule", "parameters and defaults"]]
    for policy in policies:
        parts = [
            f"{name} (required)" if default == "required" else f"{name}={_default(default)}"
            for name, default in policy["parameters"].items()
        ]
        rows.append([policy["policy"], policy["schedule"], ", ".join(parts) or "none"])
    widths = [max(len(row[i]) for row in rows) for i in range(2)]
    lines = [f"{a:<{widths[0]}}  {b:<{widths[1]}}  {c}" for a, b, c in rows]
    return "\n".join([*lines, "", "automatic: computed from the instance or the horizon"])


def run_summary(
    policy: str, instance: str, columns: dict[str, NDArray[Any]], counted: str = "epoch"
) -> str:
    """Return the result of a simulation: the final regret of its runs, with an interval.

    ``counted`` is what the horizon counts: epochs or iterations.
    """
    from epochbandits.stats import t_interval

    last = columns["epoch"] == columns["epoch"].max()
    seeds, epochs = int(last.sum()), int(columns["epoch"].max())
    lines = [
        f"{printable(policy)} on {printable(instance)}: {_counted(seeds, 'seed')}, "
        f"{_counted(epochs, counted)}"
    ]
    for name, label in (("expected_regret", "expected"), ("regret", "realised")):
        mean, low, high = t_interval(columns[name][last])
        interval = " (no interval: it needs two seeds)"
        if low <= high:
            interval = f", 95% interval {_ends(low, high)} over seeds"
        lines.append(f"final {label} regret {mean:.6g}{interval}")
    return "\n".join(lines)


def ranking_table(comparison: Comparison) -> str:
    """Return the ranking of a comparison, and what its intervals are."""
    rows = [["rank", "policy", "regret", "95% interval", "behind the first", "95% interval", ""]]
    for row in comparison.ranking.itertuples():
        behind = (
            ["", ""]
            if row.rank == 1
            else [_text(row.behind), _ends(row.behind_low, row.behind_high)]
        )
        note = "not clearly behind" if row.tied else ""
        rows.append(
            [
                str(row.rank),
                printable(row.policy),
                _text(row.regret),
                _ends(row.low, row.high),
                *behind,
                note,
            ]
        )
    units, pairs = len(comparison.finals), len(comparison.table)
    text = "no intervals: they need two seeds or instances"
    if units > 1:
        text = (
            f"Student's intervals over {units} {comparison.unit}; differences are paired, and "
            f"corrected for {_counted(pairs, 'comparison')}"
        )
    return f"final expected regret\n\n{_aligned(rows)}\n\n{text}"


def _default(value: Any) -> str:
    return "automatic" if value is None else json.dumps(value)


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _ends(low: float, high: float) -> str:
    return f"[{low:.6g}, {high:.6g}]" if low <= high else "-"


def _text(value: float | bool | None) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}"


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return the rows with the first column left-aligned and the others right-aligned."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
