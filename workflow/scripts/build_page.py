"""Build the page that shows the run."""

from pathlib import Path

from epochbandits.pipeline.logs import logged
from epochbandits.report import write_page

with logged(snakemake.log[0]):
    write_page(
        out=snakemake.output[0],
        folder=Path(snakemake.output[0]).parent,
        figures=snakemake.params.figures,
        code=snakemake.params.code,
    )
