"""Tabulate the eigenvalues of random chains."""

from epochbandits.pipeline.eigenvalues import write_eigenvalues
from epochbandits.pipeline.logs import logged

with logged(snakemake.log[0]):
    write_eigenvalues(snakemake.output.table, **snakemake.params.task)
