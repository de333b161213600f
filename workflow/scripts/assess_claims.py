"""Assess the ledger of claims."""

from epochbandits.claims.assess import write_claims
from epochbandits.pipeline.logs import logged

with logged(snakemake.log[0]):
    write_claims(
        out=snakemake.output[0],
        folder=snakemake.params.folder,
        config=snakemake.params.config,
        about=snakemake.params.about,
    )
