# Reads and validates the configuration before any job starts.
import os
import sys
from pathlib import Path

# Scripts run in their own processes: they get the library beside the workflow, installed or not. A
# workflow from a git server comes without it, and uses the installed one.
if IS_LOCAL:
    sys.path.insert(0, shipped("../src"))
    os.environ["PYTHONPATH"] = shipped("../src")
# Bytecode is kept even if the environment forbids it: importing takes three times as long without.
os.environ["PYTHONDONTWRITEBYTECODE"] = ""

from epochbandits.config import merge, read_yaml
from epochbandits.figures.registry import FIGURES, FORMATS
from epochbandits.io import files
from epochbandits.planning import load_plan
from epochbandits.validation import InputError

# A module's `config:` replaces the file, and need not repeat it.
config.update(merge(read_yaml(DEFAULTS), config))
try:
    is_read = DEFAULTS in workflow.configfiles
    plan = load_plan(config, reversed(workflow.configfiles) if is_read else [DEFAULTS])
except InputError as error:
    raise WorkflowError(f"The configuration is refused.\n{error}") from None
captions = [
    shipped(f"report/{name}") for name in ("phrases.j2", *(f"{f}.rst" for f in FIGURES))
]
CAPTIONS = str(Path(captions[0]).parent)
layout = plan.layout


# Fail before the first job, and without a traceback, if the results could not be written.
onstart:
    try:
        for folder in (layout.data, layout.figures.path):
            files.check_writable(folder)
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
