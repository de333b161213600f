"""Assess the statements of the studies."""

from epochbandits.claims.assess import write_claims
from epochbandits.pipeline.logs import logged

with logged(snakemake.log[0]):
    write_claims(snakemake.output.claims, **snakemake.params.task, studies=True)
