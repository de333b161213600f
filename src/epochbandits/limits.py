"""How large an input may be: what is larger is refused before memory is taken for it.

The limits leave room for a hundred times the paper's sizes. They are there for a file that is
damaged, of another kind, or meant to do harm.
"""

from __future__ import annotations

from epochbandits.validation import InputError

__all__ = [
    "DEEPEST",
    "LARGEST_JSON",
    "LARGEST_TABLE",
    "LARGEST_YAML",
    "MOST_ARMS",
    "MOST_ENTRIES",
    "MOST_JOBS",
    "MOST_ROWS",
    "MOST_STATES",
    "MOST_VALUES",
    "check_instance",
]

MOST_ARMS = 1000
MOST_STATES = 1000
MOST_ENTRIES = 1_000_000  # arms × states²; the engine keeps 41 powers of each matrix, 330 MB
LARGEST_JSON = 32 * 2**20  # bytes; an instance of the most entries takes 24 MB
LARGEST_YAML = 2**20  # bytes
MOST_VALUES = 100_000  # of a configuration, with its aliases written out
DEEPEST = 50  # lists and mappings within each other in a configuration
MOST_JOBS = 100_000  # simulations of a run
MOST_ROWS = 20_000_000  # of a policy's runs in memory, of 88 bytes each
LARGEST_TABLE = 4 * 2**30  # bytes of a table that is read


def check_instance(arms: int, states: int) -> None:
    """Refuse an instance whose matrices, or the work on them, would be too large."""
    if arms > MOST_ARMS or states > MOST_STATES or arms * states**2 > MOST_ENTRIES:
        raise InputError(
            f"{arms} arms and {states} states are too many: at most {MOST_ARMS} arms, "
            f"{MOST_STATES} states and {MOST_ENTRIES} transition probabilities (arms × states²)"
        )
