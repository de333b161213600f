"""Tabulate the regret bounds of a set of instances."""

from epochbandits.pipeline.bounds import write_bounds
from epochbandits.pipeline.logs import logged

with logged(snakemake.log[0]):
    write_bounds(
        out=snakemake.output[0],
        folder=snakemake.input[0],
        block=snakemake.params.block,
        about=snakemake.params.about,
    )
