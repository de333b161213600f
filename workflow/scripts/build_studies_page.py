"""Build the page that shows the studies."""

from pathlib import Path

from epochbandits.pipeline.logs import logged
from epochbandits.report import write_studies_page

with logged(snakemake.log[0]):
    page = Path(snakemake.output.page)
    write_studies_page(page, page.parent, **snakemake.params.task, processes=2)
