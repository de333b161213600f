"""Tables for people, as plain text, of what the command line prints as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["check_table", "theory_table"]


def theory_table(result: dict[str, Any]) -> str:
    """Return the constants and bounds of `theory.summary`, an arm to the row."""
    best = result["best_arm"]
    columns = ["mu", "gap", "lam", "C", "rho", "L", "plays_bound"]
    rows = [
        [f"{arm}{' *' if arm == best else ''}", *(_shown(result[key][arm]) for key in columns)]
        for arm in range(len(result["mu"]))
    ]
    n, pairs = (
        result["epochs"],
        [
            ("EpochUCB, regret bound", result["regret_bound"]),
            ("EpochUCB, gap-independent bound", result["regret_bound_gap_independent"]),
            ("kappa", result["kappa"]),
        ],
    )
    if result["greedy"] is not None:
        g = result["greedy"]
        pairs += [
            ("EpochGreedy, regret bound (corrected)", g["regret_bound"]),
            ("EpochGreedy, regret bound (as printed)", g["regret_bound_paper"]),
            *((f"EpochGreedy, {label}", g[key]) for label, key in _GREEDY),
        ]
    head = (
        f"{result['instance']}: tau0 {result['tau0']}, zeta {result['zeta']}, "
        f"gamma {result['gamma']:g}, {n} epochs, variant {result['variant']}"
    )
    table = _aligned(
        [["arm", "mu", "gap", "lambda", "C", "rho", f"L({n})", f"E[T]({n}) <="], *rows]
    )
    values = _aligned([[label, _shown(value)] for label, value in pairs])
    return f"{head}\n\n{table}\n(* best arm)\n\n{values}"


_GREEDY = (("c'", "cprime"), ("nu", "nu"), ("c", "c"), ("c''", "c2"), ("d", "d"))


def check_table(result: dict[str, Any]) -> str:
    """Return what `Instance.report` found, an arm to the row."""
    head = ["arm", "irreducible", "aperiodic", "M(P) irreducible", "lambda2(M)", "C", "mu", "gap"]
    keys = ["irreducible", "aperiodic", "reversiblization_irreducible", "lambda2", "C", "mu", "gap"]
    rows = [
        [
            str(arm["arm"]) + (" *" if arm["arm"] == result["best_arm"] else ""),
            *(_shown(arm[key]) for key in keys),
        ]
        for arm in result["per_arm"]
    ]
    return (
        f"{result['instance']}: {result['arms']} arms, {result['states']} states; "
        f"Assumptions 1 and 2 hold\n\n{_aligned([head, *rows])}\n(* best arm)"
    )


def _shown(value: float | bool | None) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.6g}"


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    """Return rows with their first column to the left and the others to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if i == 0 else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
