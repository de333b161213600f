"""Make a set of problem instances."""

from epochbandits.pipeline.instance_sets import write_set
from epochbandits.pipeline.logs import logged

with logged(snakemake.log[0]):
    write_set(snakemake.output.folder, **snakemake.params.task)
