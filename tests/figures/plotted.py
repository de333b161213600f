"""Small plotted tables of the paper's figures, computed without a run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
import plotted_findings
from scipy import stats

from epochbandits.figures.registry import FIGURES
from epochbandits.model.random_matrices import ROW_LAWS

LABELS = {
    "epoch-ucb": "EpochUCB",
    "epoch-greedy": "EpochGreedy",
    "ucb": "UCB",
    "ucb-tuned": "UCB+",
    "eps-greedy": "ε-greedy",
    "exp3": "EXP3",
    "q-learning": "RL",
}
GAMMAS = (1.0, 0.99, 0.95, 0.9, 0.8, 0.7, 0.5, 0.3, 0.1)
DECAYS = (1.0, 10.0, 100.0, 1000.0, 1e4, 1e5)
EPOCHS = np.unique(np.geomspace(1, 5000, 9).round().astype(int))


def with_mean(table: pd.DataFrame, by: Sequence[str], value: str) -> pd.DataFrame:
    """Return instances' curves and the mean of them with its t-interval; nan if there is one."""
    groups = table.groupby(list(by), sort=False, dropna=False)[value]
    count = groups.size()
    with np.errstate(invalid="ignore", divide="ignore"):
        reach = stats.t.ppf(0.975, count - 1) * groups.std() / np.sqrt(count)
    mean = groups.mean().to_frame()
    mean["low"], mean["high"] = mean[value] - reach, mean[value] + reach
    parts = [mean.reset_index().assign(line="mean", instance=-1), table.assign(line="instance")]
    return pd.concat(parts, ignore_index=True)


def curves(
    labels: Mapping[str, str],
    instances: int = 3,
    gammas: Sequence[float] = (1.0,),
    values: Mapping[str, Sequence[float]] | None = None,
) -> pd.DataFrame:
    """Return regret curves of policies, which differ in slope and shape."""
    parts = []
    for rank, (policy, label) in enumerate(labels.items()):
        for k, (gamma, value) in enumerate(
            (g, v) for g in gammas for v in (values or {}).get(policy, (np.nan,))
        ):
            for instance in range(instances):
                growth = EPOCHS ** (0.5 + 0.06 * rank) * (1 + 0.2 * instance + 0.1 * k)
                head = {
                    "policy": policy,
                    "label": label,
                    "instances": "main",
                    "sampling": "marginal",
                }
                row = {**head, "gamma": gamma, "value": value, "instance": instance}
                parts.append(pd.DataFrame({**row, "epoch": EPOCHS, "expected_regret": growth}))
    by = ["policy", "label", "instances", "sampling", "gamma", "value", "epoch"]
    return with_mean(pd.concat(parts, ignore_index=True), by, "expected_regret")


def bounds(gammas: Sequence[float], variants: Sequence[str], instances: int = 3) -> pd.DataFrame:
    """Return bounds: of EpochUCB logarithmic, of EpochGreedy first linear."""
    epochs = np.unique(np.geomspace(4, 10**7, 12).round().astype(int))
    shapes: dict[tuple[str, str], Callable[[float], np.ndarray]] = {
        ("epoch-ucb", ""): lambda k: 600 * np.log(epochs) * k,
        ("epoch-greedy", "corrected"): lambda k: 30 * k + np.minimum(0.1 * epochs, 1e5 * k),
        ("epoch-greedy", "paper"): lambda k: 30 * k + np.minimum(0.1 * epochs, 2e5 * k),
        ("trivial", ""): lambda k: 0.3 * epochs,
    }
    parts = [
        pd.DataFrame(
            {
                "algorithm": algorithm,
                "variant": variant,
                "form": form,
                "gamma": gamma,
                "instance": instance,
                "epoch": epochs,
                "bound": shape((1 + 0.3 * instance) * (1 + gamma)),
                "k_prime": 1e6 * (1 + instance) if algorithm == "epoch-greedy" else np.nan,
            }
        )
        for gamma in gammas
        for variant in variants
        for (algorithm, form), shape in shapes.items()
        for instance in range(instances)
    ]
    by = ["algorithm", "variant", "form", "gamma", "epoch"]
    return with_mean(pd.concat(parts, ignore_index=True), by, "bound")


