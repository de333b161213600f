"""Compile the engine for every policy, so that simulations start at once."""

from pathlib import Path

from epochbandits.logs import logged
from epochbandits.warmup import compile_policies

with logged(snakemake.log[0]):
    compiled = compile_policies(processes=snakemake.threads)
    Path(snakemake.output[0]).write_text("\n".join(compiled) + "\n")
