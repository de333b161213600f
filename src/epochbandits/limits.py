"""Limits on the size of input; anything larger is rejected before memory is allocated for it.

They allow a hundred times the paper's sizes, and protect against files that are damaged, malicious
or of the wrong kind.
"""

from __future__ import annotations

from epochbandits.validation import InputError

MAX_ARMS = 1000
MAX_STATES = 1000
MAX_ENTRIES = 1_000_000  # arms × states²; the engine stores 41 powers of each matrix, 330 MB
MAX_JSON_BYTES = 32 * 2**20  # the largest instance takes 24 MB
MAX_YAML_BYTES = 2**20
MAX_VALUES = 100_000  # in a configuration, with aliases counted in full
MAX_DEPTH = 50  # levels of lists and mappings in a configuration
MAX_JOBS = 100_000  # simulation jobs in a run
MAX_ROWS = 20_000_000  # in memory for the runs of a policy; 88 bytes each
MAX_TABLE_BYTES = 4 * 2**30  # of a table, uncompressed
MAX_TEXT_BYTES = 2**30  # of text in a column, counted in every row
MAX_DICTIONARY_BYTES = 2**24  # of the distinct strings in a column, for each row group
MAX_STRING_BYTES = 2**16  # of one string in a table


def check_instance(arms: int, states: int) -> None:
    """Reject an instance whose matrices would be too large."""
    if arms > MAX_ARMS or states > MAX_STATES or arms * states**2 > MAX_ENTRIES:
        raise InputError(
            f"{arms} arms and {states} states are too many: at most {MAX_ARMS} arms, "
            f"{MAX_STATES} states and {MAX_ENTRIES} transition probabilities (arms × states²)"
        )
