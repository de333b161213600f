"""Our own message for a configuration that Snakemake itself rejects, in this project only.

Snakemake reads ``--config`` and ``--configfile`` before the workflow, and reports a missing, binary
or malformed file with a traceback or without a line number. It logs the error through its logger,
and a filter may change what is logged. So nothing in Snakemake is patched: if its internals change,
its own message appears.
"""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from types import FrameType
from typing import Any

_INVALID = "Invalid configuration:"  # as in workflow/rules/common.smk
_READERS = {"load_configfile": "configpath", "configfile": "fp"}
"""Functions of Snakemake that read a configuration file, and the variable that has its path."""


class ConfigErrorFilter(logging.Filter):
    """Replace Snakemake's message about an invalid configuration of this project.

    Parameters
    ----------
    start : str
        Where Snakemake looks for its Snakefile; ``--directory`` leaves that folder later.
    """

    def __init__(self, start: str) -> None:
        super().__init__()
        self._start = start

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every record through."""
        error = sys.exc_info()[1]
        if record.levelno >= logging.ERROR and isinstance(error, Exception):
            try:
                sentence = _sentence(error, self._start)
            except Exception:  # whatever is wrong here must not hide Snakemake's message
                sentence = None
            if sentence is not None:
                record.msg, record.args = sentence, ()
        return True


def project_of(snakefile: str | os.PathLike[str]) -> Path | None:
    """Return the folder of the project if the Snakefile belongs to a copy of it."""
    path = Path(os.path.abspath(snakefile))
    root = path.parent.parent if path.parent.name == "workflow" else path.parent
    plugin = root / "src" / __name__.split(".")[0] / "__init__.py"
    return root if path.name == "Snakefile" and path.is_file() and plugin.is_file() else None


def _sentence(error: Exception, start: str) -> str | None:
    frames = _frames(error)
    options: Any = next((f.f_locals.get("args") for f in frames if _is(f, "args_to_api")), None)
    if options is None:  # not Snakemake's command line
        return None
    from snakemake.api import SNAKEFILE_CHOICES

    # A remote Snakefile is an address; as a path it does not exist.
    names = [options.snakefile] if options.snakefile else SNAKEFILE_CHOICES
    snakefiles = [path for name in names if (path := Path(start, str(name))).exists()]
    root = project_of(snakefiles[0]) if snakefiles else None
    if root is None:
        return None
    if type(error).__name__ == "InvalidConfiguration":  # of workflow/rules/common.smk
        return str(error)
    for frame in reversed(frames):
        if _is(frame, "parse_config"):
            entry = frame.f_locals["entry"]
            why = f"; {_first_line(error)}" if "=" in str(entry)[1:] else ""
            return f"{_INVALID}\n--config {entry}: must be KEY=VALUE such as root=2{why}"
        for function, variable in _READERS.items():
            if _is(frame, function):
                return f"{_INVALID}\n{_why(frame.f_locals[variable], root, error)}"
    return None


def _frames(error: Exception) -> list[FrameType]:
    trace, frames = error.__traceback__, []
    while trace is not None:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    return frames


def _is(frame: FrameType, function: str) -> bool:
    """Return whether a frame is of this function of Snakemake."""
    # By its file: snakemake.workflow has no __name__ while a workflow runs.
    code = frame.f_code
    return code.co_name == function and "snakemake" in Path(code.co_filename).parent.parts[-2:]


def _why(path: str | os.PathLike[str], root: Path, error: Exception) -> str:
    """Return what is wrong with a file, from the library's reader, which names the line.

    Only here may the library be imported: no workflow follows that could need another copy of it.
    """
    sys.path.insert(0, str(root / "src"))
    from epochbandits.config.reading import read_yaml
    from epochbandits.validation import InputError

    try:
        read_yaml(path)
    except InputError as invalid:
        return str(invalid)
    return f"{path}: Snakemake cannot read it: {_first_line(error)}"


def _first_line(error: Exception) -> str:
    return " ".join(str(error).split())[:200] or type(error).__name__
