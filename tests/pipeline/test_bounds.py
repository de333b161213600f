"""Tables of bounds: the theory on a grid, and the horizons from which it is useful."""

import numpy as np
import pandas as pd
import pytest

from epochbandits import InputError, Instance
from epochbandits.io.schemas import BOUNDS
from epochbandits.model.generators import generate
from epochbandits.model.setting import Setting
from epochbandits.pipeline.bounds import bound_table
from epochbandits.theory import greedy, ucb
from epochbandits.theory.useful_horizon import first_useful_horizon

INSTANCE = generate("fast", 3, 3, 0)
BLOCK = {"tau0": 40, "zeta": 1, "gammas": [1.0, 0.5], "variants": ["paper"], "horizon": 50_000,
         "points": 20}  # fmt: skip


def table(**changes):
    rows = pd.DataFrame(bound_table("set", [INSTANCE], **(BLOCK | changes)))
    assert list(rows) == BOUNDS.names
    return rows.set_index(["algorithm", "form", "gamma", "epoch"]).sort_index()


def test_every_bound_is_the_theorys():
    rows = table(horizons=[1000, 50_000])
    for gamma in (1.0, 0.5):
        setting = Setting(40, 1, gamma)
        chosen = greedy.best_constants(50_000, INSTANCE, setting)  # tuned at the horizon's end
        for n in (1000, 50_000):
            expected = {
                ("epoch-ucb", ""): ucb.regret_bound(n, INSTANCE, setting),
                ("epoch-ucb", "gap-independent"): ucb.gap_independent_bound(n, INSTANCE, setting),
                ("trivial", ""): n * INSTANCE.gap.max(),
                ("epoch-greedy", "corrected"): greedy.regret_bound(n, INSTANCE, setting, chosen),
                ("epoch-greedy", "paper"): greedy.regret_bound(
                    n, INSTANCE, setting, chosen, "paper", "paper"
                ),
            }
            for key, value in expected.items():
                row = rows.loc[(*key, gamma, n)]
                assert row["bound"] == pytest.approx(float(value))
                assert np.isnan(row["c"]) == (key[0] != "epoch-greedy")
                assert np.isnan(row["useful_from"])
    assert len(rows) == 2 * 2 * len(expected)


def test_the_grid_ends_at_the_horizon():
    epochs = table().loc["trivial", "", 1.0].index
    assert epochs[-1] == 50_000
    assert epochs[0] == INSTANCE.arms
    assert 15 < len(epochs) <= 20


def test_useful_horizons_are_those_of_the_theory():
    rows = table(gammas=[0.5], horizons=[50_000], useful=True)
    for form, bound in (("", "epoch-ucb"), ("gap-independent", "gap-independent")):
        row = rows.loc["epoch-ucb", form, 0.5, 50_000]
        for column, rival in (("useful_from", "worst"), ("beats_random_from", "random")):
            horizon = first_useful_horizon(INSTANCE, Setting(40, 1, 0.5), bound, rival)
            assert row[column] == horizon
    greedy_row = rows.loc["epoch-greedy", "corrected", 0.5, 50_000]
    assert 3 <= greedy_row["useful_from"] < greedy_row["beats_random_from"] < np.inf
    for key in (("trivial", ""), ("epoch-greedy", "paper")):
        assert rows.loc[(*key, 0.5, 50_000), ["useful_from", "beats_random_from"]].isna().all()


def test_tied_arms_are_refused(two_arm_dict):
    two_arm_dict["transition"][1] = two_arm_dict["transition"][0]
    two_arm_dict["rewards"][1] = two_arm_dict["rewards"][0]
    with pytest.raises(InputError, match="all its arms tie"):
        bound_table("set", [Instance.from_dict(two_arm_dict)], **BLOCK)
