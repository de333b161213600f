"""What claims on growth and on the best arm share: rules, horizons, controls of known growth."""

from __future__ import annotations

from typing import Any

from epochbandits.claims.claim import Control
from epochbandits.claims.estimators import GROWTH, late_plays
from epochbandits.claims.rules import Above, Below, MostOf
from epochbandits.config.thresholds import Thresholds


def linear(thresholds: Thresholds) -> Above:
    """Return the rule that calls growth linear."""
    return Above(thresholds.linear, thresholds.level)


def sublinear(thresholds: Thresholds) -> Below:
    """Return the rule that calls growth sublinear."""
    return Below(thresholds.sublinear, thresholds.level)


def growth_fields(thresholds: Thresholds) -> dict[str, Any]:
    """Return the fields shared by claims on growth.

    The controls are a fixed arm, bad on most instances, and EpochUCB with a tuned window.
    """
    return {
        "estimator": GROWTH,
        "controls": (
            Control("a fixed arm is called linear", "control-linear", linear(thresholds)),
            Control(
                "EpochUCB without L and with .5 in place of 6 is called sublinear",
                "control-sublinear",
                sublinear(thresholds),
            ),
        ),
        "epochs": thresholds.growth_epochs,
        "units": thresholds.growth_units,
    }


def identification_fields(thresholds: Thresholds) -> dict[str, Any]:
    """Return the fields shared by claims that a policy finds the best arm."""
    return {
        "quantifier": "all",
        "estimator": late_plays(thresholds.late, identified=True),
        "rule": MostOf(1 - thresholds.late, thresholds.nearly_all, thresholds.level),
        "epochs": thresholds.identify_epochs,
        "units": thresholds.identify_units,
    }
