# Where the files of this repository are: beside the workflow, or on a git server.
import os
import sys

from snakemake.logging import logger

IS_LOCAL = isinstance(HERE, os.PathLike)


def shipped(path):
    """Return where a file of this repository is on this machine; ``path`` begins at workflow/."""
    if IS_LOCAL:
        return os.path.abspath(os.path.join(HERE, path))
    return str(workflow.source_path(os.path.join("..", path)))


# Scripts run in their own processes: they get the library beside the workflow, installed or not. A
# workflow from a git server comes without it, and uses the installed one.
if IS_LOCAL:
    sys.path.insert(0, shipped("../src"))
    places = [shipped("../src"), shipped("site")]
    os.environ.update(PYTHONPATH=os.pathsep.join(places))

from epochbandits.interruption import OneSentence, end_in_one_sentence

if workflow.is_main_process:
    end_in_one_sentence()
    logger.addFilter(OneSentence())
