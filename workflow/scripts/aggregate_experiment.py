"""Aggregate the shards of an experiment into curves and finals."""

from epochbandits.aggregation import aggregate_experiment
from epochbandits.logs import logged

with logged(snakemake.log[0]):
    aggregate_experiment(
        curves=snakemake.output.curves,
        finals=snakemake.output.finals,
        folders=snakemake.input.instances,
        **snakemake.params.job,
    )
