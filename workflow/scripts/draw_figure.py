"""Draw a figure into all its files."""

from epochbandits.figures.render import draw_figure
from epochbandits.pipeline.logs import logged

with logged(snakemake.log[0]):
    draw_figure(
        folder=snakemake.output[0].rpartition("/")[0],
        figure=snakemake.wildcards.figure,
        inputs=dict(snakemake.input.items()),
        settings=snakemake.params.settings,
        about=snakemake.params.about,
        stamp=snakemake.params.stamp,
    )
