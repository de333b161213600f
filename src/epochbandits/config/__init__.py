"""The configuration of a run: its `models`, reading it with kind errors, and the `plan` of jobs."""

from epochbandits.config.loading import load, load_files, load_plan
from epochbandits.config.models import Config

__all__ = ["Config", "load", "load_files", "load_plan"]
