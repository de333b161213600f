# Reads and checks the configuration before any job starts.
import os
import sys
from pathlib import Path

CAPTIONS = str(Path(workflow.current_basedir).parent / "report")
LIBRARY = str(Path(workflow.current_basedir).parent.parent / "src")
sys.path.insert(0, LIBRARY)
# Scripts run in processes of their own: they get the same library, installed or not.
os.environ.update(PYTHONPATH=LIBRARY)

from epochbandits.io import files
from epochbandits.planning import load_plan
from epochbandits.validation import InputError

try:
    plan = load_plan(config, reversed(workflow.configfiles))
except InputError as error:
    raise WorkflowError(f"The configuration is refused.\n{error}") from None


# Told before any job, not after a quarter of an hour, and without Snakemake's traceback.
onstart:
    try:
        for folder in (plan.data, plan.figures):
            files.check_writable(folder)
    except InputError as error:
        raise WorkflowError(f"Nothing was run.\n{error}") from None


wildcard_constraints:
    name=r"[a-z0-9_-]+",
    experiment=r"[a-z0-9_-]+",
    policy=r"[a-z0-9_-]+",
    policies=r"[a-z0-9_+-]+",
    figure="|".join(plan.config.figures) or "none",
