"""Limits on the size of input; anything larger is refused before memory is allocated for it.

They allow a hundred times the paper's sizes, and protect against files that are damaged, malicious
or of the wrong kind.
"""

from __future__ import annotations

from epochbandits.validation import InputError

MOST_ARMS = 1000
MOST_STATES = 1000
MOST_ENTRIES = 1_000_000  # arms × states²; the engine stores 41 powers of each matrix, 330 MB
LARGEST_JSON = 32 * 2**20  # bytes; the largest instance takes 24 MB
LARGEST_YAML = 2**20  # bytes
MOST_VALUES = 100_000  # in a configuration, with aliases counted in full
DEEPEST = 50  # levels of lists and mappings in a configuration
MOST_JOBS = 100_000  # simulation jobs in a run
MOST_ROWS = 20_000_000  # in memory for the runs of a policy; 88 bytes each
LARGEST_TABLE = 4 * 2**30  # bytes of a table, uncompressed
LARGEST_TEXT = 2**30  # bytes of text in a column, counted in every row
LARGEST_WORDS = 2**24  # bytes of the distinct strings in a column, for each row group
LONGEST_TEXT = 2**16  # bytes of one string in a table


def check_instance(arms: int, states: int) -> None:
    """Refuse an instance whose matrices would be too large."""
    if arms > MOST_ARMS or states > MOST_STATES or arms * states**2 > MOST_ENTRIES:
        raise InputError(
            f"{arms} arms and {states} states are too many: at most {MOST_ARMS} arms, "
            f"{MOST_STATES} states and {MOST_ENTRIES} transition probabilities (arms × states²)"
        )
