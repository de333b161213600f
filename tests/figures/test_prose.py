"""The numbers that README.md and docs/findings.md quote are those of the published run."""

import json
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

from epochbandits.io import parquet

ROOT = Path(__file__).parents[2]
README, FINDINGS = "README.md", "docs/findings.md"


@cache
def prose(name):
    return " ".join((ROOT / name).read_text(encoding="utf-8").split())


@cache
def table(figure):
    path = ROOT / "figures" / "published" / "data" / f"{figure}.parquet"
    return pd.DataFrame(parquet.read_any(path).columns)


def short(value):
    """Return a number with two decimals, without a leading zero."""
    return f"{value:.2f}".removeprefix("0")


def verdicts():
    ledger = json.loads((ROOT / "figures/published/claims.json").read_text(encoding="utf-8"))
    all_verdicts = [claim["verdict"] for claim in ledger["claims"]]
    kinds = ("reproduced", "partly", "not reproduced", "undetermined")
    return len(all_verdicts), *(all_verdicts.count(kind) for kind in kinds)


def ends():
    """Return each policy's mean regret at the end of Fig. 6a."""
    data = table("fig6a_baselines_4x4")
    last = data[data["line"] == "mean"].sort_values("epoch").groupby("label").last()
    return last["expected_regret"].round().astype(int)


def samplings():
    data = table("finding1_resampling")
    data = data[data["panel"] == "samplings"]
    return data.groupby(["policy", "sampling"])["mean"].mean().round().astype(int)


def shares():
    data = table("finding1_resampling")
    return [short(x) for x in data[data["panel"] == "stickiness"].sort_values("a_low")["mean"]]


def decay(panel):
    data = table("finding2_decay")
    return data[data["panel"] == panel].set_index("value")["mean"].loc[[1, 1000, 100_000]]


def discounts(instances, *gammas):
    data = table("finding3_discount_classes")
    data = data[data["gamma"].isin(gammas) & (data["instances"] == instances)]
    return data.set_index("gamma")["mean"]


def controls(*gammas):
    data = table("finding3_discount_classes")
    data = data[data["gamma"].isin(gammas) & (data["instances"] != "anticorrelated")]
    return short(data["mean"].min()), short(data["mean"].max())


def near_one(algorithm):
    data = table("finding4_bounds_near_one")
    data = data[(data["algorithm"] == algorithm) & (data["variant"] == "paper")]
    return data.set_index("gamma")["mean"]


def scale(law, name):
    data = table("finding5_eigenvalue_scale")
    row = data[(data["law"] == law) & (data["scale"] == name)].iloc[0]
    return [f"{x:.3f}".removeprefix("0") for x in (row["mean"], row["high"])]


def sentences():
    total, yes, partly, no, unsure = verdicts()
    yield (
        README,
        f"Of {total} claims {yes} are reproduced, {partly} partly, {no} not, and {unsure} stay",
    )
    e = ends()
    yield (
        README,
        (
            f"EpochUCB has a mean regret of {e['EpochUCB']}, EpochGreedy {e['EpochGreedy']}, UCB "
            f"{e['UCB']}, ε-greedy {e['ε-greedy']}, UCB+ {e['UCB+']}, EXP3 {e['EXP3']} and RL "
            f"{e['RL']};"
        ),
    )
    s = samplings()
    ucb, path = s["ucb", "marginal"], s["ucb", "trajectory"]
    epoch_ucb = s["epoch-ucb", "marginal"]
    assert epoch_ucb == s["epoch-ucb", "trajectory"]
    yield README, f"UCB wins ({path} against EpochUCB's {epoch_ucb} on 50 fresh instances"
    yield FINDINGS, f"UCB has a mean regret of {ucb} if the state is drawn afresh"
    yield (
        FINDINGS,
        f"and of {path} on a path of the Markov chain, where EpochUCB has {epoch_ucb} either way",
    )
    low, _, middle, *_, high = shares()
    yield FINDINGS, f"from {low} (a* below .5) over {middle} (.8 to .9) to {high} (.98 to .99)"
    a, b, c = (f"{x:.1f}" for x in decay("ratio"))
    yield (
        FINDINGS,
        f"regret is {a} times EpochUCB's with the theory's c*, {b} times with c*/1000, and {c}",
    )
    a, b, c = (short(x) for x in decay("failed"))
    yield FINDINGS, f"without the best arm is {a}, {b} and {c} at the three points"
    d = discounts("anticorrelated", 0.9, 0.1, 0.95).map(short)
    yield (
        FINDINGS,
        f"from .9 (ratio to γ = 1: {d[0.9]}) to .1 ({d[0.1]}), and is least near .95 ({d[0.95]})",
    )
    low, high = controls(0.1, 0.3, 0.5, 0.7)
    yield FINDINGS, f"smaller for γ ≤ .7 ({low} to {high})"
    low, high = controls(0.95)
    yield FINDINGS, f"larger at .95 ({low} to {high})"
    u, g = near_one("epoch-ucb"), near_one("epoch-greedy")
    yield (
        FINDINGS,
        (
            f"is {short(u[0.9])} of the time-averaged one at γ = .9, {u[0.95]:.1f} times as large "
            f"at .95 and {u[0.99]:.0f} times at .99"
        ),
    )
    yield FINDINGS, f"EpochGreedy's is {short(g[0.9])}, {g[0.95]:.2f} and {g[0.99]:.1f}."
    square, root = scale("uniform", "lambda2"), scale("uniform", "root")
    yield (
        FINDINGS,
        (
            f"Uniform rows give λ₂ {square[0]} (95th percentile {square[1]}) and √λ₂ {root[0]} "
            f"({root[1]})"
        ),
    )
    laws = ("normal: |N|", "normal: softmax", "normal: N²", "normal: max(N, 0)")
    first, second, third, last = sorted(scale(law, "root")[0] for law in laws)
    yield FINDINGS, f"(√λ₂: {first}, {second}, {third} and {last})"


@pytest.mark.parametrize(("where", "sentence"), list(sentences()))
def test_the_prose_quotes_the_run(where, sentence):
    assert sentence in prose(where)
