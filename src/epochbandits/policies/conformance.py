"""Check that a policy follows the protocol: call `problems` with its class before running it.

In your test suite::

    from epochbandits.policies.conformance import problems
    def test_my_policy():
        assert problems(MyPolicy) == []
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from epochbandits.model.generators import generate
from epochbandits.model.instance import Instance
from epochbandits.model.schedules import parse_schedule
from epochbandits.model.setting import Setting
from epochbandits.policies.base import Info, Policy, default_schedule, is_arm
from epochbandits.validation import InputError

_DECISIONS = 211  # prime, so that a policy that keeps counting after reset does not line up again


def problems(policy: Callable[..., Policy], **params: Any) -> list[str]:
    """Return what is wrong with a policy.

    Parameters
    ----------
    policy : class or callable
        What `simulate` would take.
    **params : dict
        The policy's parameters.

    Returns
    -------
    list of str
        One sentence for each problem; empty if there is none.
    """
    try:
        return list(_problems(policy, params))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        return [f"it raised {type(error).__name__}: {error}"]


def _problems(policy: Callable[..., Policy], params: dict[str, Any]) -> Iterator[str]:
    instantiated = policy(**params)
    missing = [name for name in ("reset", "choose", "update") if not hasattr(instantiated, name)]
    if missing:
        yield f"it lacks the method {missing[0]!r}"
        return
    try:
        parse_schedule(default_schedule(instantiated), Setting())
    except InputError as error:
        yield str(error)
    for arms, states in ((2, 2), (5, 3)):
        instance = generate("fast", arms, states, 0)
        first = _arms_played(policy(**params), instance, seed=1)
        wrong = [arm for arm in first if not is_arm(arm, arms)]
        if wrong:
            yield f"choose returned {wrong[0]!r} with {arms} arms; it must be a whole number from 0"
            return
        if _arms_played(policy(**params), instance, seed=1) != first:
            yield "two runs with the same random stream differ: draw from reset's rng only"
        reused = policy(**params)
        _arms_played(reused, instance, seed=2)
        if _arms_played(reused, instance, seed=1) != first:
            yield "a run after another one differs from a first run: reset must forget everything"


def _arms_played(policy: Policy, instance: Instance, seed: int) -> list[Any]:
    """Return the arms that a policy chooses; the rewards do not depend on them."""
    rng = np.random.default_rng(seed)
    rewards = np.random.default_rng(100 + seed).choice([0.0, 0.3, 1.0], size=_DECISIONS)
    policy.reset(Info(instance, Setting(), _DECISIONS), rng)
    observe = getattr(policy, "observe", None) or (lambda _: None)
    distribution = np.array(instance.initial)
    observe(distribution)
    played = []
    for k, reward in enumerate(rewards, start=1):
        arm = policy.choose(k)
        played.append(arm)
        if not is_arm(arm, instance.arms):
            break
        distribution = distribution @ instance.transition[int(arm)]
        observe(distribution)
        policy.update(int(arm), float(reward))
    return played
