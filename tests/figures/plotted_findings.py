"""Small plotted tables of the findings, computed without a run."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from epochbandits.model.random_matrices import ROW_LAWS
from epochbandits.theory.printed_numbers import EIGENVALUES


def ucb_failure() -> pd.DataFrame:
    rows = []
    deltas, sticks = ((0.02, 0.05), (0.0002, 0.0005)), ((0.5, 0.8), (0.9, 0.95), (0.95, 0.98))
    for sampling in ("marginal", "trajectory"):
        for i, (low, high) in enumerate(deltas):
            for j, (bottom, top) in enumerate(sticks):
                cell = {"sampling": sampling, "delta_low": low, "delta_high": high,
                        "a_low": bottom, "a_high": top, "epoch": 1500, "count": 40}  # fmt: skip
                share = (i + j) / 3
                rows.append({**cell, "panel": "failed", "policy": "ucb", "mean": share, "low": 0.0,
                             "high": 1.0, "predicted": 0.9 * share})  # fmt: skip
                for policy, mean in (("ucb", 10.0 * 8 ** (i + j)), ("epoch-ucb", 60.0)):
                    rows.append({**cell, "panel": "regret", "policy": policy, "mean": mean,
                                 "low": 0.9 * mean, "high": 1.1 * mean})  # fmt: skip
        for epsilon in (0.0001, 0.001, 0.01, 0.05, 0.1):
            head = {"policy": "ucb", "sampling": sampling, "epsilon": epsilon, "count": 200}
            for t in (100, 1000, 10_000, 100_000):
                share = t ** (-8 * epsilon)
                rows.append(
                    {**head, "panel": "plays", "epoch": t, "mean": share, "predicted": share}
                )
            rows.append({**head, "panel": "locked", "epoch": t, "mean": share, "low": 0.9 * share,
                         "high": min(1, 1.1 * share), "predicted": share})  # fmt: skip
    return pd.DataFrame(rows)


def window() -> pd.DataFrame:
    rows = []
    variants = {
        "EpochUCB": ("epoch-ucb", 1.0),
        "worst C and λ for all arms": ("epoch-ucb-worst", 7.0),
        "without L": ("epoch-ucb-no-mixing", 2.5),
        "tight L": ("epoch-ucb-tight", 1.1),
        "constant under the root: 3": ("epoch-ucb-constant", 0.6),
        "constant under the root: 0.5": ("epoch-ucb-constant", 0.1),
        "UCB": ("ucb", 8.0),
    }
    names = ("anticorrelated", "slow_suboptimal", "inverted", "fast", "literal", "uncorrelated")
    for rank, name in enumerate(names):
        for label, (policy, factor) in variants.items():
            mean = 136 * factor ** (1 - rank / 5)
            rows.append((name, policy, label, np.nan, mean, mean - 140 * rank / 5, 1.3 * mean,
                         float(factor > 5), 10, 5000))  # fmt: skip
    columns = ["instances", "policy", "label", "value", "mean", "low", "high", "failed", "count",
               "epoch"]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


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
    for rank, law in enumerate(ROW_LAWS):
        printed = EIGENVALUES[law.split(":")[0]]
        for scale, mean in (("lambda2", 0.1), ("root", 0.3), ("singular", 0.32)):
            mean += 0.1 * rank
            rows.append((law, scale, mean, mean + 0.08, *printed, 100))
    names = ["law", "scale", "mean", "high", "printed_mean", "printed_high", "count"]
    return pd.DataFrame(rows, columns=names)


def exploration() -> pd.DataFrame:
    k = np.array([20.0, 100.0, 1000.0])
    parts = [
        pd.DataFrame(
            {"panel": "x0", "line": line, "instance": -1, "x": k, "mean": factor * np.log(k)}
        )
        for line, factor in (("exact", 3.0), ("printed", 6.0), ("corrected", 2.9))
    ]
    x = np.array([1.0, 1.5, 3.0])
    for instance in (0, 1):
        for line, power, scale in (("printed", -5, 8), ("valid", -9, 0.1), ("measured", 0.5, 0.01)):
            mean = scale * (1 + instance) * x**power
            head = {"panel": "theorem2", "line": line, "instance": instance}
            parts.append(pd.DataFrame({**head, "x": x, "mean": mean}))
    return pd.concat(parts, ignore_index=True)


DATA: dict[str, Callable[[], pd.DataFrame]] = {
    "finding1_ucb_failure": ucb_failure,
    "finding2_decay": decay,
    "finding3_discount_classes": discount_classes,
    "finding4_bounds_near_one": near_one,
    "finding5_eigenvalue_scale": scales,
    "finding6_exploration": exploration,
    "finding7_window": window,
}
