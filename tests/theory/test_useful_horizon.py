"""The horizon from which a bound says something, against the bound at every n around it."""

import math

import numpy as np
import pytest

from epochbandits import InputError, Instance
from epochbandits.model.generators import failure_example, generate
from epochbandits.model.setting import Setting
from epochbandits.theory import greedy, ucb
from epochbandits.theory.useful_horizon import BOUNDS, RIVALS, first_useful_horizon

WIDE = generate("fast", 2, 2, 0, mean_others=[0.1, 0.3], min_gap=0.5)
MAIN = generate("anticorrelated", 4, 4, 0)


def value(n, instance, setting, bound, variant):
    if bound == "epoch-greedy":
        chosen = greedy.best_constants(n, instance, setting, variant)
        return float(greedy.regret_bound(n, instance, setting, chosen, variant))
    formula = ucb.regret_bound if bound == "epoch-ucb" else ucb.gap_independent_bound
    return float(formula(n, instance, setting, variant))


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("rival", RIVALS)
@pytest.mark.parametrize(
    ("instance", "gamma", "variant"),
    [(WIDE, 1.0, "paper"), (WIDE, 0.9, "min"), (MAIN, 1.0, "paper"), (MAIN, 0.7, "paper")],
)
def test_it_is_the_first_and_the_bound_stays_useful(instance, gamma, variant, rival, bound):
    setting = Setting(40, 1, gamma)
    slope = instance.gap.max() if rival == "worst" else instance.gap.mean()
    n = first_useful_horizon(instance, setting, bound, rival, variant)
    assert n == int(n)
    around = [*range(max(3, int(n) - 3), int(n) + 4), int(1.2 * n), 3 * int(n), 100 * int(n)]
    for k in around:
        assert (value(k, instance, setting, bound, variant) < slope * k) == (k >= n), k
    earlier = np.unique(
        np.geomspace(instance.arms + 1, max(instance.arms + 2, n - 1), 25).astype(int)
    )
    for k in earlier[earlier < n].tolist():
        assert value(k, instance, setting, bound, variant) >= slope * k


def test_a_bound_that_is_never_useful():
    """A gap of 10⁻⁵ needs more than 10⁹ epochs."""
    data = failure_example(0.5).to_dict()
    data["transition"][1] = data["transition"][0]
    mu = failure_example(0.5).mu[0]
    data["rewards"][1] = [{"law": "constant", "value": float(mu) - 1e-5}] * 2
    tiny = Instance.from_dict(data)
    assert first_useful_horizon(tiny, Setting()) == math.inf


def test_bad_input(two_arm_dict):
    with pytest.raises(InputError, match="did you mean 'epoch-ucb'"):
        first_useful_horizon(WIDE, Setting(), "epoch-ubc")
    with pytest.raises(InputError, match="rival"):
        first_useful_horizon(WIDE, Setting(), rival="best")
    two_arm_dict["transition"][1] = two_arm_dict["transition"][0]
    two_arm_dict["rewards"][1] = two_arm_dict["rewards"][0]
    with pytest.raises(InputError, match="all arms tie"):
        first_useful_horizon(Instance.from_dict(two_arm_dict), Setting())
