"""The command `run`: check configuration files strictly, and start Snakemake with them.

Snakemake reads ``--configfile`` before it reads the workflow, and answers a file that is missing,
binary or malformed with a traceback or without its line. This command reads the files first.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from argparse import Namespace
from functools import reduce
from pathlib import Path

from epochbandits.validation import InputError

__all__ = ["run"]


def run(options: Namespace) -> None:
    """Refuse a wrong configuration in a sentence, or run the workflow in this folder with it."""
    from epochbandits.config import merge, read_yaml
    from epochbandits.planning import load_plan

    base = Path("config", "paper.yaml")
    if not (Path("Snakefile").is_file() and base.is_file()):
        raise InputError("there is no workflow here: run this in a clone of the repository")
    paths = [str(base), *options.files]
    load_plan(reduce(merge, map(read_yaml, paths), {}), paths)
    command = [sys.executable, "-m", "snakemake", "--cores", options.cores]
    command += ["--dry-run"] if options.dry_run else []
    command += ["--logger", "epochbandits"] if sys.stderr.isatty() else []
    command += ["--configfile", *options.files] if options.files else []
    process = subprocess.Popen([*command, "--", *options.targets])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Snakemake gets it too, and ends
    sys.exit(process.wait())
