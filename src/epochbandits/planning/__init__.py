"""The plan of a run: a configuration goes in, the files and jobs of the workflow come out."""

from epochbandits.planning.check import check_figures
from epochbandits.planning.loading import load_plan

__all__ = ["check_figures", "load_plan"]
