"""The ledger of a run: all claims of the paper, in its order, or those of the studies."""

from __future__ import annotations

from collections.abc import Sequence

from epochbandits.claims import (
    not_assessed,
    section2,
    section3_bounds,
    section3_penalty,
    section5_2_ucb_vs_greedy,
    section5_3_baselines,
    study6_study8,
)
from epochbandits.claims.claim import Claim, NotAssessed
from epochbandits.config.thresholds import Thresholds

_SECTIONS = (
    section2,
    section3_penalty,
    section3_bounds,
    section5_2_ucb_vs_greedy,
    section5_3_baselines,
)


def ledger(thresholds: Thresholds, studies: bool = False) -> list[Claim]:
    """Return all claims of the paper, or of the studies, with their rules at these thresholds."""
    if studies:
        return study6_study8.claims(thresholds)
    return [claim for section in _SECTIONS for claim in section.claims(thresholds)]


def statements(studies: bool = False) -> Sequence[NotAssessed]:
    """Return the statements that are listed without a verdict."""
    return study6_study8.STATEMENTS if studies else not_assessed.STATEMENTS
