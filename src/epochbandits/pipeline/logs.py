"""What a job of the pipeline says: one clear sentence for a person, all of it in the job's log."""

from __future__ import annotations

import logging
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from epochbandits.validation import InputError

__all__ = ["logged"]


@contextmanager
def logged(path: str | Path) -> Iterator[None]:
    """Write warnings, errors and the CPU time to a log; refused input ends the job tersely."""
    start = time.process_time()  # what was spent so far is the price of starting Python
    with Path(path).open("w", encoding="utf-8") as log:
        handler = logging.StreamHandler(log)
        logging.getLogger().addHandler(handler)
        logging.captureWarnings(True)
        try:
            yield
        except InputError as error:
            log.write(f"{error}\n")
            print(error, file=sys.stderr)
            sys.exit(2)
        except BaseException:
            traceback.print_exc(file=log)
            raise
        finally:
            logging.getLogger().removeHandler(handler)
        spent = time.process_time() - start
        log.write(f"done: {spent:.2f} s of CPU, and {start:.2f} s to start\n")
