"""Samples for which a rule's verdict is known."""

import numpy as np

from epochbandits.claims.rules import Above, Holds, MostOf, Near, OneSided, Sample


def around(centre, spread=0.01, size=50):
    """Return values with a given mean and a small spread."""
    return Sample(centre + spread * np.resize([-1.0, 1.0], size), size)


def shares(rule, share, size=50):
    """Return values of which a given share is above the rule's threshold."""
    above = np.arange(size) < round(share * size)
    return Sample(np.where(above, rule.threshold + 1, rule.threshold - 1), size)


def synthetic(rule):
    """Return a sample for each verdict that a rule can give."""
    if isinstance(rule, OneSided):
        side = 1.0 if isinstance(rule, Above) else -1.0
        return {
            "reproduced": around(rule.threshold + side),
            "not reproduced": around(rule.threshold - side),
            "undetermined": around(rule.threshold),
        }
    if isinstance(rule, Near):
        return {
            "reproduced": around(rule.target, rule.tolerance / 10),
            "not reproduced": around(rule.target + 2 * rule.tolerance, rule.tolerance / 10),
            "undetermined": around(rule.target + rule.tolerance, rule.tolerance / 10),
        }
    if isinstance(rule, MostOf):
        return {
            "reproduced": shares(rule, 1.0),
            "not reproduced": shares(rule, 0.0),
            "undetermined": shares(rule, rule.share),
        }
    assert isinstance(rule, Holds)
    some = np.array([0.2, 0.9, 0.5])
    return {
        "reproduced": Sample(some, 3, np.full(3, 0.05)),
        "not reproduced": Sample(some + np.array([0, 0.3, 0]), 3, np.full(3, 0.05)),
        "undetermined": Sample(some, 3, np.full(3, 0.2)),
    }
