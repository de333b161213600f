"""Both sides of the paper's inequalities."""

import numpy as np
import pandas as pd

from epochbandits.io.schemas import INEQUALITIES
from epochbandits.model.generators import generate
from epochbandits.pipeline.inequalities import inequality_table

INSTANCE = generate("anticorrelated", 3, 4, 0)
SMALL = {"tau0": 5, "zeta": 1, "gammas": [1.0, 0.7], "epochs": 300, "seeds": 20, "cprime": 50.0,
         "c": 100.0}  # fmt: skip


def test_lemmas_hold_exactly_and_theorems_are_simulated():
    wide = generate("fast", 2, 2, 0, mean_others=[0.1, 0.3], min_gap=0.5)
    rows = inequality_table("set", [INSTANCE], **SMALL)
    rows += inequality_table("wide", [wide], **(SMALL | {"tau0": 40, "epochs": 1500, "seeds": 100}))
    table = pd.DataFrame(rows, columns=INEQUALITIES.names)
    assert set(table["name"]) == {"lemma1", "lemma2", "theorem1", "theorem2"}
    lemmas = table[table["name"].str.startswith("lemma")]
    assert (lemmas["left"] <= lemmas["right"]).all()
    assert (lemmas["margin"] == 0).all()
    assert (lemmas["left"] > 0).all()
    # Theorem 2 says nothing where c is below c'ν², so only of the quickly mixing instance
    assert set(table.loc[table["name"] == "theorem2", "instances"]) == {"wide"}
    plays = table[table["name"] == "theorem1"]
    assert (plays["left"] <= plays["right"]).all()
    assert set(plays.loc[plays["instances"] == "set", "arm"]) == set(
        np.flatnonzero(INSTANCE.gap > 0)
    )


def test_theorem2s_share_is_the_exploration_rate_while_that_is_all():
    """Long after k' a suboptimal arm is played by exploration alone: ε_k/m, within the margin."""
    wide = generate("fast", 2, 2, 0, mean_others=[0.1, 0.3], min_gap=0.5)
    rows = inequality_table("wide", [wide], **(SMALL | {"tau0": 40, "epochs": 3000, "seeds": 400}))
    table = pd.DataFrame(rows, columns=INEQUALITIES.names)
    last = table[table["name"] == "theorem2"].sort_values("at").iloc[-1]
    rate = SMALL["c"] * 2 / wide.min_gap**2 / last["at"]
    assert abs(last["left"] - rate / 2) <= 1.5 * last["margin"]
