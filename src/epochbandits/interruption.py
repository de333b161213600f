"""End a run with one sentence instead of a traceback if Ctrl-C or the disk ends it.

On Ctrl-C, this works even while Snakemake starts.

Run as a file, this module starts Snakemake with the arguments that follow. It then imports nothing
from the package: the workflow decides which copy of the library is used.
"""

from __future__ import annotations

import errno
import gc
import logging
import runpy
import sys
from types import TracebackType

RESUME = "run the same command to resume"
INTERRUPTED = f"interrupted; {RESUME}"
_REQUEST = "Terminating processes on user request"  # Snakemake's, if jobs are running


class InterruptFilter(logging.Filter):
    """Let Snakemake's logger say one sentence after Ctrl-C, and nothing about the jobs it stops."""

    def __init__(self) -> None:
        super().__init__()
        self._interrupted = False

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is logged."""
        if self._interrupted:
            return False
        if str(record.msg).startswith(_REQUEST):
            self._interrupted, record.msg = True, INTERRUPTED
        return True


class DiskErrorFilter(logging.Filter):
    """Replace the traceback if the disk stops Snakemake itself: jobs report their own errors.

    Errors of permission pass unchanged, since they may have other causes than a disk.
    """

    _CODES = (errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EIO)

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record through."""
        error = sys.exc_info()[1]
        if (
            record.levelno >= logging.ERROR
            and isinstance(error, OSError)
            and error.errno in self._CODES
        ):
            file = f"{error.filename}: " if error.filename else ""
            record.msg = f"Snakemake stopped: {file}{error.strerror}; fix this and {RESUME}"
            record.args = ()
        return True


def install_interrupt_hook() -> None:
    """Print a sentence in place of the traceback if Ctrl-C ends this process."""

    def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            print(INTERRUPTED, file=sys.stderr, flush=True)
        else:
            sys.__excepthook__(kind, error, trace)

    sys.excepthook = hook


if __name__ == "__main__":
    install_interrupt_hook()
    gc.set_threshold(100_000, 50, 50)  # collecting garbage takes a tenth of Snakemake's start
    runpy.run_module("snakemake", run_name="__main__", alter_sys=True)
