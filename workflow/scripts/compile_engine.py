"""Compile the engine for the policies of a run, so that simulations start at once."""

from epochbandits.config import load
from epochbandits.engine.warmup import compile_runs
from epochbandits.io import files
from epochbandits.pipeline.logs import logged
from epochbandits.planning import Plan, study_plan

with logged(snakemake.log[0]):
    is_study = snakemake.wildcards.run != snakemake.config["run"]
    plan = study_plan() if is_study else Plan(load(snakemake.config))
    compile_runs(plan.grids.compiled_runs, processes=2)  # little else can run before it is done
    lines = (
        f"{policy} {'each iteration' if each_iteration else 'in epochs'}\n"
        for policy, each_iteration in plan.grids.compiled_runs
    )
    files.write_text(snakemake.output.policies, "".join(lines))
