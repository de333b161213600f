"""The numbers that docs/studies.md and docs/guide.md quote are those of the published studies."""

import math
from functools import partial

import pytest

import published
from published import prose

STUDIES, GUIDE = "docs/studies.md", "docs/guide.md"
ALL, REDRAWN, PATH = "all", "marginal", "trajectory"
table = partial(published.table, folder="studies")


def short(value, digits=2):
    """Return a number without a leading zero, and with a true minus sign."""
    return published.short(value, digits).replace("-", "−")


def interval(row, digits=2):
    mean, low, high = (short(row[key], digits) for key in ("mean", "low", "high"))
    return f"{mean} ({low} to {high})"


def whole(value):
    return f"{value:.0f}".replace("-", "−")


def only_row(data, **choice):
    """Return the one row with these entries."""
    for column, value in choice.items():
        data = data[data[column] == value]
    assert len(data) == 1, (choice, len(data))
    return data.iloc[0]


# --- 1 and 2 -------------------------------------------------------------------------------------


def study1():
    data = table("study1_epochs_or_mixing")
    cells = data[data["panel"] == "cell"]
    contrasts = data[data["panel"] == "contrast"]

    def r(schedule, window, sampling):
        row = only_row(cells, schedule=schedule, window=window, sampling=sampling, **{"class": ALL})
        return short(row["mean"])

    def change(name):
        return [interval(only_row(contrasts, window=name, sampling=s)) for s in (REDRAWN, PATH)]

    a, b, c, d = (
        r(schedule, "ucb", s) for s in (REDRAWN, PATH) for schedule in ("fixed:1", "fixed:160")
    )
    yield (
        f"UCB1's window has r = {a} if it decides each iteration and {b} in blocks of 160 with the "
        f"state redrawn, and {c} and {d} on a path"
    )
    first, second = change("UCB1's window: blocks of 160 - each iteration")
    yield f"blocks change r by {first} and {second}"
    first, second = change("linear: arm-specific L - without L")
    yield f"each arm's L changes r by {first} redrawn and {second} on a path"
    first, second = change("linear: same L for all - without L")
    yield f"the same L for all arms by {first} and {second}"
    worst = cells[cells["class"] != ALL].groupby(["window", "schedule"])["mean"].max()
    least = worst.idxmin()
    yield (
        f"has the least worst cell of all {len(worst)}: {short(worst[least])}, against "
        f"{short(worst['own 6', 'linear'])} for EpochUCB as printed and "
        f"{short(worst['ucb', 'fixed:160'])} for UCB in blocks of 160"
    )
    single = [r("fixed:1", "own 0.5", sampling) for sampling in (REDRAWN, PATH)]
    yield (
        f"r = {single[0]} redrawn and {single[1]} on a path, and "
        f"{short(worst['own 0.5', 'fixed:1'])} in its worst cell"
    )
    reached = cells[(cells["class"] == ALL) & cells["schedule"].str.startswith("geometric")]
    yield f"{short(reached['reached'].mean())} of the runs on the geometric schedule reached"


