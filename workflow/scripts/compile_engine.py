"""Compile the engine for every policy, so that simulations start at once."""

from pathlib import Path

from epochbandits.engine.warmup import compile_policies
from epochbandits.pipeline.logs import logged

with logged(snakemake.log[0]):
    compiled = compile_policies(processes=snakemake.threads)
    Path(snakemake.output.policies).write_text("\n".join(compiled) + "\n")
