"""Draw a figure into all its files."""

from pathlib import Path

from epochbandits.figures.render import draw_figure
from epochbandits.pipeline.logs import logged

with logged(snakemake.log[0]):
    draw_figure(
        Path(snakemake.output.svg).parent,
        **snakemake.params.task,
    )