def study2():
    data = table("study2_any_policy")
    paired = data[(data["panel"] == "paired") & (data["class"] == ALL)]
    counts = paired[paired["p_holm"] < 0.05]
    numbers = [
        len(
            counts[
                (counts["account"] == account)
                & (counts["sampling"] == sampling)
                & ((counts["mean"] < 0) == gain)
            ]
        )
        for account in ("iteration", "epoch")
        for gain in (True, False)
        for sampling in (REDRAWN, PATH)
    ]
    a, b, c, d, e, f, g, h = numbers
    total = paired["policy"].nunique()
    assert (a, c, e, g) == (total, 0, total, 0)
    yield (
        f"With the state redrawn, epochs help all {a} policies; on a path they help {b} and hurt "
        f"{d} (UCB and D-UCB)"
    )
    hurt = counts[(counts["account"] == "iteration") & (counts["mean"] > 0)]
    assert set(hurt["label"]) == {"UCB", "D-UCB"}
    yield f"Counted per epoch, they help all {e} redrawn; on a path they help {f} and hurt {h}"
    ranked = data[(data["panel"] == "ranking") & (data["account"] == "iteration")]
    both = ranked[ranked["sampling"] == ALL].sort_values("rank")
    first = both.iloc[0]
    assert first["label"] == "KL-UCB, epochs"
    yield f"KL-UCB in epochs has the least mean r, {interval(first)}"
    ours = only_row(both, policy="epoch-ucb")
    low, high = short(ours["behind_low"]), short(ours["behind_high"])
    behind = f"{short(ours['behind'])} behind ({low} to {high})"
    yield f"EpochUCB is number {ours['rank']} of {len(both)}, {behind}"
    assert first["where"] == "anticorrelated, marginal"
    yield (
        f"Its worst cell, with r = {short(first['worst'])}, is `anticorrelated` with the state "
        "redrawn"
    )
    redrawn = ranked[ranked["sampling"] == REDRAWN].set_index("label")["mean"]
    before, after = (short(redrawn[label]) for label in ("Thompson", "Thompson, epochs"))
    gains = paired[(paired["account"] == "iteration") & (paired["sampling"] == REDRAWN)]
    assert gains.loc[gains["mean"].idxmin(), "label"] == "Thompson"
    yield f"Thompson sampling's, from {before} to {after}."
    path = ranked[ranked["sampling"] == PATH].sort_values("rank").set_index("label")["mean"]
    assert path.index[0] == "UCB"
    yield (
        f"has the least mean r there, {short(path['UCB'], 3)} against "
        f"{short(path[first['label']], 3)}"
    )


# --- 3 to 5 --------------------------------------------------------------------------------------


def study3():
    data = table("study3_ucb_map")
    cells = data[data["a_low"] != -1]
    ucb = cells[cells["policy"] == "ucb"]
    (a, b), (c, d) = (
        ((part["low"] > 0.5).sum(), (part["high"] < 0.5).sum())
        for part in (ucb[ucb["sampling"] == s] for s in (REDRAWN, PATH))
    )
    size = (ucb["sampling"] == PATH).sum()
    yield (
        f"UCB fails in {a} of {size} cells with the state redrawn and finds the best arm in {b}; "
        f"on a path it fails in {c} and finds it in {d}"
    )
    inside = ((ucb["predicted"] >= ucb["low"]) & (ucb["predicted"] <= ucb["high"])).sum()
    off = (ucb["mean"] - ucb["predicted"]).abs()
    yield (
        f"The prediction lies in the interval of {inside} of {len(ucb)} cells; it is off by "
        f"{short(off.mean())} on average and {short(off.max())} at most"
    )
    large = ucb[ucb["gap"] == "large"]["mean"].max()
    example = data[(data["a_low"] == -1) & (data["policy"] == "ucb") & (data["epsilon"] == 0.0015)]
    (locked,) = {short(share) for share in example["mean"]}
    yield f"(at most {short(large)} of runs in a cell)"
    yield f"UCB is locked in {locked} of runs at ε = .0015 under both samplings"
    failing = (cells["low"] > 0.5).groupby(cells["policy"]).sum()
    for name, label in (
        ("ucb-tuned", "UCB+"),
        ("map-sw-ucb", "SW-UCB"),
        ("map-d-ucb", "D-UCB"),
        ("exp3s", "EXP3.S"),
    ):
        yield f"{label} in {failing[name]}"


