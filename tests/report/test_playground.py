"""The playground in a real browser: its engine against the library, and what a visitor does."""

import json

import numpy as np
import pytest
from browsers import LIMIT, browser_only  # tests/report/browsers.py
from playwright.sync_api import expect
from scipy.stats import beta, ks_2samp, kstest, uniform

from epochbandits import Setting, failure_example, generate, simulate
from epochbandits.report.playground import GAMMAS, HORIZONS, four_arms, setup
from epochbandits.theory import ucb
from epochbandits.theory.penalty import confidence_window, penalty_bound

pytestmark = browser_only

CLOSE = 1e-12
PROBLEMS = """(name) => {
  const { shape } = JSON.parse(document.getElementById("play").dataset.setup);
  return name.startsWith("{") ? Bandit.instance(JSON.parse(name))
    : name === "example1" ? Bandit.example1(0.01)
    : Bandit.four(0.03, name === "four" ? 0.97 : 0.6, shape);
}"""
INSTANCES = {
    "example1": failure_example(0.01),
    "four": four_arms(0.03, 0.97),
    "drawn": generate("anticorrelated", 4, 4, seed=7),
}


@pytest.fixture(scope="module")
def engine(chromium, address):
    """Evaluate an expression of ``problem``, the instance of a name, and ``x``, an argument."""
    page = chromium.new_context().new_page()
    page.goto(address, timeout=LIMIT)

    def evaluate(name, expression, x=None):
        known = json.dumps(INSTANCES["drawn"].to_dict()) if name == "drawn" else name
        code = f"""([name, x]) => {{
          const problem = ({PROBLEMS})(name);
          return JSON.stringify({expression});
        }}"""
        return json.loads(page.evaluate(code, [known, x]))  # as text: ten times faster

    return evaluate


@pytest.mark.parametrize("name", INSTANCES)
def test_constants(engine, name):
    problem = engine(name, "problem")
    instance = INSTANCES[name]
    for key in ("pi", "mu", "gap"):
        assert problem[key] == pytest.approx(getattr(instance, key), abs=CLOSE)
    assert problem["transition"] == pytest.approx(instance.transition, abs=CLOSE)
    assert problem["means"] == pytest.approx(instance.reward_means, abs=CLOSE)
    for chain, mixing in zip(problem["mixing"], instance.mixing, strict=True):
        assert chain["lam"] == pytest.approx(mixing.lam, abs=CLOSE)
        assert chain["C"] == pytest.approx(mixing.C, rel=CLOSE)


@pytest.mark.parametrize("gamma", [1.0, 0.95, 0.5, 0.7])
@pytest.mark.parametrize("name", INSTANCES)
def test_penalties_and_windows(engine, name, gamma):
    """γ = .7 is λ of the 4×4 instance's last arm: the printed form for γ = λ."""
    instance, setting, plays = INSTANCES[name], Setting(40, 2, gamma), np.arange(1, 41)
    code = """(() => {
      const next = Bandit.penalties(problem.mixing, x);
      return problem.mixing.map((_, j) => Array.from({ length: 40 }, () => next(j)));
    })()"""
    lengths = np.array(engine(name, code, {"tau0": 40, "zeta": 2, "gamma": gamma}))
    expected = penalty_bound(plays, instance.mixing, setting)
    assert lengths == pytest.approx(expected, rel=CLOSE)
    index = """(() => {
      const { policy } = new Bandit.Run(problem, "epoch-ucb", x, "marginal", 1);
      for (let i = 0; i < 40; i++) for (let j = 0; j < problem.arms; j++) policy.learn(j, 0);
      return policy.index(160);
    })()"""
    window = engine(name, index, {"tau0": 40, "zeta": 2, "gamma": gamma})
    assert window == pytest.approx(confidence_window(160, 40, instance.mixing, setting), rel=CLOSE)


@pytest.mark.parametrize("gamma", [1.0, 0.9])
@pytest.mark.parametrize("name", INSTANCES)
def test_expected_regret_of_a_sequence_of_arms(engine, name, gamma):
    arms = [0, 1, 1, 0, 0, 1] * 5
    code = """(() => {
      const run = new Bandit.Run(problem, "epoch-ucb", x, "marginal", 3);
      return x.arms.map((arm) => {
        run.play(arm, x.tau0 + x.zeta * run.policy.plays[arm]);
        return run.expected;
      });
    })()"""
    regret = engine(name, code, {"tau0": 7, "zeta": 3, "gamma": gamma, "arms": arms})
    table = simulate(INSTANCES[name], "scripted", epochs=len(arms), seeds=[0], tau0=7, zeta=3,
                     gamma=gamma, trace="full", arms=arms)  # fmt: skip
    assert regret == pytest.approx(table["expected_regret"].to_numpy(), abs=CLOSE)


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
def test_an_epochs_feedback_has_the_law_of_the_library(engine, sampling):
    """An epoch of the sticky arm: redrawing its state or following a path differ most here."""
    code = """Array.from({ length: 1500 }, (_, seed) => {
      const run = new Bandit.Run(problem, "epoch-ucb", x, x.sampling, seed);
      return [1, 0, 0].map((arm, i) => (run.play(arm, i === 2 ? 25 : 20), run.feedback));
    })"""
    knobs = {"tau0": 20, "zeta": 5, "gamma": 0.95, "sampling": sampling}
    rewards = np.array(engine("four", code, knobs))
    table = simulate(INSTANCES["four"], "scripted", epochs=3, seeds=range(1500), tau0=20, zeta=5,
                     gamma=0.95, sampling=sampling, trace="full", arms=[1, 0, 0])  # fmt: skip
    for epoch, rows in table.groupby("epoch"):
        assert ks_2samp(rewards[:, epoch - 1], rows["reward"]).pvalue > 0.001


