"""What is computed without a run: samples on instances whose numbers are known."""

import numpy as np
import pandas as pd
import pytest

from epochbandits.claims import estimators_exact as exact
from epochbandits.claims import estimators_theory as theory
from epochbandits.claims.conditions import Counters, Inequality, InstancesOf
from epochbandits.model.generators import generate
from epochbandits.model.instance import Instance
from epochbandits.model.rewards import Constant
from epochbandits.model.setting import Setting
from epochbandits.theory.penalty import penalty_bound

INSTANCES = [generate("anticorrelated", 3, 3, seed) for seed in range(4)]
CONDITION = InstancesOf("", "set", n=1000)


class Given:
    """Evidence with given instances."""

    def __init__(self, *instances):
        self.instances = instances

    def members(self, condition):
        return list(self.instances)


def two_states(rewards, leave=(0.1, 0.1)):
    """Return two arms: the first holds state 0, the second state 1."""
    stay, go = 1 - leave[0], leave[0]
    first = [[stay, go], [1 - leave[1], leave[1]]]
    second = [[leave[1], 1 - leave[1]], [go, stay]]
    laws = [[Constant(value) for value in row] for row in rewards]
    return Instance(name="two", transition=[first, second], rewards=laws, initial=[0.5, 0.5])


def test_fill_holds_and_is_exact_at_the_start():
    """From the rarest state, at n = 0, the distance is 1 - π_min."""
    sample = exact.FILL.sample(Given(*INSTANCES), CONDITION)
    assert (sample.values <= 1).all()
    instance = INSTANCES[0]
    least = instance.pi[0].min()
    assert sample.values[0] == pytest.approx((1 - least) ** 2 / instance.mixing[0].C ** 2)


def test_the_bound_of_the_start_exceeds_the_largest_distance_by_the_least_probability():
    sample = exact.FILL_START.sample(Given(INSTANCES[0]), CONDITION)
    for value, pi in zip(sample.values, INSTANCES[0].pi, strict=True):
        start = np.eye(len(pi))[np.argmin(pi)]
        assert value == pytest.approx(
            ((start - pi) ** 2 / pi).sum() / (1 + (1 - pi.min()) ** 2 / pi.min())
        )


def test_branches():
    """Υ is tighter for γ ≠ λ everywhere, L is not (errata E4)."""
    evidence = Given(*INSTANCES)
    assert (exact.UPSILON_BRANCHES.sample(evidence, CONDITION).values <= 1 + 1e-12).all()
    assert exact.PENALTY_BRANCHES.sample(evidence, CONDITION).values.max() > 1


def test_the_best_policy_uses_the_state():
    """Arm 0 pays in state 1 and leads to 0, arm 1 the other way round: alternating pays always."""
    instance = two_states([[0.0, 1.0], [1.0, 0.0]])
    value = exact.STATE_POLICY.sample(Given(instance), CONDITION).values
    # Arm 1 in state 0 and arm 0 in state 1 earn 1 in every iteration.
    assert value == pytest.approx([1 / instance.mu.max()])
    same = two_states([[0.7, 0.7], [0.2, 0.2]])
    assert exact.STATE_POLICY.sample(Given(same), CONDITION).values == pytest.approx([1.0])


@pytest.mark.parametrize("kind", ["rotting", "recharging"])
def test_counters_are_transient(kind):
    sample = exact.REDUCIBLE_SHARE.sample(None, Counters("", kind, 3))
    assert sample.values.tolist() == [1.0, 1.0]


def test_a_chain_without_counters_is_recurrent():
    """With a cap of zero there is one state, and the check can come out the other way."""
    assert exact.REDUCIBLE_SHARE.sample(None, Counters("", "rotting", 0)).values.tolist() == [
        0.0,
        0.0,
    ]


def test_the_penalty_with_discounts_over_that_of_averages():
    condition = InstancesOf("", "set", 0.5, 5000)
    sample = theory.PENALTY_BOUND_OVER_AVERAGED.sample(Given(*INSTANCES), condition)
    for value, instance in zip(sample.values, INSTANCES, strict=True):
        both = [penalty_bound(5000, instance.mixing, Setting(40, 1, g)).sum() for g in (0.5, 1.0)]
        assert value == pytest.approx(both[0] / both[1])


class Cases:
    """Evidence with the numbers of classes of M(P)."""

    def __init__(self, ergodic):
        self.classes = {"reversible": [1.0, 1.0], "ergodic": ergodic}

    def inequality(self, condition):
        return pd.DataFrame({"left": self.classes[condition.name]})


@pytest.mark.parametrize(("ergodic", "count"), [([1.0, 3.0], 2), ([1.0, 1.0], 0)])
def test_irreducibility_needs_a_control_that_fails(ergodic, count):
    sample = theory.CLASSES.sample(Cases(ergodic), Inequality("", "reversible"))
    assert len(sample.values) == count
