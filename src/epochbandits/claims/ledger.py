"""The ledger: all claims, in the order of the paper."""

from __future__ import annotations

from epochbandits.claims import (
    section2,
    section3_bounds,
    section3_penalty,
    section5_baselines,
    section5_epoch_algorithms,
)
from epochbandits.claims.claim import Claim
from epochbandits.config.thresholds import Thresholds

_SECTIONS = (
    section2,
    section3_penalty,
    section3_bounds,
    section5_epoch_algorithms,
    section5_baselines,
)


def ledger(thresholds: Thresholds) -> list[Claim]:
    """Return all claims, with their rules at the configuration's thresholds."""
    return [claim for section in _SECTIONS for claim in section.claims(thresholds)]