def study4():
    data = table("study4_knowledge")
    costs = data[data["panel"] == "cost"]

    def cost(policy, value):
        rows = [only_row(costs, policy=policy, value=value, sampling=s) for s in (REDRAWN, PATH)]
        return " redrawn and ".join(interval(row) for row in rows) + " on a path"

    yield f"C ten times too large costs {cost('known-c', 10.0)}"
    yield f"ten times too small changes r by {cost('known-c', 0.1)}"
    yield f"a hundred times too large costs {cost('known-c', 100.0)}"
    yield f"1 − λ ten times too small costs {cost('known-eigengap', 0.1)}"
    yield f"ten times too large changes r by {cost('known-eigengap', 10.0)}"
    yield f"Δ_min ten times too small costs EpochGreedy {cost('known-d', 0.1)}"
    yield f"ten times too large {cost('known-d', 10.0)}"
    cells = data[(data["panel"] == "cell") & (data["class"] == ALL)]
    plain = [
        only_row(cells, policy="known-c", value=1.0, sampling=s)["mean"] for s in (REDRAWN, PATH)
    ]
    fixed = cells[cells["value"].isna()]
    worst, none, ucb = (
        [short(only_row(fixed, policy=policy, sampling=s)["mean"]) for s in (REDRAWN, PATH)]
        for policy in ("known-worst", "known-nothing", "ucb-epochs")
    )
    yield f"r is {short(plain[0])} with the true constants"
    yield f"{worst[0]} with the largest C and λ for all arms, {none[0]} without L, and {ucb[0]} for"
    for policy, opening in (
        ("estimated-mixing", "an estimate of each arm's C/(1 − λ) has r = "),
        ("estimated-d", "an estimate of Δ_min has r = "),
    ):
        means = [short(only_row(fixed, policy=policy, sampling=s)["mean"]) for s in (REDRAWN, PATH)]
        yield f"{opening}{means[0]} redrawn and {means[1]} on a path"
        rows = [only_row(costs, policy=policy, sampling=s) for s in (REDRAWN, PATH)]
        yield f"{interval(rows[0])} redrawn and {interval(rows[1])} on a path"
        counts = [row["p_holm"] < 0.05 for row in rows]
        assert all(counts) if policy == "estimated-mixing" else not any(counts)


def study5():
    data = table("study5_epoch_lengths")
    grid = data[(data["panel"] == "grid") & (data["class"] == ALL)]
    for label, part in grid.groupby("label", sort=False):
        mean = part.groupby(["tau0", "zeta"])["mean"].mean().sort_values()
        place = list(mean.index).index((40.0, 1)) + 1
        tau0, zeta = mean.index[0]
        yield (
            f"{label}'s r goes from {short(mean.iloc[0])} at ({tau0:g}, {zeta:g}) to "
            f"{short(mean.iloc[-1])}; (40, 1) has {short(mean[40.0, 1])}, number {place} of "
            f"{len(mean)}"
        )
        rules = data[(data["panel"] == "rule") & (data["label"] == label)]
        a, b = (interval(only_row(rules, sampling=s), 3) for s in (REDRAWN, PATH))
        assert (rules["p_holm"] < 0.05).all()
        yield (
            f"the rule with f = {rules['tau0'].iloc[0]:g} changes r by {a} redrawn and {b} on a "
            "path"
        )


# --- 6 to 9 --------------------------------------------------------------------------------------


def ledger():
    verdicts = [entry["verdict"] for entry in published.ledger("studies")]
    a, b, c = (verdicts.count(v) for v in ("reproduced", "not reproduced", "undetermined"))
    yield f"Of {a + b + c} statements judged in studies 6 and 8, {a} held, {b} did not and {c} stay"


def study6():
    data = table("study6_strong_regret").set_index(["benchmark", "problem"])
    opened = data.loc["open_loop"]
    assert opened.loc["anticorrelated":"Example 1", "largest"].max() < 0.1
    observed, known = data.loc["observed"], data.loc["known"]

    def percent(value):
        return f"{value:.2f}%".removeprefix("0")

    a, b, c = (observed.loc[name] for name in ("slow suboptimal", "literal", "anticorrelated"))
    assert observed.loc[["inverted", "fast"], "largest"].max() < 0.01
    yield (
        f"at most {percent(a['high'])} in `slow_suboptimal`, {percent(b['high'])} in `literal` and "
        f"{percent(c['high'])} (interval to {percent(c['high_end'])}) in `anticorrelated`"
    )
    d = observed.loc["uncorrelated"]
    yield f"`uncorrelated` it is {d['low']:.1f}% to {d['high']:.1f}% above"
    texts = (
        f"{row['mean']:.1f}% ({row['low_end']:.1f} to {row['high_end']:.1f}) in `{name}`"
        for name, row in ((n, known.loc[n]) for n in ("anticorrelated", "uncorrelated"))
    )
    yield f"A learner that sees the state gains {' and '.join(texts)}"
    pair = [observed.loc[name] for name in ("constructed 1", "constructed 2")]
    low, high = min(row["low"] for row in pair), max(row["high"] for row in pair)
    yield f"earns {low:.0f}% to {high:.0f}% more than the best channel"
    yield f"pay {data.loc['cycle', 'recharging']['mean']:.0f}% more to an alternation"


