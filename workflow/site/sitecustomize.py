"""Python imports this when a job starts: after Ctrl-C a job ends without a traceback.

Snakemake itself says that the run was interrupted, once for all jobs.
"""

import sys

_print = sys.excepthook


def _quiet(kind, error, trace):
    if not issubclass(kind, KeyboardInterrupt):
        _print(kind, error, trace)


sys.excepthook = _quiet
