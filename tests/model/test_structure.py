"""Structure of instances: good states, correlation and holding time, by class."""

import math

import numpy as np
import pytest

from epochbandits import InputError, Instance
from epochbandits.model.generators import CLASSES, failure_example, generate
from epochbandits.model.rewards import Constant
from epochbandits.model.structure import best_other, correlation, good_states, holding_time

ENSEMBLE = range(100, 150)


def test_the_good_states_are_those_where_the_best_arm_pays_more_than_the_next():
    instance = failure_example(0.01)
    assert best_other(instance) == 1
    assert good_states(instance).tolist() == [False, True]
    for seed in range(20):
        instance = generate("anticorrelated", 4, 8, seed)
        home = np.argsort(instance.pi[instance.best_arm])[-2:]
        assert set(np.flatnonzero(good_states(instance))) == set(home)


def test_correlation_is_pearsons_averaged_over_the_other_arms():
    instance = generate("literal", 5, 6, 3)
    matrix = np.corrcoef(instance.pi)[instance.best_arm]
    expected = np.delete(matrix, instance.best_arm).mean()
    assert correlation(instance) == pytest.approx(expected, rel=1e-12)


def test_a_uniform_distribution_has_no_correlation():
    flat = [[0.5, 0.5], [0.5, 0.5]]
    instance = Instance(
        "flat", [[[0.9, 0.1], [0.8, 0.2]], flat], [[Constant(1.0)] * 2, [Constant(0.1)] * 2], [1, 0]
    )
    assert correlation(instance) == 0


@pytest.mark.parametrize("function", [best_other, correlation])
def test_one_arm_has_no_others(function):
    instance = Instance("alone", [[[0.5, 0.5], [0.5, 0.5]]], [[Constant(1.0)] * 2], [1, 0])
    with pytest.raises(InputError, match="no other arm"):
        function(instance)


@pytest.mark.parametrize("name", CLASSES)
def test_only_one_class_is_uncorrelated(name):
    """Errata D8 has the means; `literal` is as anti-correlated as the default class."""
    correlations = np.array([correlation(generate(name, 4, 4, seed)) for seed in ENSEMBLE])
    if name == "uncorrelated":
        assert abs(correlations.mean()) < 3 * correlations.std() / math.sqrt(len(correlations))
    else:
        assert correlations.mean() < -0.7
        assert correlations.max() < 0


# --- holding time ---------------------------------------------------------------------------------


def mean_visit(instance):
    """Return the mean length of visits to S* from the law with which they begin, solved exactly."""
    good = good_states(instance)
    pi, P = instance.pi[instance.best_arm], instance.transition[instance.best_arm]
    entry = (pi[~good] @ P[~good])[good]
    lengths = np.linalg.solve(np.eye(good.sum()) - P[np.ix_(good, good)], np.ones(good.sum()))
    return entry @ lengths / entry.sum()


@pytest.mark.parametrize("states", [4, 8])
def test_holding_time_is_the_mean_length_of_a_visit(states):
    for seed in range(10):
        instance = generate("anticorrelated", 4, states, seed)
        assert holding_time(instance) == pytest.approx(mean_visit(instance), rel=1e-9)


def test_holding_time_of_example_1():
    assert holding_time(failure_example(0.01)) == pytest.approx(100)


def test_without_a_way_out_it_is_infinite():
    """All states are good where the best arm pays most everywhere."""
    flat = [[0.5, 0.5], [0.5, 0.5]]
    rewards = [[Constant(1.0)] * 2, [Constant(0.1)] * 2]
    assert holding_time(Instance("everywhere", [flat, flat], rewards, [1, 0])) == math.inf


def test_the_good_states_hold_the_chain_far_longer_than_one_over_one_minus_a():
    """With one good state and no jitter an exit has probability (1-a*)δ; 1/(1-a*) is wrong."""
    for seed in range(20):
        instance = generate("anticorrelated", 4, 4, seed, jitter=[1.0, 1.0])
        good = good_states(instance)
        pi, P = instance.pi[instance.best_arm], instance.transition[instance.best_arm]
        delta = 1 - pi[good].sum()
        stick = (P[good][:, good].item() - pi[good].item()) / (1 - pi[good].item())
        assert 0.95 <= stick <= 0.98
        assert holding_time(instance) == pytest.approx(1 / ((1 - stick) * delta), rel=1e-6)
        assert holding_time(instance) > 15 / (1 - stick)


def test_the_median_holding_time_of_the_ensemble_is_about_a_thousand():
    times = [holding_time(generate("anticorrelated", 4, 4, seed)) for seed in ENSEMBLE]
    assert 900 < np.median(times) < 1100
