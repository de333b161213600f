"""The numbers that README.md and docs/findings.md quote are those of the published run."""

import pandas as pd
import pytest

from published import claim, ledger, prose, short, table  # tests/published.py

README, FINDINGS = "README.md", "docs/findings.md"


def reward(value):
    """Return a regret without decimals, or with one if it is small."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}"


def verdicts():
    """Return the number of claims that are judged, and of each verdict."""
    verdicts = [entry["verdict"] for entry in ledger()]
    kinds = ("reproduced", "not reproduced", "undetermined", "not assessable", "not assessed")
    *counts, listed = (verdicts.count(kind) for kind in kinds)
    assert sum(counts) + listed == len(verdicts)
    return sum(counts), *counts, listed


def ends():
    """Return each policy's mean regret at the end of Fig. 6a."""
    data = table("fig6a_baselines_4x4")
    last = data[data["line"] == "mean"].sort_values("epoch").groupby("label").last()
    return last["expected_regret"].round().astype(int)


def decay(panel):
    data = table("finding2_decay")
    return data[data["panel"] == panel].set_index("value")["mean"].loc[[1, 1000, 100_000]]


def discounts(instances, *gammas):
    data = table("finding3_discount_classes")
    data = data[data["gamma"].isin(gammas) & (data["instances"] == instances)]
    return data.set_index("gamma")["mean"]


def controls(*gammas):
    data = table("finding3_discount_classes")
    others = ~data["instances"].isin(["anticorrelated", "uncorrelated"])
    data = data[data["gamma"].isin(gammas) & others]
    return short(data["mean"].min()), short(data["mean"].max())


def near_one(algorithm):
    data = table("finding4_bounds_near_one")
    data = data[(data["algorithm"] == algorithm) & (data["variant"] == "paper")]
    return data.set_index("gamma")["mean"]


def scale(law, name):
    data = table("finding5_eigenvalue_scale")
    row = data[(data["law"] == law) & (data["scale"] == name)].iloc[0]
    return [short(x, 3) for x in (row["mean"], row["high"])]


def phase(panel, value="mean"):
    """Return the phase diagram by policy, sampling, and the lower ends of δ and a*."""
    data = table("finding1_ucb_failure")
    rows = data[data["panel"] == panel]
    return rows.set_index(["policy", "sampling", "delta_low", "a_low"])[value].sort_index()


def window():
    """Return mean regrets by class and by policy with the value that it sweeps."""
    data = table("finding7_window")
    values = data["value"].map(lambda value: "" if pd.isna(value) else f" {value:g}")
    return data.assign(key=data["policy"] + values).set_index(["instances", "key"])["mean"]


def finding1():
    failed, regret = phase("failed")["ucb"], phase("regret").round().astype(int)
    redrawn, path = failed["marginal"].map(short), failed["trajectory"].map(short)
    ucb, epoch_ucb = (regret[policy, "trajectory"] for policy in ("ucb", "epoch-ucb"))
    yield (
        f"UCB fails in {redrawn[0.02, 0.95]} of runs with the state redrawn and in "
        f"{path[0.02, 0.95]} on a path of the chain, where its mean regret is {ucb[0.02, 0.95]} "
        f"against EpochUCB's {epoch_ucb[0.02, 0.95]}."
    )
    cells = [(delta, 0.95) for delta in (0.005, 0.001, 0.0002)]
    for deltas, cell in zip((".005 to .01", ".001 to .002", ".0002 to .0005"), cells, strict=True):
        yield f"| {deltas} | {path[cell]} | {ucb[cell]} | {epoch_ucb[cell]} |"
    yield f"the share of runs that fail falls to {redrawn[0.02, 0.5]} if a* is .5 to .8"
    data = table("finding1_ucb_failure")
    locked = data[data["panel"] == "locked"].set_index(["epsilon", "sampling"])["mean"].map(short)
    a, b, c, d = (locked[e, s] for e in (0.01, 0.001) for s in ("marginal", "trajectory"))
    yield f"in {a} of runs redrawn and {b} on a path at ε = .01, and in {c} and {d} at ε = .001."
    classes = table("tab2_classes")
    default = classes.loc[classes["instances"] == "anticorrelated", "holding"]
    yield f"the median of that average over instances is {default.median():.0f} (errata D8)."
    difference = (failed - phase("failed", "predicted")["ucb"]).abs()
    assert len(difference) == 32
    yield f"by {short(difference.mean())} on average and {short(difference.max())} at most"


def finding7():
    regret = window()
    shown, inverted = (regret[name].map(reward) for name in ("anticorrelated", "inverted"))
    yield f"EpochUCB has a mean regret of {shown['epoch-ucb']}."
    yield (
        f"it has {shown['epoch-ucb-worst']}; without L, {shown['epoch-ucb-no-mixing']}; with .5 "
        f"in place of 6 under the root, {shown['epoch-ucb-constant 0.5']}. UCB has {shown['ucb']}."
    )
    yield f"lowers regret from {inverted['epoch-ucb']} to {inverted['epoch-ucb-no-mixing']}."
    wide = regret.unstack()
    assert len(wide) == 6
    assert (wide["epoch-ucb-constant 0.5"] < wide["epoch-ucb"]).all()
    tight = 100 * (wide["epoch-ucb-tight"] / wide["epoch-ucb"] - 1).abs().max()
    yield "gives less regret than a constant of 6 in all six classes"
    yield f"the tight L changes regret by at most {tight:.0f}%."


