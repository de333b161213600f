"""Plain-text tables of the results that the command line also prints as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

__all__ = ["check_table", "theory_table"]

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
        f"{result['instance']}: tau0 {result['tau0']}, zeta {result['zeta']}, "
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
        f"{result['instance']}: {result['arms']} arms, {result['states']} states; "
        f"Assumptions 1 and 2 hold\n\n{_aligned([head, *rows])}\n(* best arm)"
    )


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
