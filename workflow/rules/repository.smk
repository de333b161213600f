# Where the files of this repository are: next to the workflow, or on a git server.
import os
import sys

from snakemake.logging import logger

IS_LOCAL = isinstance(HERE, os.PathLike)


def repository_file(path):
    """Return where a file of this repository is on this machine; ``path`` begins at workflow/."""
    if IS_LOCAL:
        return os.path.abspath(os.path.join(HERE, path))
    return str(workflow.source_path(os.path.join("..", path)))


# Scripts run in their own processes. They use the library next to the workflow, installed or not. A
# workflow from a git server comes without the library and uses the installed one.
if IS_LOCAL:
    sys.path.insert(0, repository_file("../src"))
    places = [repository_file("../src"), repository_file("site")]
    others = [p for p in os.getenv("PYTHONPATH", "").split(os.pathsep) if p]
    places += [place for place in others if place not in places]
    os.environ.update(PYTHONPATH=os.pathsep.join(places))

from epochbandits.interruption import (
    DiskErrorFilter,
    InterruptFilter,
    install_interrupt_hook,
)

if workflow.is_main_process:
    install_interrupt_hook()
    logger.addFilter(InterruptFilter())
    logger.addFilter(DiskErrorFilter())

if IS_LOCAL and set("{}") & set(str(HERE)):
    text = "the path contains braces, which Snakemake reads as wildcards; rename the folder"
    raise WorkflowError(f"{HERE}: {text}")
if os.path.isdir(".snakemake") and not os.access(".snakemake", os.W_OK):
    raise WorkflowError(
        f"{os.path.abspath('.snakemake')}: Snakemake cannot write to it"
    )
