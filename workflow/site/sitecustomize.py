"""Python imports this when a job starts.

After Ctrl-C a job ends without a traceback: Snakemake itself says that the run was interrupted,
once for all jobs. Garbage is collected less often: scanning what imports create takes an eighth
of a job's start-up time. Half a million new objects are more than any of our imports create.
"""

import gc
import sys

gc.set_threshold(500_000, 50, 50)
_print = sys.excepthook


def _quiet(kind, error, trace):
    if not issubclass(kind, KeyboardInterrupt):
        _print(kind, error, trace)


sys.excepthook = _quiet
