"""The channels of Tekin and Liu (2012): parameters and listed means agree."""

import numpy as np
import pytest

from epochbandits.model.restless import restless
from epochbandits.planning import load_studies

BAD, GOOD = 0.1, 1.0
P01 = [0.01, 0.01, 0.02, 0.02, 0.03, 0.03, 0.04, 0.04, 0.05, 0.05]
P10 = [0.08, 0.07, 0.08, 0.07, 0.08, 0.07, 0.02, 0.01, 0.02, 0.01]
LISTED = [0.20, 0.21, 0.28, 0.30, 0.35, 0.37, 0.70, 0.82, 0.74, 0.85]


def mean(p01, p10):
    return BAD + (GOOD - BAD) * p01 / (p01 + p10)


def test_the_parameters_give_the_listed_means():
    assert [mean(a, b) for a, b in zip(P01, P10, strict=True)] == pytest.approx(LISTED, abs=0.005)


def test_channel_8_as_transcribed_does_not():
    assert mean(P01[7], 0.02) == pytest.approx(0.70)


def test_the_study_has_the_six_channels_of_the_largest_means():
    params = load_studies().config.instances["tekin_liu_s1"].params
    channels = sorted(np.argsort(LISTED)[4:])
    expected = [[[1 - P01[i], P01[i]], [P10[i], 1 - P10[i]]] for i in channels]
    np.testing.assert_allclose(params["channels"], expected)
    instance = restless(**params)
    np.testing.assert_allclose(instance.mu, [LISTED[i] for i in channels], atol=0.005)
    assert set(instance.reward_means.ravel()) == {BAD, GOOD}