def sentences():
    total, yes, no, unsure, unassessable, listed = verdicts()
    yield (
        README,
        (
            f"Of {total} claims that we judge, {yes} are reproduced in the paper's setting, {no} "
            f"are not and {unsure} stay undetermined; {listed} further statements"
        ),
    )
    assert unassessable == 0
    depends = sum(bool(entry["depends_on"]) for entry in ledger())
    yield README, f"Of the verdicts, {depends} would change with other values of the thresholds"
    e = ends()
    yield (
        README,
        (
            f"EpochUCB has a mean regret of {e['EpochUCB']}, EpochGreedy {e['EpochGreedy']}, UCB "
            f"{e['UCB']}, ε-greedy {e['ε-greedy']}, UCB+ {e['UCB+']}, EXP3 {e['EXP3']} and RL "
            f"{e['RL']};"
        ),
    )
    failed = phase("failed")["ucb"].map(short)
    yield (
        README,
        (
            f"it fails in {failed['marginal', 0.02, 0.95]} of runs if the state is redrawn at each "
            "iteration, as in Algorithm 1, and in "
            f"{failed['trajectory', 0.02, 0.95]} of runs on a path of the Markov chain. With δ of "
            f".0002 to .0005 it fails on paths too, in {failed['trajectory', 0.0002, 0.95]} of runs"
        ),
    )
    shown = window()["anticorrelated"].map(reward)
    yield (
        README,
        (
            f"its regret is {shown['epoch-ucb']}. It rises to {shown['epoch-ucb-worst']} if all "
            f"arms get the same C and λ, and to {shown['epoch-ucb-no-mixing']} without the mixing "
            f"term; it falls to {shown['epoch-ucb-constant 0.5']} with a twelfth of the constant"
        ),
    )
    a, b, c = (f"{x:.1f}" for x in decay("ratio"))
    yield (
        FINDINGS,
        f"regret is {a} times EpochUCB's with the theory's c*, {b} times with c*/1000, and {c}",
    )
    cells = {cell["condition"]: cell for cell in claim("fig4b_tends")["beyond"]}
    then, later = (cells[f"tuned c, n = {n}"] for n in ("16,000", "20,000"))
    a, b, low, high = map(short, (then["estimate"], later["estimate"], *then["interval"]))
    yield (
        FINDINGS,
        f"is {a} times EpochUCB's at 16,000 epochs ({low} to {high}), and {b} times at 20,000",
    )
    a, b, c = (short(x) for x in decay("failed"))
    yield (
        FINDINGS,
        f"best arm is missed is {a} with c*, {b} with c*/1000 and {c} with c*/100,000",
    )
    d = discounts("anticorrelated", 0.9, 0.1, 0.95).map(short)
    yield (
        FINDINGS,
        f"rises from {d[0.9]} at γ = .9 to {d[0.1]} at .1, and is least near .95 ({d[0.95]})",
    )
    d = discounts("uncorrelated", 0.1, 0.95).map(short)
    yield FINDINGS, f"`uncorrelated` is like it ({d[0.1]} at .1, {d[0.95]} at .95)"
    low, high = controls(0.1, 0.3, 0.5, 0.7)
    yield FINDINGS, f"is below 1 for γ ≤ .7 ({low} to {high})"
    low, high = controls(0.95)
    yield FINDINGS, f"above 1 at .95 ({low} to {high})"
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
    if "singular" in set(table("finding5_eigenvalue_scale")["scale"]):
        mean, high = scale("uniform", "singular")
        yield FINDINGS, f"The second singular value of P itself is {mean} ({high}),"
    (root, singular), (high_root, high_singular) = (
        [short(cell["estimate"], 3) for cell in claim(name)["beyond"]]
        for name in ("tab1_uniform_mean", "tab1_uniform_percentile")
    )
    yield FINDINGS, f"and {singular} ({high_singular}) over 10,000 matrices, which is the printed"
    yield FINDINGS, f"√λ₂ is {root} ({high_root}), which"
    laws = ("normal: |N|", "normal: softmax", "normal: N²", "normal: max(N, 0)")
    first, second, third, last = sorted(scale(law, "root")[0] for law in laws)
    yield FINDINGS, f"(√λ₂: {first}, {second}, {third} and {last})"
    yield from ((FINDINGS, sentence) for sentence in (*finding1(), *finding7()))


@pytest.mark.parametrize(("where", "sentence"), list(sentences()))
def test_the_prose_quotes_the_run(where, sentence):
    assert sentence in prose(where)
