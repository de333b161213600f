"""The ledger: all claims, in the order of the paper."""

from __future__ import annotations

from epochbandits.claims.claim import Claim, Thresholds
from epochbandits.claims.example import example_claims
from epochbandits.claims.experiments import experiment_claims
from epochbandits.claims.theory import theory_claims

__all__ = ["ledger"]


def ledger(limits: Thresholds) -> list[Claim]:
    """Return all claims, with their rules at the given thresholds."""
    return [*example_claims(limits), *theory_claims(limits), *experiment_claims(limits)]
