"""Tabulate the eigenvalues of random chains."""

from epochbandits.eigenvalues import write_eigenvalues
from epochbandits.logs import logged

with logged(snakemake.log[0]):
    write_eigenvalues(snakemake.output[0], snakemake.params.block, snakemake.params.about)
