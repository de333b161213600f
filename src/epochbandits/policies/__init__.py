"""Policies, one file each, known by name in `POLICIES`; `base` says what a policy is."""

from epochbandits.policies import (  # noqa: F401  (importing a file registers its policies)
    epoch_greedy,
    epoch_ucb,
    eps_greedy,
    exp3,
    fixed_arm,
    q_learning,
    scripted,
    ucb,
    ucb_tuned,
    uniform,
)
from epochbandits.policies.base import POLICIES, Builtin, Info, Policy, register

__all__ = ["POLICIES", "Builtin", "Info", "Policy", "register"]
