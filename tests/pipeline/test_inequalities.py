"""Both sides of the paper's inequalities."""

import math
from dataclasses import asdict, fields

import numpy as np
import pandas as pd
import pytest

from epochbandits import InputError
from epochbandits.io.schemas import CHECKS, INEQUALITIES
from epochbandits.model.generators import failure_example, generate
from epochbandits.model.setting import Setting
from epochbandits.pipeline import inequalities
from epochbandits.pipeline.cases import Case
from epochbandits.pipeline.inequalities import inequality_table
from epochbandits.pipeline.simulated_cases import Runs, exploit_shares
from epochbandits.theory import penalty, ucb

INSTANCE = generate("anticorrelated", 3, 4, 0)
WIDE = generate("fast", 2, 2, 0, mean_others=[0.1, 0.3], min_gap=0.5)


def table(sets, **settings):
    return pd.DataFrame([asdict(case) for case in inequality_table(sets, **settings)])


def test_a_case_has_the_tables_columns():
    assert [field.name for field in fields(Case)] == INEQUALITIES.names


def test_lemmas_hold_exactly():
    rows = table({"set": [INSTANCE]}, tau0=5, gammas=[1, 0.7], epochs=300, checks=["lemmas"])
    assert set(rows["name"]) == {"lemma1", "lemma2"}
    assert (rows["left"] <= rows["right"]).all()
    assert (rows["left"] > 0).all()
    assert (rows[["margin", "runs"]] == 0).all(axis=None)
    assert set(rows["gamma"]) == {1.0, 0.7}
    assert set(rows["arm"]) == {0, 1, 2}


def test_theorem_1_for_discounts_and_paths():
    rows = table(
        {"wide": [WIDE]}, gammas=[1, 0.9], sampling=["marginal", "trajectory"], epochs=2000,
        seeds=10, checks=["theorem1"],
    )  # fmt: skip
    assert set(rows["at"]) == {250, 500, 1000, 2000}
    assert len(rows) == 4 * 2 * 2  # horizons, discounts and samplings of one suboptimal arm
    assert (rows["left"] + rows["margin"] <= rows["right"]).all()
    assert (rows["right"] < rows["trivial"]).any()
    setting = Setting(40, 1, 0.9)
    last = rows[(rows["at"] == 2000) & (rows["gamma"] == 0.9)]
    arm = int(np.argmax(WIDE.gap))
    assert last["right"].tolist() == [ucb.plays_bound(2000, WIDE, setting)[arm]] * 2
    arms, _ = Runs(WIDE, setting, "trajectory", 2000, 10).trace("epoch-ucb")
    path = last[last["sampling"] == "trajectory"]["left"].item()
    assert path == pytest.approx((arms == arm).sum(axis=1).mean())


def test_theorem_2_is_under_its_bound_where_it_says_something():
    sets = {"wide": [WIDE], "slow": [INSTANCE]}
    cases = table(sets, epochs=1500, seeds=60, checks=["theorem2"])
    rows = cases[cases["name"] == "theorem2"]
    # The theorem says nothing where c ≤ 8κ², so only of the quickly mixing instance.
    assert set(rows["instances"]) == {"wide"}
    k_prime = 100 * 2 / WIDE.min_gap**2
    assert rows["at"].min() == math.ceil(k_prime)
    says = rows[rows["right"] < 1]
    assert len(says) >= 2
    assert (says["left"] + says["margin"] <= says["right"]).all()
    # At the last epoch 60 runs can just tell: 3.8/60 and as much again above exploration.
    last = rows.iloc[-1]
    assert 0.12 < last["right"] - k_prime / last["at"] / 2 < 0.13
    # The valid bound of the same constants stands beside each epoch.
    valid = cases[cases["name"] == "theorem2_valid"].set_index("at")
    assert set(valid.index) == set(rows["at"])
    explored = k_prime / valid.index / 2
    np.testing.assert_allclose(1 - valid["trivial"], explored)
    np.testing.assert_allclose(rows.set_index("at")["right"], valid["right"] + explored)
    assert (valid["left"] < 1e-6).all()
    # Exploration has no sampling error, so left is ε_k/m and no less.
    assert (rows["left"] >= k_prime / rows["at"] / 2 - 1e-12).all()


