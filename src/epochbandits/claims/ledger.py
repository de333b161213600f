"""The ledger: all claims, in the order of the paper."""

from __future__ import annotations

from epochbandits.claims import (
    conclusion,
    example1,
    section3_theory,
    section5_baselines,
    section5_bounds,
    section5_regret,
)
from epochbandits.claims.claim import Claim
from epochbandits.config.models import Thresholds

__all__ = ["ledger"]

_SECTIONS = (
    example1,
    section3_theory,
    section5_bounds,
    section5_regret,
    section5_baselines,
    conclusion,
)


def ledger(thresholds: Thresholds) -> list[Claim]:
    """Return all claims, with their rules at the configuration's thresholds."""
    return [claim for section in _SECTIONS for claim in section.claims(thresholds)]
