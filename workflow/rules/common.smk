# Reads and validates the configuration before any job starts.
import os
import sys
from pathlib import Path

CAPTIONS = str(Path(workflow.current_basedir).parent / "report")
LIBRARY = str(Path(workflow.current_basedir).parent.parent / "src")
SITE = str(Path(workflow.current_basedir).parent / "site")
sys.path.insert(0, LIBRARY)
# Scripts run in their own processes: they get the same library, installed or not. Their bytecode is
# kept even if the environment forbids it: importing takes three times as long without.
os.environ.update(
    PYTHONPATH=os.pathsep.join([LIBRARY, SITE]), PYTHONDONTWRITEBYTECODE=""
)

from epochbandits.figures.registry import FORMATS
from epochbandits.io import files
from epochbandits.planning import announcements, closing, load_plan
from epochbandits.validation import InputError

try:
    plan = load_plan(config, reversed(workflow.configfiles))
except InputError as error:
    raise WorkflowError(f"The configuration is refused.\n{error}") from None
layout = plan.layout
if "snakemake_logger_plugin_epochbandits" in sys.modules:  # --logger epochbandits
    from epochbandits.planning.costs import Costs

    sys.modules["snakemake_logger_plugin_epochbandits"].COSTS.append(Costs(plan))
config["figures"] = (
    plan.figure_blocks
)  # in full, for scripts that read the configuration


# Fail before the first job, and without a traceback, if the results could not be written.
onstart:
    try:
        for folder in (layout.data, layout.figures.path):
            files.check_writable(folder)
    except InputError as error:
        raise WorkflowError(f"Nothing was run.\n{error}") from None
    for sentence in announcements(plan):
        print(sentence, file=sys.stderr)
    # To limit how many jobs start in a second, Snakemake looks for jobs every second, once for each
    # job that has ended: after a hundred jobs a hundred times a second. Only a cluster needs limits.
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None


onsuccess:
    print(closing(layout.figures), file=sys.stderr)


wildcard_constraints:
    name=r"[a-z0-9_-]+",
    experiment=r"[a-z0-9_-]+",
    policy=r"[a-z0-9_-]+",
    bundle=r"[a-z0-9_-]+",
    figure="|".join(plan.config.figures) or "none",
