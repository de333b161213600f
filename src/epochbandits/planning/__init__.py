"""What a run consists of: a configuration goes in, the files and the task of each job come out."""

from epochbandits.planning.loading import load_plan
from epochbandits.planning.plan import Plan

__all__ = ["Plan", "load_plan"]
