"""The command `run`: check configuration files strictly, and hand over to Snakemake.

Snakemake reads ``--configfile`` before it reads the workflow, and reports a missing, binary or
malformed file with a traceback or without a line number. So this command reads the files first.
What only the workflow can check, it checks before the first job.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from pathlib import Path

from epochbandits import interruption
from epochbandits.pipeline.layout import PAPER
from epochbandits.validation import InputError


def run(options: Namespace) -> None:
    """Reject an invalid configuration in a sentence, or run the workflow in this folder with it."""
    base = Path(PAPER)
    if not (Path("Snakefile").is_file() and base.is_file()):
        raise InputError("there is no workflow here: run this in a clone of the repository")
    if options.files:
        from epochbandits.config import load_files

        load_files([str(base), *options.files])
    arguments = ["--cores", options.cores]
    arguments += ["--dry-run"] if options.dry_run else []
    arguments += ["--logger", "epochbandits"] if sys.stderr.isatty() else []
    arguments += ["--configfile", *options.files] if options.files else []
    arguments += ["--config", *options.config] if options.config else []
    # -P: nothing must be imported from the folder of that file.
    command = [sys.executable, "-P", interruption.__file__, *arguments, "--", *options.targets]
    os.execv(sys.executable, command)
