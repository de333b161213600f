"""Make a set of problem instances."""

from epochbandits.pipeline import instance_sets
from epochbandits.pipeline.logs import logged

with logged(snakemake.log[0]):
    made = instance_sets.make(snakemake.params.block)
    instance_sets.write(snakemake.output[0], made, snakemake.params.about)
