"""What all claims on growth share: the rules, and controls of known growth."""

from __future__ import annotations

from epochbandits.claims.claim import Control
from epochbandits.claims.rules import Above, Below
from epochbandits.config.thresholds import Thresholds

__all__ = ["controls", "linear", "sublinear"]


def linear(thresholds: Thresholds) -> Above:
    """Return the rule that calls growth linear."""
    return Above(thresholds.linear, thresholds.level)


def sublinear(thresholds: Thresholds) -> Below:
    """Return the rule that calls growth sublinear."""
    return Below(thresholds.sublinear, thresholds.level)


def controls(thresholds: Thresholds) -> tuple[Control, ...]:
    """Return the controls: a fixed arm, bad on most instances, and EpochUCB with a tuned window."""
    return (
        Control("a fixed arm is called linear", "control-linear", linear(thresholds)),
        Control(
            "EpochUCB without L and with .5 in place of 6 is called sublinear",
            "control-sublinear",
            sublinear(thresholds),
        ),
    )
