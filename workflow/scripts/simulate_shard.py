"""Run policies of an experiment for a block of seeds."""

from epochbandits.pipeline.logs import logged
from epochbandits.pipeline.shards import simulate_shard

with logged(snakemake.log[0]):
    simulate_shard(
        snakemake.output.shard,
        folders=snakemake.input.instances,
        seeds=range(int(snakemake.wildcards.first), int(snakemake.wildcards.stop)),
        tuned=snakemake.input.tuned,
        **snakemake.params.task,
    )
