"""The paper's constants and bounds: `penalty` (Υ, L, ρ, κ), `ucb`, `greedy` and their `summary`."""

from epochbandits.theory import greedy, penalty, ucb
from epochbandits.theory.summary import summary

__all__ = ["greedy", "penalty", "summary", "ucb"]