def test_rewards_have_their_laws(engine):
    laws = [
        ({"law": "beta", "a": 5.4, "b": 0.6}, beta(5.4, 0.6).cdf),
        ({"law": "beta", "a": 2.0, "b": 2.0}, beta(2, 2).cdf),
        ({"law": "uniform", "low": 0.2, "high": 0.8}, uniform(0.2, 0.6).cdf),
    ]
    code = """(() => {
      const random = Bandit.stream(11);
      return Array.from({ length: 40000 }, () => Bandit.LAWS[x.law].draw(x, random));
    })()"""
    for law, cdf in laws:
        assert kstest(engine("four", code, law), cdf).pvalue > 0.001
    ones = engine("four", code, {"law": "bernoulli", "p": 0.3})
    assert set(ones) == {0, 1}
    assert np.mean(ones) == pytest.approx(0.3, abs=4 * 0.46 / 40000**0.5)


RUNS = 2000
CASES = {
    "epoch-ucb": ("epoch-ucb", {"epochs": 60}, {}),
    "epoch-greedy": ("epoch-greedy", {"epochs": 60}, {"c": 0.3}),
    "ucb": ("ucb", {"iterations": 300}, {}),
    "eps-greedy": ("eps-greedy", {"iterations": 300}, {"c": 5.0}),
    "ucb-blocks": ("ucb", {"epochs": 40, "schedule": "fixed:40"}, {}),
}
LIBRARY = {"mild": four_arms(0.03, 0.6), "example1": failure_example(0.01)}
SETTINGS = {
    "mild": {"tau0": 10, "zeta": 1, "gamma": 0.95},
    "example1": {"tau0": 1, "zeta": 1, "gamma": 1.0},
}


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
@pytest.mark.parametrize("instance", LIBRARY)
@pytest.mark.parametrize("policy", CASES)
def test_runs_have_the_law_of_the_library(engine, policy, instance, sampling):
    """Regret after few, some and all decisions, and the last arm; seeds are fixed.

    The chance that a right engine fails is at most .00001 for each comparison. They find a constant
    of a window that is wrong by a sixth, an arm that is never explored, and a path that forgets its
    state between epochs. With a less sticky best arm than above EpochUCB's choices differ from run
    to run.
    """
    name, horizon, params = CASES[policy]
    setting = SETTINGS[instance]
    table = simulate(LIBRARY[instance], name, seeds=range(RUNS), sampling=sampling, **setting,
                     **horizon, **params)  # fmt: skip
    decisions = horizon.get("epochs") or horizon["iterations"]
    recorded = table["epoch"].unique()
    marks = [int(recorded[np.searchsorted(recorded, decisions / k)]) for k in (6, 2.5, 1)]
    code = """Array.from({ length: x.runs }, (_, seed) => {
      const run = new Bandit.Run(problem, x.policy, x, x.sampling, seed);
      return x.marks.map((mark) => {
        while (run.k < mark) run.step();
        return [run.regret, run.expected, run.arm];
      });
    })"""
    knobs = {"block": 40, "c": 0.3, "cIteration": 5, "marks": marks, "runs": RUNS, **setting}
    outcomes = np.array(engine(instance, code, knobs | {"policy": policy, "sampling": sampling}))
    for i, mark in enumerate(marks):
        rows = table[table["epoch"] == mark].sort_values("seed")
        for column, values in zip(
            ("regret", "expected_regret", "arm"), outcomes[:, i].T, strict=True
        ):
            law = ks_2samp(values.round(9), rows[column].round(9), method="asymp")
            assert law.pvalue > 1e-5, (column, mark, law.statistic)
    assert len(set(outcomes[:, -1, 0].round(9))) > 20


def test_ties_are_broken_at_random(engine):
    """Without exploration the first decision is a tie of all arms."""
    code = """Array.from({ length: 2000 }, (_, seed) => {
      const run = new Bandit.Run(problem, "epoch-greedy", x, "marginal", seed);
      run.step();
      return run.arm;
    })"""
    plays = np.bincount(engine("four", code, {"tau0": 1, "zeta": 1, "gamma": 1, "c": 0}))
    assert plays == pytest.approx([500] * 4, abs=5 * (2000 * 3 / 16) ** 0.5)


