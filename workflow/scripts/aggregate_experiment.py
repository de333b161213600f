"""Aggregate the shards of an experiment into curves and finals."""

from epochbandits.pipeline.aggregation import aggregate_experiment
from epochbandits.pipeline.logs import logged

with logged(snakemake.log[0]):
    aggregate_experiment(
        curves=snakemake.output.curves,
        finals=snakemake.output.finals,
        shards=snakemake.input.shards,
        folders=snakemake.input.instances,
        **snakemake.params.task,
    )
