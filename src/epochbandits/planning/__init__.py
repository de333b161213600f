"""The plan of a run: a configuration goes in, the files and jobs of the workflow come out."""

from epochbandits.planning.loading import load_plan, load_studies, study_plan
from epochbandits.planning.messages import announcements, closing
from epochbandits.planning.plan import Plan

__all__ = [
    "Plan",
    "announcements",
    "closing",
    "load_plan",
    "load_studies",
    "study_plan",
]
