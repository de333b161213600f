# Reads and validates the configuration before any job starts.
import os
import shlex
import sys
from pathlib import Path

CAPTIONS = str(Path(workflow.current_basedir).parent / "report")
LIBRARY = str(Path(workflow.current_basedir).parent.parent / "src")
sys.path.insert(0, LIBRARY)
# Scripts run in their own processes: they get the same library, installed or not. Their bytecode is
# kept even if the environment forbids it: importing takes three times as long without.
os.environ.update(PYTHONPATH=LIBRARY, PYTHONDONTWRITEBYTECODE="")
# Snakemake puts the path of Python into commands without quotes: a space in it would end each job.
if shlex.quote(sys.executable) != sys.executable:
    folder, sys.executable = os.path.split(sys.executable)
    os.environ.update(PATH=os.pathsep.join([folder, os.getenv("PATH", "")]))

from epochbandits.validation import InputError

try:
    from epochbandits.figures.registry import FORMATS
    from epochbandits.pipeline import results
    from epochbandits.planning import load_plan

    plan = load_plan(config, reversed(workflow.configfiles))
except InputError as error:
    raise WorkflowError(f"The configuration is refused.\n{error}") from None
layout = plan.layout

# Snakemake knows what changed only as long as its hidden folder exists, and never what a result
# contains. So results that are not of this configuration and code are found by their metadata.
stale = set()
if workflow.is_main_process:
    stale.update(results.foreign(plan.keys(CAPTIONS)))
    if stale:
        some = ", ".join(sorted(stale)[:3]) + (" ..." if len(stale) > 3 else "")
        text = "damaged, or of another configuration, root seed or code; needed ones are made again"
        print(f"{len(stale)} results are {text}: {some}", file=sys.stderr)


def renewed(result):
    """Force the job that makes a result if it is stale; for input functions, an empty list."""
    if result in stale:
        workflow.dag.forcefiles.add(result)
    return []


# Fail before the first job, and without a traceback, if the results could not be written.
onstart:
    try:
        results.prepare([layout.data, layout.figures.path], plan.keys(CAPTIONS))
    except InputError as error:
        raise WorkflowError(f"Nothing was run.\n{error}") from None
    # To limit how many jobs start in a second, Snakemake looks for jobs every second, once for each
    # job that has ended: after a hundred jobs a hundred times a second. Only a cluster needs limits.
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None


wildcard_constraints:
    name=r"[a-z0-9_-]+",
    experiment=r"[a-z0-9_-]+",
    policy=r"[a-z0-9_-]+",
    bundle=r"[a-z0-9_-]+",
    figure="|".join(plan.config.figures) or "none",
