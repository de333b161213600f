"""Small plotted tables of the findings, computed without a run."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from epochbandits.model.random_matrices import LAWS
from epochbandits.theory.printed import EIGENVALUES


def resampling() -> pd.DataFrame:
    rows = []
    for policy, scale in (("ucb", 1000.0), ("epoch-ucb", 130.0)):
        for sampling, share in (("marginal", 1.0), ("trajectory", 0.02)):
            for instance in range(4):
                mean = scale * (share if policy == "ucb" else 1) * (1 + 0.3 * instance)
                rows.append(("samplings", policy, sampling, instance, mean, np.nan, np.nan, np.nan,
                             np.nan, 1))  # fmt: skip
    for rank, low in enumerate((0.5, 0.8, 0.9, 0.95, 0.98)):
        share = rank / 4
        rows.append(("stickiness", "ucb", "marginal", -1, share, max(0, share - 0.1),
                     min(1, share + 0.1), low, low + 0.01, 20))  # fmt: skip
    names = ["panel", "policy", "sampling", "instance", "mean", "low", "high", "a_low", "a_high",
             "count"]  # fmt: skip
    return pd.DataFrame(rows, columns=names)


def decay() -> pd.DataFrame:
    rows = []
    for rank, value in enumerate((1.0, 10.0, 100.0, 1000.0, 1e4, 1e5)):
        ratio, share = 1.5 + (rank - 3) ** 2, rank / 6
        rows.append(("ratio", value, ratio, 0.9 * ratio, 1.1 * ratio, 50))
        rows.append(("failed", value, share, 0.8 * share, min(1, 1.2 * share), 50))
    return pd.DataFrame(rows, columns=["panel", "value", "mean", "low", "high", "count"])


def discount_classes() -> pd.DataFrame:
    rows = []
    names = ("anticorrelated", "slow_suboptimal", "inverted", "fast", "literal")
    for rank, name in enumerate(names):
        for gamma in (0.1, 0.5, 0.9, 1.0):
            mean = (1 + rank / 4) ** (1 - gamma)
            rows.append((name, gamma, mean, 0.9 * mean, 1.1 * mean, 10))
    return pd.DataFrame(rows, columns=["instances", "gamma", "mean", "low", "high", "count"])


def near_one() -> pd.DataFrame:
    rows = []
    for algorithm in ("epoch-ucb", "epoch-greedy"):
        for variant, power in (("paper", -0.8), ("tight", 0.1)):
            for gamma in (0.1, 0.5, 0.9, 0.99, 0.999, 1.0):
                mean = max(1 - gamma, 1e-4) ** power
                rows.append((algorithm, variant, gamma, mean, 0.9 * mean, 1.1 * mean, 5))
    names = ["algorithm", "variant", "gamma", "mean", "low", "high", "count"]
    return pd.DataFrame(rows, columns=names)


def scales() -> pd.DataFrame:
    rows = []
    for rank, law in enumerate(LAWS):
        printed = EIGENVALUES[law.split(":")[0]]
        for scale, mean in (("lambda2", 0.1 + 0.1 * rank), ("root", 0.3 + 0.1 * rank)):
            rows.append((law, scale, mean, mean + 0.08, *printed, 100))
    names = ["law", "scale", "mean", "high", "printed_mean", "printed_high", "count"]
    return pd.DataFrame(rows, columns=names)


def exploration() -> pd.DataFrame:
    k = np.array([20, 100, 1000])
    parts = [
        pd.DataFrame(
            {"panel": "x0", "line": line, "instance": -1, "k": k, "mean": factor * np.log(k)}
        )
        for line, factor in (("exact", 3.0), ("printed", 6.0), ("corrected", 2.9))
    ]
    for instance in (0, 1):
        bound, share = 50 * (1 + instance) / k, 40 * (1 + instance) / k
        head = {"panel": "theorem2", "instance": instance, "k": k}
        parts.append(pd.DataFrame({**head, "line": "bound", "mean": bound}))
        parts.append(
            pd.DataFrame(
                {**head, "line": "measured", "mean": share, "low": 0.8 * share, "high": 1.2 * share}
            )
        )
    return pd.concat(parts, ignore_index=True)


DATA: dict[str, Callable[[], pd.DataFrame]] = {
    "finding1_resampling": resampling,
    "finding2_decay": decay,
    "finding3_discount_classes": discount_classes,
    "finding4_bounds_near_one": near_one,
    "finding5_eigenvalue_scale": scales,
    "finding6_exploration": exploration,
}
