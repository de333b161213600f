"""Ctrl-C, or an error of the disk, ends a run in one sentence."""

import errno
import logging
import os
import subprocess
import sys

import pytest

from epochbandits import interruption
from epochbandits.interruption import INTERRUPTED, DiskErrorFilter, InterruptFilter


@pytest.mark.parametrize(
    ("error", "printed"), [("KeyboardInterrupt", INTERRUPTED), ("ValueError", "Traceback")]
)
def test_snakemake_that_is_interrupted_while_it_starts(error, printed, tmp_path):
    (tmp_path / "snakemake").mkdir()
    (tmp_path / "snakemake" / "__init__.py").touch()
    (tmp_path / "snakemake" / "__main__.py").write_text(
        f"import sys; assert sys.argv[1:] == ['--cores', '2']; "
        f"assert 'epochbandits' not in sys.modules; raise {error}"
    )
    done = subprocess.run(
        [sys.executable, "-P", interruption.__file__, "--cores", "2"],
        env={"PYTHONPATH": str(tmp_path)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode != 0
    assert done.stderr.startswith(printed)
    assert ("Traceback" in done.stderr) == (error != "KeyboardInterrupt")


def test_snakemakes_logger_says_one_sentence_and_no_more():
    messages, interrupts = [], InterruptFilter()
    for text in (
        "Finished jobid: 3",
        "Terminating processes on user request, this might take some time.",
        "Error in rule simulate_shard",
    ):
        record = logging.LogRecord("snakemake", logging.INFO, "", 0, text, None, None)
        if interrupts.filter(record):
            messages.append(record.getMessage())
    assert messages == ["Finished jobid: 3", INTERRUPTED]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(errno.EROFS, os.strerror(errno.EROFS)),
         "Snakemake stopped: Read-only file system; fix this and run the same command to resume"),
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "data/x"),
         "Snakemake stopped: data/x: No space left on device; fix this and run the same command to "
         "resume"),
        (FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "data/x"), "Traceback"),
        (PermissionError(errno.EACCES, os.strerror(errno.EACCES), "data/x"), "Traceback"),
        (ValueError("no"), "Traceback"),
    ],
)  # fmt: skip
def test_an_error_of_the_disk_is_one_sentence_and_other_errors_are_not(error, message):
    record = logging.LogRecord("snakemake", logging.ERROR, "", 0, "Traceback", None, None)
    try:
        raise error
    except Exception:
        assert DiskErrorFilter().filter(record)
    assert record.getMessage() == message
