"""Tabulate the regret bounds of a set of instances."""

from epochbandits.pipeline.bounds import write_bounds
from epochbandits.pipeline.logs import logged

with logged(snakemake.log[0]):
    write_bounds(snakemake.output.table, folders=snakemake.input.instances, **snakemake.params.task)
