"""Problems of other papers as instances: product chains, i.i.d. arms, counters."""

import numpy as np
import pytest

from epochbandits.model.counters import counters, transition
from epochbandits.model.cycles import best_cycle
from epochbandits.model.problems import build
from epochbandits.model.restless import iid, restless
from epochbandits.validation import InputError

CHANNELS = [[[0.8, 0.2], [0.3, 0.7]], [[0.6, 0.4], [0.5, 0.5]]]
MEANS = [[0.0, 1.0], [0.1, 0.8]]


def test_the_product_chain_moves_each_channel_by_its_own_matrix():
    instance = restless(CHANNELS, MEANS)
    for arm in range(2):
        P = instance.transition[arm].reshape(2, 2, 2, 2)
        for axis, channel in enumerate(CHANNELS):
            other = 1 - axis  # summed out of the next state; any present state of it
            marginal = P.sum(axis=2 + other).take(0, axis=other)
            np.testing.assert_allclose(marginal, channel)
    np.testing.assert_array_equal(instance.transition[0], instance.transition[1])


def test_each_arm_earns_what_its_channel_does():
    """π of a channel is (p10, p01)/(p01 + p10)."""
    instance = restless(CHANNELS, MEANS)
    assert instance.mu.tolist() == pytest.approx([0.2 / 0.5, (0.5 * 0.1 + 0.4 * 0.8) / 0.9])
    assert instance.reward_means.tolist() == [[0, 0, 1, 1], [0.1, 0.8, 0.1, 0.8]]


def test_the_start_is_one_move_before_the_first_reward():
    np.testing.assert_allclose(restless(CHANNELS, MEANS).initial, np.kron([0.8, 0.2], [0.6, 0.4]))
    late = restless(CHANNELS, MEANS, "bernoulli", [1, 0])
    np.testing.assert_allclose(late.initial, np.kron([0.3, 0.7], [0.6, 0.4]))
    assert late.rewards[1][1].to_dict() == {"law": "bernoulli", "p": 0.8}


def test_channels_of_different_sizes():
    three = [[0.5, 0.5, 0], [0.2, 0.5, 0.3], [0, 0.5, 0.5]]
    instance = restless([three, CHANNELS[0]], [[0, 0.5, 1], [0, 1]])
    assert instance.states == 6
    assert instance.mu[1] == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((CHANNELS, MEANS[:1]), "one entry per arm, not 2 and 1"),
        ((CHANNELS, [[0], [0, 1]]), r"means\[0\] must have 2 entries"),
        ((CHANNELS, MEANS, "gauss"), "law"),
        ((CHANNELS, MEANS, "constant", [0]), "start must have 2 entries"),
        ((CHANNELS, MEANS, "constant", [0, 2]), r"start\[1\]"),
        (([[[0.5, 0.4], [0.5, 0.5]]], [[0, 1]]), "sums to 0.9"),
    ],
)
def test_what_is_no_restless_bandit_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        restless(*arguments)


def test_iid_arms_forget_the_state_and_have_the_means():
    instance = iid([0.9, 0.05])
    assert instance.mu.tolist() == pytest.approx([0.9, 0.05])
    assert [m.lam for m in instance.mixing] == [0, 0]
    assert instance.reward_means.tolist() == pytest.approx(np.array([[0.85, 0.95], [0.025, 0.075]]))


def test_counters_move_as_they_are_named():
    """States are (0, 0), (0, 1), (1, 0), (1, 1)."""
    rotting, recharging = transition("rotting", 1), transition("recharging", 1)
    assert rotting[0].argmax(axis=1).tolist() == [2, 3, 2, 3]
    assert recharging[0].argmax(axis=1).tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize("kind", ["rotting", "recharging"])
def test_the_truncation_itself_breaks_assumption_1(kind):
    with pytest.raises(InputError, match=r"reducible.*\(Assumption 1\)"):
        counters(kind, [[0.9, 0.5], [0.6, 0.5]], restart=0)


def test_recharging_pays_for_alternating():
    """With cap 1 an alternation finds its arm recharged unless a restart says otherwise."""
    instance = counters("recharging", [[0.2, 0.9], [0.2, 0.9]], restart=0.01)
    assert best_cycle(instance).arms in ((0, 1), (1, 0))
    assert best_cycle(instance).reward == pytest.approx(0.99 * 0.9 + 0.01 * 0.55)
    assert instance.mu.max() == pytest.approx(0.99 * 0.2 + 0.01 * 0.55)


def test_a_problem_is_built_by_name():
    assert build("rotting", {"means": [[0.9, 0.5], [0.6, 0.5]]}).name == "rotting-cap1-restart0.01"
    with pytest.raises(InputError, match="did you mean 'means'"):
        build("iid", {"mean": [0.5]})
    with pytest.raises(InputError, match="needs the parameter 'channels'"):
        build("restless", {"means": MEANS})