def failure() -> pd.DataFrame:
    """Return Example 1's curves for two ε, and shares of locked runs."""
    labels = {p: LABELS[p] for p in ("epoch-ucb", "epoch-greedy", "ucb", "eps-greedy")}
    rows = []
    for rank, (policy, label) in enumerate(labels.items()):
        head = {"policy": policy, "label": label, "seeds": 20}
        for panel in ("decisions", "epochs"):
            for epsilon in (0.001, 0.01):
                for epoch in EPOCHS:
                    mean = epoch ** (0.5 + 0.1 * rank + 2 * epsilon)
                    low, high = 0.9 * mean, 1.1 * mean
                    place = {"panel": panel, "epsilon": epsilon, "epoch": epoch}
                    rows.append({**head, **place, "mean": mean, "low": low, "high": high})
        for panel, epsilons in (
            ("locked", (1e-4, 1e-2)),
            ("locked on the main axis", (1e-3, 1e-2)),
        ):
            if panel == "locked" and policy.startswith("epoch"):
                continue
            share = {"mean": 0.25 * rank, "low": 0.2 * rank, "high": 0.3 * rank}
            rows += [
                {**head, **share, "panel": panel, "epsilon": e, "epoch": 5000} for e in epsilons
            ]
    return pd.DataFrame(rows)


def transitions() -> pd.DataFrame:
    """Return Example 1's two chains."""
    chains = [[[0, 1], [0.001, 0.999]], [[0.999, 0.001], [1, 0]]]
    rewards = [[0, 1], [0.5, 0.5]]
    return pd.DataFrame(
        {"arm": arm, "state": s, "target": t, "probability": p, "mean_reward": rewards[arm][s]}
        for arm, chain in enumerate(chains)
        for s, row in enumerate(chain)
        for t, p in enumerate(row)
    )


def arms(states: int = 4) -> pd.DataFrame:
    """Return an instance with three arms, of which the second is the best."""
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {"arm": arm, "state": s, "stationary": p, "mean_reward": 1 - p, "best": arm == 1}
        for arm in range(3)
        for s, p in enumerate(rng.dirichlet(np.ones(states)))
    )


def eigenvalues() -> pd.DataFrame:
    """Return eigenvalues of twenty matrices of each law."""
    rng = np.random.default_rng(0)
    roots = {law: rng.beta(5 + 2 * i, 10 - i, 20) for i, law in enumerate(ROW_LAWS)}
    return pd.concat(
        [
            pd.DataFrame({"law": law, "lambda2": r**2, "root": r, "singular": 0.97 * r})
            for law, r in roots.items()
        ],
        ignore_index=True,
    )


def classes() -> pd.DataFrame:
    """Return the structure of five instances of each class."""
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {"instances": name, "instance": i, "correlation": middle + 0.1 * rng.standard_normal(),
         "visits": 0.03, "holding": 900.0 + i, "lam_best": 0.96, "lam_others": 0.6, "largest": 1.0}
        for name, middle in (("anticorrelated", -0.8), ("literal", -0.8), ("uncorrelated", 0.0))
        for i in range(5)
    )  # fmt: skip


def _some(*policies: str) -> dict[str, str]:
    return {policy: LABELS[policy] for policy in policies}


_GREEDY = {"epoch-greedy": "EpochGreedy", "epoch-greedy-theory": "EpochGreedy (c*)"}
_SWEPT = {**_some("epoch-ucb"), "epoch-greedy-decayed": "EpochGreedy (c* decayed)"}

DATA: dict[str, Callable[[], pd.DataFrame]] = {
    "fig1a_failure_arms": transitions,
    "fig1b_failure_regret": failure,
    "fig2a_stationary": arms,
    "fig2b_mean_rewards": lambda: arms(8),
    "fig3a_bounds": lambda: bounds([1.0], ["paper", "tight"]),
    "fig3b_ucb_bound_discount": lambda: bounds(GAMMAS, ["paper"]),
    "fig3c_greedy_bound_discount": lambda: bounds(GAMMAS, ["paper"]),
    "fig4a_ucb_vs_greedy": lambda: curves(_some("epoch-ucb", "epoch-greedy")),
    "fig4b_greedy_decay": lambda: curves(_SWEPT, values={"epoch-greedy-decayed": DECAYS}),
    "fig5a_ucb_discount": lambda: curves(_some("epoch-ucb"), gammas=GAMMAS),
    "fig5b_greedy_discount": lambda: curves(_GREEDY, gammas=GAMMAS),
    "fig6a_baselines_4x4": lambda: curves(LABELS),
    "fig6b_baselines_4x8": lambda: curves(LABELS),
    "tab1_mixing": eigenvalues,
    "tab2_classes": classes,
    **plotted_findings.DATA,
}
assert set(DATA) == set(FIGURES)