def test_the_share_that_exploits_is_that_of_the_policy():
    """An epoch that does not play the arm with the best mean explores: with chance ε_k(1-1/m)."""
    arms, rewards = Runs(INSTANCE, Setting(), "marginal", 400, 200).trace(
        "epoch-greedy", c=1.0, d=0.2
    )
    epochs = (2, 50, 150, 400)
    for k, shares in zip(epochs, exploit_shares(arms, rewards, epochs, 3), strict=True):
        np.testing.assert_allclose(shares.sum(axis=1), 1)
        other = (shares[np.arange(200), arms[:, k - 1]] == 0).mean()
        chance = min(1, 75 / k) * 2 / 3
        assert other == pytest.approx(chance, abs=4 * math.sqrt(chance * (1 - chance) / 200))


def test_the_best_mean_by_hand():
    arms = np.array([[0, 1, 0, 2], [1, 1, 1, 1]])
    rewards = np.array([[0.2, 0.5, 0.6, 0.9], [0.0, 0.0, 0.0, 0.0]])
    first = [[1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1]]
    shares = exploit_shares(arms, rewards, [2, 3, 4, 5], 3)
    assert shares[:, 0].tolist() == first
    np.testing.assert_allclose(shares[:, 1], 1 / 3)


def test_the_two_estimates_of_theorem_2_agree():
    """The conditional expectation has the mean of the plain share of plays, and less spread."""
    problem = failure_example(0.2)
    arms, rewards = Runs(problem, Setting(2, 1), "trajectory", 60, 2000).trace(
        "epoch-greedy", c=1.0, d=0.4
    )
    eps = 12.5 / 60
    plain = arms[:, 59] == 1
    conditional = eps / 2 + (1 - eps) * exploit_shares(arms, rewards, [60], 2)[0, :, 1]
    assert conditional.mean() == pytest.approx(plain.mean(), abs=4 * plain.std() / math.sqrt(2000))
    assert conditional.std() < plain.std()


def test_remark_1_compares_with_time_averages():
    rows = table({"set": [INSTANCE]}, gammas=[1, 0.99, 0.5], epochs=300, checks=["remark1"])
    assert set(rows["gamma"]) == {0.99, 0.5}
    assert set(rows["name"]) == {f"remark1_{variant}" for variant in penalty.VARIANTS}
    assert set(rows["at"]) == {100, 300, 1000, 10_000}
    row = rows[(rows["name"] == "remark1_tight") & (rows["at"] == 300) & (rows["gamma"] == 0.5)]
    for side, gamma in (("left", 0.5), ("right", 1.0)):
        bound = penalty.penalty_bound(300, INSTANCE.mixing, Setting(40, 1, gamma), "tight").sum()
        assert row[side].item() == pytest.approx(bound)


def test_constants_and_order():
    rows = table({"set": [INSTANCE]}, epochs=5000, checks=["reasonable", "corollary2_order"])
    lam = rows[rows["name"] == "reasonable_lambda2"]
    assert lam["left"].tolist() == pytest.approx([mixing.lam**2 for mixing in INSTANCE.mixing])
    assert set(lam["right"]) == {0.83}
    rho = rows[rows["name"] == "reasonable_rho"]
    assert rho["left"].tolist() == pytest.approx(
        penalty.rho(5000, INSTANCE.mixing, Setting()).tolist()
    )
    assert rho["right"].tolist() == pytest.approx([math.sqrt(6 * math.log(5000))] * 3)
    order = rows[rows["name"] == "corollary2_order"]
    assert order["at"].tolist() == [10**5, 10**6, 10**7]
    assert (order["left"] <= order["right"]).all()
    assert (order["left"] > 3).all()  # a logarithm would have 1.2


def test_both_conditions_make_m_irreducible_and_the_control_does_not():
    rows = (
        table({}, epochs=10, checks=["irreducible"])
        .set_index(["name", "instances", "at"])
        .sort_index()
    )
    for condition in ("positive_diagonal", "reversible"):
        assert (rows.loc[condition, "left"] == 1).all()
        assert rows.loc[condition, "runs"].sum() > 6000
    assert (rows.loc["ergodic", "left"] > 1).any()
    assert rows.loc[("ergodic", "all patterns", 3), "left"] == 2  # the example of errata E3
    assert (rows.loc["not_necessary", "right"] >= 1).all()


def test_checks_without_instances_are_made_once():
    rows = table({"a": [WIDE], "b": [WIDE]}, epochs=10, checks=["example2"])
    assert len(rows) == 3
    np.testing.assert_allclose(rows["left"], 1 - 1 / (1 + rows["right"]))


def test_an_unknown_check_is_refused():
    with pytest.raises(InputError, match="did you mean 'lemmas'"):
        inequality_table({}, epochs=10, checks=["lemma"])


def test_every_check_is_computed():
    parts = (inequalities._WITHOUT_INSTANCES, inequalities._EXACT, inequalities._SIMULATED)
    assert sorted(CHECKS) == sorted(check for part in parts for check in part)