def study8():
    data = table("study8_other_problems")
    ends = data.sort_values("iteration").groupby(
        ["experiment", "problem", "sampling", "policy"], sort=False
    )
    ends = ends.tail(1).set_index(["experiment", "problem", "sampling", "label"])["mean"]
    restless = ends["study8_restless"].unstack()
    path = restless.xs(PATH, level="sampling")
    for label in ("RCA", "Thompson", "KL-UCB"):
        row = path[label]
        yield f"{label} {whole(row.min())} to {whole(row.max())}"
    yield f"UCB has {whole(path['UCB']['urban_l'])} on Urban L-band"
    iid = ends["study8_iid"]["iid_two"].unstack()
    a, b, c = (whole(iid[label].mean()) for label in ("UCB", "KL-UCB", "Thompson"))
    reference = data[(data["problem"] == "iid_two") & (data["label"] == "Lai–Robbins")][
        "mean"
    ].max()
    yield f"UCB1 has a regret of {a}, KL-UCB {b} and Thompson sampling {c};"
    yield f"c log t is {reference:.0f} with the constant of Lai and Robbins"
    epochs = ends["study8_epochs"].unstack()["EpochUCB"].xs(PATH, level="sampling")
    names = ["constructed_1", "constructed_2", "heavy_tree_s", "suburban_l", "urban_l", "urban_s"]
    yield f"EpochUCB loses {epochs[names].min():.0f} to {epochs[names].max():.0f}"
    if "study8_tekin_liu" not in ends.index.get_level_values("experiment"):
        yield "was added after the published run, which does not have it."
        return
    bursty = ends["study8_tekin_liu"]["tekin_liu_s1"].unstack().loc[PATH]
    a, b, c = (whole(bursty[label]) for label in ("RCA", "RCA, L = 360", "RCA, L = 7200"))
    d, e, f = (whole(bursty[label]) for label in ("UCB", "KL-UCB", "Thompson"))
    wide = data[(data["experiment"] == "study8_tekin_liu") & (data["kind"] == "end")]
    wide = only_row(wide, sampling=PATH, label="RCA, L = 360")
    b += f" ({whole(wide['low'])} to {whole(wide['high'])})"
    yield f"RCA's regret is {a} with L = 1, {b} with 360 and {c} with the 7200 of the theorem"
    yield f"UCB has {d} there, KL-UCB {e} and Thompson sampling {f}"
    growth = next(e for e in published.ledger("studies") if e["id"] == "s8_tekin_liu_log")
    low, high = growth["interval"]
    yield f"the regret grows {growth['estimate']:.1f}-fold ({low:.1f} to {high:.1f})"


def study7():
    data = table("study7_scale")
    regret = data[data["panel"] == "regret"]
    for label, part in regret.groupby("label", sort=False):
        texts = []
        for sampling in (REDRAWN, PATH):
            here = part[part["sampling"] == sampling]
            ends = [only_row(here, arms=n, states=n) for n in (4, 64)]
            texts.append(" to ".join(interval(row) for row in ends))
        yield f"{label}: {texts[0]} redrawn, {texts[1]} on a path"
    bound = data[data["panel"] == "bound"]
    a, b = (math.floor(only_row(bound, arms=n, states=n)["mean"] * 10) / 10 for n in (4, 64))
    yield f"from n = 10^{a:.1f} at 4 × 4 and from 10^{b:.1f} at 64 × 64"


