"""The ledger: all claims, in the order of the paper."""

from __future__ import annotations

from epochbandits.claims import (
    section2_example1,
    section2_model,
    section3_greedy,
    section3_penalty,
    section3_ucb,
    section5_baselines,
    section5_bounds,
    section5_conclusion,
    section5_regret,
)
from epochbandits.claims.claim import Claim
from epochbandits.config.thresholds import Thresholds

__all__ = ["ledger"]

_SECTIONS = (
    section2_model,
    section2_example1,
    section3_penalty,
    section3_ucb,
    section3_greedy,
    section5_bounds,
    section5_regret,
    section5_baselines,
    section5_conclusion,
)


def ledger(thresholds: Thresholds) -> list[Claim]:
    """Return all claims, with their rules at the configuration's thresholds."""
    return [claim for section in _SECTIONS for claim in section.claims(thresholds)]
