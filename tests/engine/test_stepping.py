"""Environments that are played step by step."""

import numpy as np
import pytest

from epochbandits import InputError
from epochbandits.engine import environment
from epochbandits.model.setting import Setting
from exact_moments import advance
from runs import INSTANCE, run


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
@pytest.mark.parametrize("engine", ["fast", "reference"])
def test_an_environment_can_be_played_step_by_step(engine, sampling):
    """With a policy's name, its arms and lengths, it gives the rewards of that policy's run."""
    setting = Setting(4, 2, 0.8)
    options = {"sampling": sampling, "engine": engine}
    table = run("uniform", epochs=30, tau0=4, zeta=2, gamma=0.8, trace="full", seeds=[3], **options)
    steps = environment(INSTANCE, 3, setting=setting, policy="uniform", **options)
    distribution = np.array(INSTANCE.initial)
    for arm, tau, reward in zip(table["arm"], table["tau"], table["reward"], strict=True):
        np.testing.assert_allclose(steps.distribution, distribution, atol=1e-14)
        assert steps.play(arm, tau).reward == reward
        distribution = advance(INSTANCE, arm, distribution, tau)


@pytest.mark.parametrize(
    ("arm", "tau", "message"),
    [
        (4, 1, "arm must be a whole number from 0 to 3"),
        (-1, 1, "arm must be"),
        (0, 0, "tau must be a whole number from 1"),
        (0, 2**40 + 1, "tau must be"),
    ],
)
def test_an_environment_refuses_what_cannot_be_played(arm, tau, message):
    with pytest.raises(InputError, match=message):
        environment(INSTANCE, 0).play(arm, tau)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": -1}, "seed must be a whole number from 0"),
        ({"root": -1}, "root must be a whole number from 0"),
        ({"sampling": "path"}, "sampling must be one of marginal, trajectory"),
        ({"engine": "turbo"}, "engine must be one of fast, plain, reference"),
    ],
)
def test_an_environment_refuses_bad_options(options, message):
    with pytest.raises(InputError, match=message):
        environment(INSTANCE, **{"seed": 0} | options)