def study9():
    data = table("study9_long_horizons")
    bound = data[data["panel"] == "bound"]
    at = bound[bound["mean"] < 1]["at"].min()
    yield f"below n·Δ_max from n = 10^{round(math.log10(at))} on"
    measured = data[data["panel"] == "measured"]
    a, b = (only_row(measured, sampling=s, at=10**5)["mean"] for s in (REDRAWN, PATH))
    yield f"{short(a, 4)} of the bound at 10^5 epochs redrawn and {short(b, 4)} on a path"
    regret = data[data["panel"] == "regret"]
    for at in (10**4, 10**7):
        for sampling, text in ((REDRAWN, "redrawn"), (PATH, "on a path")):
            here = regret[(regret["at"] == at) & (regret["sampling"] == sampling)]
            best = here.loc[here["mean"].idxmin()]
            power = round(math.log10(at))
            yield f"'{best['label']}' after 10^{power} {text}: {short(best['mean'], 4)}"
    against = data[(data["panel"] == "against") & (data["p_holm"] < 0.05)].sort_values("at")
    crossing = set()
    for (label, sampling), rows in against.groupby(["label", "sampling"]):
        if (rows["mean"] > 0).nunique() > 1:
            crossing.add((label, sampling))
    yield f"{len(crossing)} rankings against EpochUCB cross"


def guide():
    ranked = table("study2_any_policy")
    ranked = ranked[(ranked["panel"] == "ranking") & (ranked["account"] == "iteration")]
    both = ranked[ranked["sampling"] == ALL].set_index("policy")
    first = both.sort_values("rank").iloc[0]
    mean, worst = short(first["mean"]), short(first["worst"])
    yield f"least mean r of {len(both)} policies, {mean}, and {worst} in its worst class"
    ucb = ranked[ranked["policy"] == "ucb-epochs"].set_index("sampling")
    a, b = (short(ucb.loc[s, "mean"]) for s in (REDRAWN, PATH))
    yield f"{a} redrawn and {b} on a path, {short(ucb.loc[ALL, 'worst'])} in its worst class"
    plain = ranked[(ranked["policy"] == "ucb") & (ranked["sampling"] == PATH)].iloc[0]
    yield f"least mean r on paths, {short(plain['mean'], 3)};"
    yield next(text for text in study1() if text.startswith("r = ")).replace(", and ", ", ")
    cells = table("study3_ucb_map")
    cells = cells[cells["a_low"] != -1]
    sliding = cells[cells["policy"] == "map-sw-ucb"]
    yield f"fails in {(sliding['low'] > 0.5).sum()} of {len(sliding)} cells of the map"
    knowledge = table("study4_knowledge")
    costs = knowledge[(knowledge["panel"] == "cost") & (knowledge["sampling"] == REDRAWN)]
    window = only_row(
        table("study1_epochs_or_mixing"),
        panel="contrast",
        window="linear: arm-specific L - without L",
        sampling=REDRAWN,
    )
    large = only_row(costs, policy="known-c", value=10.0)
    yield (
        f"L raises r by {short(window['mean'])} over six classes; overstating C tenfold costs "
        f"{short(large['mean'])} more"
    )
    worst = only_row(
        knowledge, panel="cell", policy="known-worst", sampling=REDRAWN, **{"class": ALL}
    )
    yield f"the same L for all arms has r = {short(worst['mean'])}"
    means = knowledge[(knowledge["panel"] == "cell") & (knowledge["class"] == ALL)]
    means = means[means["sampling"] == REDRAWN]
    online = [only_row(means, policy=f"estimated-{what}")["mean"] for what in ("mixing", "d")]
    right = [only_row(means, policy=f"known-{what}", value=1.0)["mean"] for what in ("c", "d")]
    yield (
        f"r = {short(online[0])} and {short(online[1])} redrawn; with the right constants "
        f"{short(right[0])} and {short(right[1])}"
    )
    small = only_row(costs, policy="known-d", value=0.1)
    yield f"a Δ_min ten times too small costs {short(small['mean'])}"
    for sentence in study8():
        for label in ("Thompson ", "KL-UCB ", "EpochUCB loses "):
            if sentence.startswith(label):
                yield sentence.removeprefix(label)


SECTIONS = (study1, study2, study3, study4, study5, ledger, study6, study7, study8, study9)


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.__name__)
def test_the_studies_quote_their_run(section):
    missing = [sentence for sentence in section() if sentence not in prose(STUDIES)]
    assert not missing


def test_the_guide_quotes_the_studies():
    missing = [sentence for sentence in guide() if sentence not in prose(GUIDE)]
    assert not missing
