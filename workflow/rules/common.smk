# Reads and validates the configuration before any job starts.
import os
import shlex
import sys
from functools import cache
from pathlib import Path

# Cache bytecode even if the environment forbids it: imports take three times as long without it.
os.environ.update(PYTHONDONTWRITEBYTECODE="")
# Snakemake puts the path of Python into commands without quotes: a space in it would break every job.
if shlex.quote(sys.executable) != sys.executable:
    folder, sys.executable = os.path.split(sys.executable)
    os.environ.update(PATH=os.pathsep.join([folder, os.getenv("PATH", "")]))

from epochbandits.validation import InputError


class InvalidConfiguration(WorkflowError):
    """Printed verbatim by our logger plugin; Snakemake would add the location of the `raise`."""


try:
    from epochbandits.config import merge, read_yaml
    from epochbandits.config.fields import NAME
    from epochbandits.figures.registry import SPECS
    from epochbandits.pipeline import results
    from epochbandits.pipeline.layout import FORMATS, STUDIES, Layout
    from epochbandits.planning import announcements, closing, load_plan, load_studies
    from epochbandits.planning.costs import Costs

    paths = list(reversed(workflow.configfiles))
    if (
        DEFAULTS not in paths
    ):  # the `config:` of a module replaces the file and may leave keys out
        config.update(merge(read_yaml(DEFAULTS), config))
        paths = [DEFAULTS]
    plan = load_plan(config, paths)
except InputError as error:
    raise InvalidConfiguration(f"Invalid configuration:\n{error}") from None
# If the plugin is installed, it shows the time left.
if "snakemake_logger_plugin_epochbandits" in sys.modules:
    sys.modules["snakemake_logger_plugin_epochbandits"].COSTS.append(Costs(plan))
# For scripts that read the configuration: full blocks, and paths relative to the working directory.
config.update(plan.config.model_dump(mode="json", by_alias=True))
captions = [
    repository_file(f"report/{name}")
    for name in ("phrases.j2", "regret.rst", *(f"{f}.rst" for f in SPECS))
]
CAPTIONS = str(Path(captions[0]).parent)
stale = set()


def find_stale(run_plan):
    """Find existing results whose metadata do not match the plan's configuration and code.

    Snakemake tracks changes only while its .snakemake folder exists, and never looks inside a
    result.
    """
    if workflow.is_main_process:
        mismatched = sorted(results.mismatched(run_plan.keys(CAPTIONS)))
        stale.update(mismatched)
        if mismatched:
            some = ", ".join(mismatched[:3]) + (" ..." if len(mismatched) > 3 else "")
            text = "are damaged or were made with another configuration, root seed or code; those needed will be recomputed"
            print(f"{len(mismatched)} results {text}: {some}", file=sys.stderr)


def force_if_stale(*outputs):
    """Force the job that makes these files if one is stale; return no input files."""
    workflow.dag.forcefiles.update(stale.intersection(outputs))
    return []


find_stale(plan)


@cache
def studies():
    """Return the plan of the studies, which is read and checked only if something needs it."""
    try:
        loaded = load_studies()
    except InputError as error:
        raise WorkflowError(f"Invalid configuration of a study:\n{error}") from None
    find_stale(loaded)
    return loaded


def plan_for(wildcards):
    """Return the plan of the run that a job belongs to."""
    return plan if wildcards.run == plan.config.run else studies()


@cache
def costs(run):
    """Return how long the jobs of a run take, roughly."""
    return Costs(plan if run == plan.config.run else studies())


# Priority of short jobs that many others wait for. A simulation's priority is its expected run time in seconds.
TOP_PRIORITY = 10**9


# Paths for any run; the plans say which of them are targets.
layout = Layout("{run}")


# If the results cannot be written, fail before the first job and without a traceback.
onstart:
    try:
        for run_plan in (
            (plan, studies()) if studies.cache_info().currsize else (plan,)
        ):
            folders = [run_plan.layout.data, run_plan.layout.figures.path]
            results.prepare(folders, run_plan.keys(CAPTIONS))
    except InputError as error:
        raise WorkflowError(f"Nothing was run.\n{error}") from None
    for sentence in announcements(plan):
        print(sentence, file=sys.stderr)
    # To limit how many jobs start per second, Snakemake looks for jobs every second, once for each
    # finished job: after a hundred jobs, a hundred times a second. Only a cluster needs the limit.
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None


onsuccess:
    print(closing(plan.layout.figures), file=sys.stderr)


wildcard_constraints:
    run=f"{plan.config.run}|{STUDIES}",
    name=NAME,
    experiment=NAME,
    policy=NAME,
    bundle=NAME,
    figure="|".join([*SPECS, *plan.config.figures]),
