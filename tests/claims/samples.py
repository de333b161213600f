"""Samples for which a rule's verdict is known."""

import numpy as np

from epochbandits.claims.rules import Above, Holds, MostBelow, MostOf, Near, NearQuantile, OneSided
from epochbandits.claims.sample import Sample

SHOWN = ("reproduced", "not reproduced", "undetermined")
"""The verdicts that a rule can give on data."""


def around(centre, spread=0.01, size=200):
    """Return values with a given mean and a small spread."""
    return Sample(centre + spread * np.resize([-1.0, 1.0], size), size)


def ratio(centre, spread=0.01, size=60):
    """Return a ratio of two policies' mean regrets near a given one."""
    scatter = 1 + spread * np.resize([-1.0, 1.0, 0.5, -0.5], size)
    part = np.stack([centre * scatter, np.ones(size)], axis=1)[:, None, :]
    return Sample.of(lambda means: means[..., 0] / means[..., 1], part)


def shares(rule, share, size=400):
    """Return values of which the rule counts a given share."""
    counted = np.arange(size) < round(share * size)
    side = -1.0 if isinstance(rule, MostBelow) else 1.0
    return Sample(np.where(counted, rule.threshold + side, rule.threshold - side), size)


def ranked(rule, target, size=4000):
    """Return evenly spaced values whose quantile is a given one."""
    step = rule.tolerance / 50
    return Sample(target + step * (np.arange(size) - rule.quantile * size) / 10, size)


def synthetic(rule):
    """Return samples for each verdict that a rule can give."""
    if isinstance(rule, OneSided):
        side = 0.3 if isinstance(rule, Above) else -0.3
        places = (rule.threshold + side, rule.threshold - side, rule.threshold)
        return {
            verdict: [around(place), ratio(place)]
            for verdict, place in zip(SHOWN, places, strict=True)
        }
    if isinstance(rule, Near):
        places = (rule.target, rule.target + 2 * rule.tolerance, rule.target + rule.tolerance)
        quantile = isinstance(rule, NearQuantile)
        return {
            verdict: [ranked(rule, place) if quantile else around(place, rule.tolerance / 10)]
            for verdict, place in zip(SHOWN, places, strict=True)
        }
    if isinstance(rule, MostOf):
        return {
            verdict: [shares(rule, share)]
            for verdict, share in zip(SHOWN, (1.0, 0.0, rule.share), strict=True)
        }
    assert isinstance(rule, Holds)
    some, dof = np.array([0.2, 0.9, 0.5]), np.full(3, 50.0)
    return {
        "reproduced": [
            Sample(some, 3, np.full(3, 0.02), dof),
            Sample(np.array([0.3, 1.0]), 0),
        ],
        "not reproduced": [
            Sample(some + np.array([0, 0.3, 0]), 3, np.full(3, 0.02), dof),
            Sample(np.array([0.3, 1.0 + 1e-9]), 0),
        ],
        "undetermined": [Sample(some, 3, np.full(3, 0.2), dof)],
    }
