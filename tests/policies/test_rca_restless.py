"""RCA on restless bandits, whose rewards show the state of the played channel alone."""

import pytest

from epochbandits.engine.simulation import simulate
from epochbandits.model.restless import restless
from epochbandits.validation import InputError

CHANNELS = [[[0.8, 0.2], [0.3, 0.7]], [[0.6, 0.4], [0.5, 0.5]]]


def test_a_block_lasts_from_one_visit_of_the_first_state_to_the_next():
    instance = restless(CHANNELS, [[0.05, 0.95], [0.1, 0.8]])
    runs = simulate(instance, "rca", iterations=400, seeds=[3], sampling="trajectory", trace="full")
    arms, rewards = runs["arm"].tolist(), runs["reward"].tolist()
    first = {arm: rewards[arms.index(arm)] for arm in (0, 1)}
    switches = [k for k in range(1, 400) if arms[k] != arms[k - 1]]
    assert len(switches) > 4
    for k in switches:  # an arm is left only in its regenerative state
        assert rewards[k - 1] == first[arms[k - 1]]


@pytest.mark.parametrize(
    "instance",
    [
        restless(CHANNELS, [[0.1, 1.0], [0.0, 0.8]], "bernoulli"),
        # Two states of the three pay the same and differ in what follows.
        restless([[[0.5, 0.5, 0], [0.1, 0.5, 0.4], [0, 0.2, 0.8]], CHANNELS[0]],
                 [[0.5, 0.5, 1.0], [0.0, 1.0]]),
    ],
    ids=["bernoulli", "hidden"],
)  # fmt: skip
def test_rewards_that_hide_the_channel_are_refused(instance):
    with pytest.raises(InputError, match="arm 0 do not reveal the state"):
        simulate(instance, "rca", iterations=10, seeds=[0])
