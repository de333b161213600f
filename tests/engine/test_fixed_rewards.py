"""If rewards depend on the arm alone, a policy without chance plays the same in every engine."""

import numpy as np
import pytest
from scipy import stats

from epochbandits import Instance, simulate
from epochbandits.model.rewards import Constant
from stretch_replay import AHEAD, UNCONDITIONAL

WITHOUT_CHANCE = [
    *((policy, {}) for policy in AHEAD if policy != "eps-greedy"),
    *((policy, params) for policy, choices in UNCONDITIONAL.items() for params in choices),
    ("ucb2", {"alpha": 0.9}),
]


def fixed(*rewards):
    """Return an instance of 4 states whose arms each pay one constant."""
    transition = np.full((len(rewards), 4, 4), 0.25)
    laws = tuple((Constant(reward),) * 4 for reward in rewards)
    return Instance("fixed", transition, laws, np.full(4, 0.25))


@pytest.mark.parametrize(("policy", "params"), WITHOUT_CHANCE)
@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
def test_stretches_play_the_arms_of_single_decisions(policy, params, sampling):
    instance = fixed(0.61, 0.6, 0.35)
    options = {"iterations": 10_000, "seeds": 1, "sampling": sampling, "trace": "full"}
    fast, reference = (
        simulate(instance, policy, engine=engine, **options, **params)["arm"].to_numpy()
        for engine in ("fast", "reference")
    )
    assert len(set(reference)) == 3
    np.testing.assert_array_equal(fast, reference)


@pytest.mark.parametrize("policy", ["eps-greedy", "epoch-greedy"])
def test_a_tie_is_broken_at_random(policy):
    options = {"iterations": 1} if policy == "eps-greedy" else {"epochs": 1}
    runs = simulate(fixed(0.5, 0.5, 0.5, 0.2), policy, seeds=800, c=0.0, d=0.1, **options)
    counts = np.bincount(runs["arm"], minlength=4)
    assert stats.chisquare(counts).pvalue > 1e-6
