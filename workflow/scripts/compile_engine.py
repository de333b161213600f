"""Compile the engine for the policies of a run, so that simulations start at once."""

from epochbandits.config import load
from epochbandits.engine.warmup import compile_policies
from epochbandits.io import files
from epochbandits.pipeline.logs import logged
from epochbandits.planning import Plan, study_plan

with logged(snakemake.log[0]):
    is_study = snakemake.wildcards.run != snakemake.config["run"]
    plan = study_plan() if is_study else Plan(load(snakemake.config))
    policies = plan.builtin_policies
    compile_policies(policies, processes=2)  # little else can run before it is done
    files.write_text(snakemake.output.policies, "\n".join(policies) + "\n")
