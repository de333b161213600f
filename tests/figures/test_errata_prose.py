"""The numbers of the published run that docs/errata.md and docs/method.md quote.

What errata.md computes apart from a run is compared in `theory/test_errata.py`.
"""

import inspect
import math
import re

import pytest

from epochbandits.config import load_files
from epochbandits.figures.tab2_classes import PLAYS
from epochbandits.model.generators import CLASSES
from epochbandits.stats import hierarchical_bootstrap, wilson_interval
from published import ROOT, ledger, plain, prose, short, table  # tests/published.py

ERRATA, FINDINGS, METHOD = "docs/errata.md", "docs/findings.md", "docs/method.md"
WORDS = {4: "four", 5: "five", 9: "nine", 10: "ten", 20: "twenty"}
CONFIG = load_files([ROOT / "config" / "paper.yaml"])


def cases(file, name):
    data = table(f"paper/inequalities/{file}")
    return data[data["name"] == name]


def smaller(variant):
    """Return on how many of the default class's instances a discount lowers Σ_j L_j, by γ."""
    data = cases("constants", f"remark1_{variant}")
    data = data[(data["instances"] == "ensemble_4x4") & (data["at"] == 5000)]
    assert data["instance"].nunique() == 50
    return (data["left"] < data["right"]).groupby(data["gamma"]).sum()


def patterns():
    """Return the largest number of states of the patterns of M(P), by kind."""
    data = cases("theory", "reversible").groupby("instances")["at"].max()
    return WORDS[data["all patterns"]], WORDS[data["random patterns"]]


def penalties():
    printed, tight = smaller("paper"), smaller("tight")
    always = printed.index[printed == 50].max()
    (sometimes,) = printed.index[(printed > 0) & (printed < 50)]
    never = " and ".join(plain(gamma) for gamma in printed.index[printed == 0])
    yield (
        "On 50 instances of the default class (n = 5000) the printed Σ_j L_j is smaller than with "
        f"time averages on all of them for γ ≤ {plain(always)}, on {printed[sometimes]} for "
        f"γ = {plain(sometimes)} and on none for γ = {never}; the `tight` one is smaller on "
        f"{'all' if (tight == 50).all() else 'some'} of them for each of these γ."
    )
    bounds = table("paper/bounds/ensemble")
    bounds = bounds[(bounds["form"] == "gap-independent") & (bounds["epoch"] == 10**7)]
    mean = bounds.groupby("gamma")["bound"].mean()
    ratio = mean.drop(1.0) / mean[1.0]
    yield (
        "the mean of Corollary 2's bound at n = 10⁷ is larger with a discount than without for "
        f"every γ tried, by a factor of {ratio.min():.1f} (γ = {plain(ratio.idxmin())}) to "
        f"{ratio.max():.0f} ({plain(ratio.idxmax())})."
    )


def largest_share():
    """Return the most of Theorem 2's excess that a valid bound has on the grid, rounded up."""
    grid = cases("theory", "theorem2_valid")
    return plain(math.ceil(1e4 * (grid["left"] / grid["right"]).max()) / 1e4)


def exploration():
    data = table("finding6_exploration")
    x0 = data[(data["panel"] == "x0") & (data["x"] == 100)].set_index("line")["mean"]
    yield (
        f"k = 100, x₀ = {x0['exact']:.1f} and the claimed bound is {x0['printed']:.1f}. The correct"
    )
    yield f"In {len(cases('theory', 'theorem2_valid'))} cases of a grid over m, d, c/d², c' and k"
    yield f"is at most {largest_share()} of what Theorem 2 adds to exploration."


def three(value):
    return short(value, 3)


def eigenvalues():
    data = table("finding5_eigenvalue_scale").set_index(["law", "scale"])
    mean, high = (data[column].map(three) for column in ("mean", "high"))
    large = table("paper/eigenvalues/mixing_large").query("law == 'uniform'")
    large = large[["lambda2", "root", "singular"]]
    many = large.mean().map(three) + " and " + large.quantile(0.95).map(three)
    pair = mean["uniform"] + " and " + high["uniform"]
    matrices = f"over {len(large):,} matrices"
    yield f"σ₂ of P itself: we find {pair['singular']}, and {matrices} {many['singular']}."
    yield f"is nearly as close: {pair['root']}, and {matrices} {many['root']}."
    yield f"λ₂ itself has {pair['lambda2']}."
    texts = {
        "normal: |N|": "absolute values",
        "normal: softmax": "softmax",
        "normal: N²": "squares",
        "normal: max(N, 0)": "positive parts",
    }
    assert {"uniform", *texts} == set(data.index.get_level_values("law"))
    scales = [mean[law] for law in texts]
    yield "The means of λ₂, √λ₂ and σ₂ are " + ", ".join(
        f"{means['lambda2']}, {means['root']} and {means['singular']} ({text})"
        for means, text in zip(scales, texts.values(), strict=True)
    )


def classes():
    count = table("tab2_classes").groupby("instances").size()
    (others,) = set(count.drop(["anticorrelated", "uncorrelated"]))
    yield (
        f"{count['anticorrelated']} instances of the default class, {count['uncorrelated']} of "
        f"`uncorrelated` and {others} of each of the others."
    )
    yield f"has the largest L_j after {PLAYS} plays of each."


