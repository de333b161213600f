# Reads and validates the configuration before any job starts.
import os
import sys
from functools import cache
from pathlib import Path

CAPTIONS = str(Path(workflow.current_basedir).parent / "report")
LIBRARY = str(Path(workflow.current_basedir).parent.parent / "src")
sys.path.insert(0, LIBRARY)
# Scripts run in their own processes: they get the same library, installed or not. Their bytecode is
# kept even if the environment forbids it: importing takes three times as long without.
os.environ.update(PYTHONPATH=LIBRARY, PYTHONDONTWRITEBYTECODE="")

from epochbandits.figures.registry import FORMATS, SPECS
from epochbandits.io import files
from epochbandits.pipeline.layout import Layout
from epochbandits.planning import load_plan, load_studies
from epochbandits.validation import InputError

try:
    plan = load_plan(config, reversed(workflow.configfiles))
except InputError as error:
    raise WorkflowError(f"The configuration is refused.\n{error}") from None


@cache
def studies():
    """Return the plan of the studies, which is read and checked only if something needs it."""
    try:
        return load_studies()
    except InputError as error:
        raise WorkflowError(f"A study is refused.\n{error}") from None


def of(wildcards):
    """Return the plan of the run that a job belongs to."""
    return plan if wildcards.run == plan.config.run else studies()


# The paths of any run; the targets are those of the plans.
layout = Layout("{run}")


# Fail before the first job, and without a traceback, if the results could not be written.
onstart:
    try:
        for one in (plan, studies()) if studies.cache_info().currsize else (plan,):
            files.check_writable(one.layout.data)
            files.check_writable(one.layout.figures.path)
    except InputError as error:
        raise WorkflowError(f"Nothing was run.\n{error}") from None
    # To limit how many jobs start in a second, Snakemake looks for jobs every second, once for each
    # job that has ended: after a hundred jobs a hundred times a second. Only a cluster needs limits.
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None


wildcard_constraints:
    run=f"{plan.config.run}|studies",
    name=r"[a-z0-9_-]+",
    experiment=r"[a-z0-9_-]+",
    policy=r"[a-z0-9_-]+",
    bundle=r"[a-z0-9_-]+",
    figure="|".join(SPECS),
