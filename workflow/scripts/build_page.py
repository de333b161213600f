"""Build the page that shows a run."""

from epochbandits.pipeline.logs import logged
from epochbandits.report import write_page

with logged(snakemake.log[0]):
    write_page(snakemake.output.page, **snakemake.params.task)
