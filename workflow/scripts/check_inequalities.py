"""Compute both sides of the theory's inequalities."""

from epochbandits.pipeline.inequalities import write_inequalities
from epochbandits.pipeline.logs import logged

with logged(snakemake.log[0]):
    write_inequalities(
        out=snakemake.output[0],
        folders=snakemake.input[:-1],
        block=snakemake.params.block,
        about=snakemake.params.about,
    )
