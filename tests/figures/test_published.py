"""The published numbers are what the code at hand computes: a sample of them, computed again."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from epochbandits import instance_sets, parquet
from epochbandits.config import load_files
from epochbandits.config.plan import Plan
from epochbandits.eigenvalues import eigenvalue_table
from epochbandits.figures.registry import FIGURES
from epochbandits.theory import Epochs, greedy, ucb

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "figures" / "published"
# Bit for bit on one machine; see tests/workflow/test_quick.py for other machines.
EXACT = {"rtol": 1e-9, "atol": 1e-9}


@cache
def plan():
    return Plan(load_files([ROOT / "config" / "paper.yaml"]))


@cache
def published(figure):
    return pq.read_table(PUBLISHED / "data" / f"{figure}.parquet").to_pandas()


@cache
def instances(name):
    return instance_sets.make(plan().instance_set(name))


@pytest.mark.parametrize("figure", FIGURES)
def test_every_figure_is_published_with_the_present_configuration(figure):
    about = json.loads((PUBLISHED / f"{figure}.json").read_text(encoding="utf-8"))
    captions = str(ROOT / "workflow" / "report")
    expected = plan().figure_about(figure, captions)
    assert about["configuration"] == expected["configuration"]
    assert about["caption"] == expected["caption"]
    assert about["configuration"]["run"] == "paper"
    assert parquet.about(PUBLISHED / "data" / f"{figure}.parquet")["inputs"] == about["inputs"]
    for end in ("pdf", "png", "svg"):
        assert (PUBLISHED / f"{figure}.{end}").stat().st_size > 1000


@pytest.mark.parametrize(
    ("figure", "experiment", "policy", "instance", "gamma", "value"),
    [
        ("fig4a_ucb_vs_greedy", "epochs", "epoch-ucb", 0, 1.0, None),
        ("fig4b_greedy_decay", "epochs", "epoch-greedy-decayed", 3, 1.0, 1000.0),
        ("fig5a_ucb_discount", "discounts", "epoch-ucb", 1, 0.9, None),
    ],
)
def test_a_curve_of_one_instance(figure, experiment, policy, instance, gamma, value):
    """All seeds of one instance again: the published thin line, point for point."""
    data = published(figure)
    line = data[
        (data["line"] == "instance") & (data["policy"] == policy)
        & (data["instance"] == instance) & np.isclose(data["gamma"], gamma)
        & (data["value"].isna() if value is None else np.isclose(data["value"], value))
    ].sort_values("epoch")  # fmt: skip
    block = plan().config.experiments[experiment]
    task = plan().task(experiment, policy)
    problem = instances(block.instances[0])[instance]
    run = task.simulation(problem, "marginal", gamma, float("nan") if value is None else value)
    columns = run.columns(range(block.seeds))
    regret = columns["expected_regret"].reshape(block.seeds, -1).mean(axis=0)
    epochs = columns["epoch"].reshape(block.seeds, -1)[0]
    found = regret[np.isin(epochs, line["epoch"])]
    assert len(found) == len(line) > 100
    np.testing.assert_allclose(found, line["expected_regret"], **EXACT)


@pytest.mark.parametrize("policy", ["ucb", "exp3", "q-learning"])
def test_a_mean_of_fig6_is_the_mean_of_its_instances(policy):
    data = published("fig6a_baselines_4x4")
    data = data[data["policy"] == policy]
    lines = data[data["line"] == "instance"].groupby("epoch")["expected_regret"]
    mean = data[data["line"] == "mean"].sort_values("epoch")["expected_regret"]
    np.testing.assert_allclose(lines.mean(), mean, rtol=1e-12)
    assert (lines.size() == 5).all()


def bound_line(figure, gamma, algorithm, form):
    data = published(figure)
    chosen = data[
        (data["line"] == "instance") & (data["instance"] == 2) & (data["variant"] == "paper")
        & np.isclose(data["gamma"], gamma) & (data["algorithm"] == algorithm)
        & (data["form"] == form) & (data["epoch"] <= 20_000)
    ]  # fmt: skip
    assert len(chosen) > 50
    return chosen.sort_values("epoch")


@pytest.mark.parametrize("gamma", [1.0, 0.9])
def test_bounds(gamma):
    block = plan().config.bounds["discounts"]
    epochs = Epochs(block.tau0, block.zeta, gamma)
    problem = instances(block.instances)[2]
    line = bound_line("fig3b_ucb_bound_discount", gamma, "epoch-ucb", "")
    # ρ is that of the whole horizon, so the horizon has to be asked for as well.
    grid = np.append(line["epoch"].to_numpy(), block.horizon)
    found = ucb.regret_bound(grid, problem, epochs)[:-1]
    np.testing.assert_allclose(found, line["bound"], **EXACT)
    line = bound_line("fig3c_greedy_bound_discount", gamma, "epoch-greedy", "corrected")
    constants = greedy.best_constants(block.horizon, problem, epochs)
    np.testing.assert_allclose(constants.c, line["c"], **EXACT)
    found = greedy.regret_bound(line["epoch"].to_numpy(), problem, epochs, constants)
    np.testing.assert_allclose(found, line["bound"], **EXACT)


def test_stationary_laws_and_means():
    data = published("fig2a_stationary")
    problem = instances(plan().config.figures["fig2a_stationary"].source[0])[0]
    np.testing.assert_allclose(data["stationary"], problem.pi.ravel(), rtol=1e-12)
    np.testing.assert_allclose(data["mean_reward"], problem.reward_means.ravel(), rtol=1e-12)


def test_eigenvalues():
    data = published("tab1_mixing")
    block = plan().config.eigenvalues["mixing"]
    for law in block.laws:
        again = eigenvalue_table([law], 20, block.states, block.seed)
        first = data[data["law"] == law].sort_values("index")["lambda2"].to_numpy()[:20]
        np.testing.assert_allclose(again["lambda2"], first, **EXACT)
