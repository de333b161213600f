"""Channels that say less and more than a reward."""

import numpy as np
import pytest

from epochbandits.model.generators import generate
from epochbandits.model.instance import Instance
from epochbandits.model.observations import reward_channels
from epochbandits.model.rewards import Bernoulli, Beta, Constant, Uniform


def one_arm(*laws):
    P = np.full((len(laws), len(laws)), 1 / len(laws))
    return Instance("one", [P], [laws], np.full(len(laws), 1 / len(laws)))


def information(channel, prior):
    """Return the mutual information of state and outcome."""
    joint = channel * prior
    product = joint.sum(axis=1, keepdims=True) * prior
    return float((joint[joint > 0] * np.log(joint[joint > 0] / product[joint > 0])).sum())


def test_without_densities_both_are_the_reward():
    channels = reward_channels(one_arm(Bernoulli(0.25), Constant(1.0), Constant(0.5)), 0)
    expected = [[0.75, 0, 0], [0, 0, 1], [0.25, 1, 0]]  # rewards 0, ½ and 1
    np.testing.assert_allclose(channels.coarse, expected)
    np.testing.assert_allclose(channels.fine, expected)


def test_columns_are_distributions():
    instance = generate("literal", 4, 4, 3)
    for arm in range(4):
        for channel in reward_channels(instance, arm):
            np.testing.assert_allclose(channel.sum(axis=0), 1)
            assert (channel >= 0).all()


def test_equal_laws_tell_nothing_and_disjoint_ones_tell_all():
    same = reward_channels(one_arm(Beta(2, 3), Beta(2, 3)), 0)
    prior = np.array([0.3, 0.7])
    assert information(same.coarse, prior) == pytest.approx(0, abs=1e-12)
    assert information(same.fine, prior) < 0.01
    apart = reward_channels(one_arm(Uniform(0, 0.4), Uniform(0.4, 1)), 0)
    for channel in apart:
        assert information(channel, prior) == pytest.approx(-(prior * np.log(prior)).sum())


def test_the_reward_lies_between_and_more_bins_close_the_gap():
    """The information of the reward itself, by quadrature."""
    instance, prior = one_arm(Beta(2, 5), Beta(4, 2)), np.array([0.5, 0.5])
    exact = information(reward_channels(instance, 0, 1000).coarse, prior)
    gaps = []
    for bins in (4, 8, 32):
        coarse, fine = reward_channels(instance, 0, bins)
        low, high = information(coarse, prior), information(fine, prior)
        assert low <= exact <= high
        gaps.append(high - low)
    assert gaps[0] > gaps[1] > gaps[2]
    assert gaps[2] < 0.1
