"""The same arm at every decision."""

from __future__ import annotations

from epochbandits.policies import scripted
from epochbandits.policies.base import Info, learn_nothing, register
from epochbandits.validation import integer


def build(info: Info, *, arm: int = 0) -> scripted.Scripted:
    """Parameter: the arm."""
    return scripted.build(info, arms=[integer(arm, "arm", 0, info.arms - 1)])


register(
    "fixed-arm",
    schedule="linear",
    memory=scripted.Scripted,
    build=build,
    choose=scripted.choose,
    learn=learn_nothing,
)
