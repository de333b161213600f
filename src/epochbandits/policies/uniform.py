"""A uniform arm at each decision: α(k) ~ U{1..m}."""

from __future__ import annotations

from typing import NamedTuple

from epochbandits.jit import inlined
from epochbandits.policies.base import Info, learn_nothing, register


class Uniform(NamedTuple):
    """The number of arms."""

    arms: int


def build(info: Info) -> Uniform:
    """No parameters."""
    return Uniform(info.arms)


@inlined
def choose(policy, k, beta, rng):
    return int(rng.random() * policy.arms)


register(
    "uniform",
    schedule="linear",
    memory=Uniform,
    build=build,
    choose=choose,
    learn=learn_nothing,
)