@pytest.mark.parametrize("policy", ["epoch-greedy", "ucb"])
@pytest.mark.parametrize(
    ("mean", "best"),
    [
        ([0.1 + 0.2, 0.3, 0.2, 0.1], {0, 1}),  # equal, but rounded differently
        ([0.3, 0.3 + 1e-11, 0.2, 0.1], {1}),
        ([0.2, 0.1, 0.4, 0.7 - 0.3], {2, 3}),
    ],
)
def test_arms_tie_up_to_rounding(engine, policy, mean, best):
    code = """(() => {
      const { policy, random } = new Bandit.Run(problem, x.policy, x, "marginal", 1);
      [policy.mean, policy.plays] = [x.mean, x.mean.map(() => 5)];
      return Array.from({ length: 60 }, () => policy.choose(21, random));
    })()"""
    knobs = {"tau0": 1, "zeta": 1, "gamma": 1, "c": 0, "mean": mean, "policy": policy}
    assert set(engine("four", code, knobs)) == best


def part(page, name):
    return page.locator(f'#play [data-part="{name}"]')


def test_a_visitor_steps_runs_and_shares(visit):
    page = visit(fragment="#play?instance=four&sampling=trajectory&seed=5&n=2000&focus=epoch-ucb")
    assert page.locator('[data-knob="instance"]').input_value() == "four"
    assert page.locator('[data-knob="seed"]').input_value() == "5"
    part(page, "step").focus()
    page.keyboard.press("Enter")
    expect(part(page, "status")).to_contain_text("EpochUCB: decision 1 played arm 1")
    expect(part(page, "clock")).to_have_text("iteration 40, decision 1")
    part(page, "fast").click()
    expect(part(page, "status")).to_contain_text("At the end")
    first = part(page, "results").inner_text()
    # the same address shows the same runs
    again = visit(fragment=page.evaluate("location.hash"))
    part(again, "fast").click()
    expect(part(again, "status")).to_contain_text("At the end")
    assert part(again, "results").inner_text() == first
    # another seed does not
    again.locator('[data-knob="seed"]').fill("6")
    part(again, "fast").click()
    expect(part(again, "status")).to_contain_text("At the end")
    assert part(again, "results").inner_text() != first
    assert "seed=6" in again.evaluate("location.hash")


def test_sliders_work_with_the_keyboard(visit):
    page = visit(fragment="#play")
    slider = page.get_by_label("horizon, iterations")
    before = slider.get_attribute("aria-valuetext")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    assert slider.get_attribute("aria-valuetext") != before
    assert "n=10000" in page.evaluate("location.hash")
    assert not page.locator('[data-knob="delta"]').is_visible()
    page.get_by_label("Instance").select_option("four")
    assert page.locator('[data-knob="delta"]').is_visible()


def test_frames_change_what_is_there(visit):
    """And nothing out of sight is laid out while runs play: 60 frames a second on a phone."""
    page = visit(390, fragment="#play?instance=four&n=50000")
    hidden = "getComputedStyle(document.querySelector('#claims')).contentVisibility"
    assert page.evaluate(hidden) == "visible"
    cell = page.locator('#play [data-part="results"] td').first
    page.evaluate("window.before = document.querySelector('#play [data-part=results] td')")
    before = page.evaluate("document.documentElement.scrollHeight")
    part(page, "play").click()
    expect(cell).not_to_have_text("0")
    assert page.evaluate(hidden) == "auto"
    assert page.evaluate("window.before.isConnected")
    assert page.evaluate("document.documentElement.scrollHeight") == pytest.approx(before, abs=40)
    part(page, "play").click()
    assert page.evaluate(hidden) == "visible"
    expect(part(page, "status")).to_contain_text("UCB: decision")


def test_the_bounds_are_the_librarys(visit):
    page = visit(fragment="#play?instance=four")
    slider = part(page, "bound-n")
    slider.focus()
    page.keyboard.press("ArrowLeft")
    n = HORIZONS[-2]
    bound = float(ucb.regret_bound(HORIZONS, INSTANCES["four"], Setting(40, 1, 1.0))[-2])
    expect(part(page, "bounds").locator("td").first).to_have_text(f"{bound:,.0f}")
    assert slider.get_attribute("aria-valuetext") == f"{n:,}"
    table = np.array(setup()["bounds"]["four"])
    assert table.shape == (len(GAMMAS), len(HORIZONS), 5)
    assert table[-1, -2, 0] == pytest.approx(bound, rel=1e-5)


def test_a_run_leaves_the_page_responsive(visit):
    """A frame simulates for a bounded time, whatever the horizon."""
    page = visit(390, fragment="#play?instance=four&n=200000")
    part(page, "fast").click()
    frames = page.evaluate("""() => new Promise((resolve) => {
      let count = 0;
      const next = () => (++count < 6 ? requestAnimationFrame(next) : resolve(count));
      requestAnimationFrame(next);
    })""")
    assert frames == 6
    assert "At the end" not in part(page, "status").inner_text()
    part(page, "reset").click()
    expect(part(page, "status")).to_have_text("No decision yet.")
