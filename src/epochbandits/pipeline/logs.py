"""The log of a job: warnings, errors and CPU time; the terminal shows one clear sentence."""

from __future__ import annotations

import gc
import logging
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from epochbandits.validation import InputError


def _opened(path: str | Path) -> TextIO:
    try:
        return Path(path).open("w", encoding="utf-8")
    except OSError as error:  # a folder that became read-only during the run
        print(f"{path}: cannot be written: {error.strerror or error}", file=sys.stderr)
        sys.exit(2)


@contextmanager
def logged(path: str | Path) -> Iterator[None]:
    """Log warnings, errors and CPU time; end the job with one sentence if input is invalid."""
    start = time.process_time()  # the cost of starting Python and importing
    with _opened(path) as log:
        handler = logging.StreamHandler(log)
        logging.getLogger().addHandler(handler)
        logging.captureWarnings(True)
        try:
            yield
        except InputError as error:
            log.write(f"{error}\n")
            print(error, file=sys.stderr)
            sys.exit(2)
        except KeyboardInterrupt:  # Ctrl-C: Snakemake says so once for all jobs
            log.write("interrupted\n")
            sys.exit(130)
        except BaseException:
            traceback.print_exc(file=log)
            raise
        finally:
            logging.getLogger().removeHandler(handler)
        spent = time.process_time() - start
        log.write(f"done: {spent:.2f} s of CPU, and {start:.2f} s to start\n")
    gc.freeze()  # the process ends here, sooner without garbage collection of the imports
