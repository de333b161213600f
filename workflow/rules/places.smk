# Where the files of this repository are: beside the workflow, or on a git server.
import os

IS_LOCAL = isinstance(HERE, os.PathLike)


def shipped(path):
    """Return where a file of this repository is on this machine; ``path`` begins at workflow/."""
    if IS_LOCAL:
        return os.path.abspath(os.path.join(HERE, path))
    return str(workflow.source_path(os.path.join("..", path)))


if IS_LOCAL and set("{}") & set(str(HERE)):
    text = "braces in it are wildcards for Snakemake; rename the folder"
    raise WorkflowError(f"{HERE}: {text}")
if os.path.isdir(".snakemake") and not os.access(".snakemake", os.W_OK):
    raise WorkflowError(
        f"{os.path.abspath('.snakemake')}: Snakemake cannot write to it"
    )