def errata():
    every, random = patterns()
    yield f"we checked all patterns of up to {every} states and random ones of up to {random}."
    yield from (*penalties(), *exploration())
    first, second = CONFIG.instances["failure"].epsilon
    yield (
        f"We use {plain(first)}, as the authors' public code for an earlier version does (D8), and "
        f"{plain(second)}."
    )
    yield f"where c is {plain(CONFIG.policies['eps-greedy-auer'].params['c'])} on Example 1"
    yield from (*eigenvalues(), *classes())


def method():
    """Yield what the configuration of the published run says, which `verify` compares with it."""
    sets, limits = CONFIG.instances, CONFIG.claims
    values = {len(CONFIG.policies[name].tuned["c"]) for name in ("epoch-greedy", "eps-greedy")}
    counts = {sets[name].count for name in ("tuning_4x4", "tuning_4x8")}
    yield f"are each the best of {WORDS[values.pop()]} values on {WORDS[counts.pop()]} instances"
    assert not values | counts
    yield f"(`late_gap` > {plain(limits.late)} in `finals.parquet`)"
    draws = inspect.signature(hierarchical_bootstrap).parameters["draws"].default
    yield f"a bootstrap over instances and then seeds ({draws} draws"
    yield f"wrong with probability at most {plain((1 - limits.level) / 2)} on its side"
    judged = sum(entry["verdict"] != "not assessed" for entry in ledger())
    yield f"so among some {'seventy' if 65 <= judged < 75 else judged} claims"
    yield (
        f"at n of {limits.growth_epochs:,} or more and on at least {WORDS[limits.growth_units]} "
        "instances"
    )
    assert limits.linear == limits.sublinear
    yield f"the threshold is {limits.linear} in both directions"
    yield (
        f"for EpochUCB and EpochGreedy on {sets['identify_4x4'].count} instances they come from "
        f"the long run on {sets['long_4x4'].count} of them."
    )
    yield f"judged at n = {limits.identify_epochs:,} on {limits.identify_units} instances per"
    yield f"With ten instances no share of {plain(limits.nearly_all)} could ever be shown."
    assert wilson_interval(10, 10, limits.level).low < limits.nearly_all
    yield f"beyond it, to n = {CONFIG.experiments['far'].epochs:,}."
    first = min(block.first for block in sets.values() if hasattr(block, "first"))
    yield f"(`root: {CONFIG.root}`, instance numbers from {first})"
    yield (
        "growth with 8 states is judged at n = "
        f"{CONFIG.experiments['growth_4x8'].epochs:,} in place of 16,000"
    )
    yield f"'near zero' is below {plain(limits.near_zero)}, half of the reward of the arm"
    controls = {sets[name].count for name in ("slow_suboptimal", "inverted", "fast", "literal")}
    yield (
        f"{controls.pop()} instances of each control class and {sets['uncorrelated'].count} of "
        "`uncorrelated`, in place of 10"
    )
    assert not controls
    matrices = CONFIG.eigenvalues["mixing_large"].matrices
    printed = CONFIG.eigenvalues["mixing"].matrices
    yield f"are judged on {matrices:,} matrices, in place of {printed}"


@pytest.mark.parametrize(
    ("where", "sentence"),
    [
        *((ERRATA, sentence) for sentence in errata()),
        *((METHOD, sentence) for sentence in method()),
        (FINDINGS, f"is at most {largest_share()} of the term that the theorem adds to"),
    ],
)
def test_the_prose_quotes_the_run(where, sentence):
    assert sentence in prose(where)


def test_the_table_of_classes_is_that_of_the_run():
    """Errata D8: the default class favours EpochUCB by its bonus; the last is not correlated."""
    rows = re.findall(r"\| `(\w+)` \| [^|]+ \| (\S+) \| (\S+) \| (\S+) \|", prose(ERRATA))
    data = table("tab2_classes").groupby("instances", sort=False)
    cells = [
        (name, short(row["correlation"].mean()), f"{row['holding'].median():.0f}",
         short(row["largest"].mean()))
        for name, row in data
    ]  # fmt: skip
    assert [tuple(cell.replace("−", "-") for cell in row) for row in rows] == cells
    assert set(data.groups) <= set(CLASSES)  # a new class is not in the published run


def test_the_larger_epsilon_the_more_often_ucb_escapes():
    """Errata D4."""
    data = table("finding1_ucb_failure")
    locked = data[data["panel"] == "locked"].sort_values("epsilon").groupby("sampling")["mean"]
    assert len(locked) == 2
    assert all(shares.is_monotonic_decreasing for _, shares in locked)


def test_ucb_has_less_regret_than_epoch_ucb_in_the_class_nearest_to_the_words():
    """Errata D8, under Algorithm 1's sampling."""
    data = table("paper/aggregates/controls/finals")
    data = data[(data["instances"] == "literal") & (data["sampling"] == "marginal")]
    regret = data.groupby("policy")["expected_regret"].mean()
    assert regret["ucb"] < regret["epoch-ucb"]
