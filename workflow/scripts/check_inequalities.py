"""Compute both sides of the theory's inequalities."""

from epochbandits.pipeline.inequalities import write_inequalities
from epochbandits.pipeline.logs import logged

with logged(snakemake.log[0]):
    write_inequalities(
        snakemake.output.table, folders=snakemake.input.instances, **snakemake.params.task
    )
