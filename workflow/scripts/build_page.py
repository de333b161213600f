"""Build the page that shows a run."""

from pathlib import Path

from epochbandits.pipeline.logs import logged
from epochbandits.report import write_page

with logged(snakemake.log[0]):
    page = Path(snakemake.output.page)
    write_page(page, page.parent, **snakemake.params.task, processes=2)
