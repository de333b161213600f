"""The paper's constants and bounds: `penalty` (Υ, L, ρ, κ), `ucb`, `greedy` and their `summary`."""

from epochbandits.theory import greedy, penalty, ucb
from epochbandits.theory.penalty import Epochs
from epochbandits.theory.summary import summary

__all__ = ["Epochs", "greedy", "penalty", "summary", "ucb"]
