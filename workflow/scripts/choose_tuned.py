"""Choose the value of a parameter that did best on the tuning instances."""

from epochbandits.pipeline.aggregation import choose_tuned
from epochbandits.pipeline.logs import logged

with logged(snakemake.log[0]):
    choose_tuned(
        snakemake.output.chosen,
        shards=snakemake.input.shards,
        folders=snakemake.input.instances,
        **snakemake.params.task,
    )
