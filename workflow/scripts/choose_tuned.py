"""Choose the value of a parameter that did best on the tuning instances."""

from epochbandits.pipeline.aggregation import choose_tuned
from epochbandits.pipeline.logs import logged

with logged(snakemake.log[0]):
    choose_tuned(
        out=snakemake.output[0],
        shards=snakemake.params.shards,
        folders=snakemake.input.instances,
        policy=snakemake.wildcards.policy,
        parameter=snakemake.params.parameter,
        about=snakemake.params.about,
    )
