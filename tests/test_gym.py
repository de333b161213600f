"""The Gymnasium environment: its checker accepts it, and its rewards are those of the engine."""

import subprocess
import sys
import warnings

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from epochbandits import InputError, Instance
from epochbandits.gym import BanditEnv
from epochbandits.model.rewards import Constant
from runs import INSTANCE


@pytest.mark.parametrize("sampling", ["marginal", "trajectory"])
def test_gymnasiums_checker_accepts_it(sampling):
    with warnings.catch_warnings():  # a warning of the checker is an error here
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*is not within the environment registry.*")
        warnings.filterwarnings("ignore", message=".*the spec.*")
        check_env(BanditEnv(INSTANCE, epochs=5, sampling=sampling), skip_render_check=True)


def test_an_episode_counts_lengths_plays_and_regret():
    env = BanditEnv(INSTANCE, epochs=4, tau0=3, zeta=2, engine="reference")
    env.reset(seed=0)
    taus, regret = [], 0.0
    for arm in (0, 1, 0, 0):
        observation, reward, terminated, truncated, info = env.step(arm)
        taus.append(info["tau"])
        regret += INSTANCE.mu.max() - info["expected"]
        assert observation[arm] == 1
        assert observation[-1] == reward
        assert observation.sum() == 1 + reward
    assert taus == [3, 3, 5, 7]
    assert (terminated, truncated) == (False, True)
    assert info["expected_regret"] == pytest.approx(regret)
    with pytest.raises(InputError, match="call reset"):
        env.step(0)


def test_feedback_of_constant_rewards_is_their_mean(tmp_path):
    half = [[0.5, 0.5], [0.5, 0.5]]
    path = tmp_path / "i.json"
    rewards = [[Constant(0.25)] * 2, [Constant(0.5)] * 2]
    Instance("constant", [half, half], rewards, [1, 0]).to_json(path)
    env = BanditEnv(str(path), epochs=2)
    env.reset(seed=1)
    assert [env.step(arm)[1] for arm in (0, 1)] == pytest.approx([0.25, 0.5], abs=1e-12)


def test_a_seed_repeats_an_episode():
    env = BanditEnv(INSTANCE, epochs=3)
    rewards = []
    for seed in (5, 5, 6):
        env.reset(seed=seed)
        rewards.append([env.step(np.int64(0))[1] for _ in range(3)])
    assert rewards[0] == rewards[1] != rewards[2]


def test_without_gymnasium_a_sentence_says_what_to_install():
    code = "import sys; sys.modules['gymnasium'] = None; import epochbandits.gym"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "pip install 'epochbandits[gym]'" in done.stderr
