"""The plan of the studies: all files of ``config/studies`` make one run, called ``studies``.

``base.yaml`` has what the studies share: settings, policies, instances. Each other file is one
study, named after its figure; it adds blocks and changes none, so that no study depends on another.
"""

from __future__ import annotations

from functools import reduce
from pathlib import Path

from epochbandits.config.loading import load, locating, merge
from epochbandits.config.reading import read_yaml
from epochbandits.planning.check import check_figures, check_simulations
from epochbandits.planning.plan import STUDIES as RUN
from epochbandits.planning.plan import Plan
from epochbandits.validation import InputError

__all__ = ["FOLDER", "RUN", "load_studies", "study_files", "study_plan"]

FOLDER = Path(__file__).parents[3] / "config" / "studies"
_BASE = "base.yaml"


def study_files(folder: Path = FOLDER) -> list[Path]:
    """Return the files of the studies, the shared one first."""
    files = sorted(folder.glob("*.yaml"), key=lambda path: (path.name != _BASE, path.name))
    if not files or files[0].name != _BASE:
        raise InputError(f"{folder}: lacks {_BASE}, which has what the studies share")
    return files


def study_plan(folder: Path = FOLDER) -> Plan:
    """Return the plan of the studies; only the models of the configuration check it."""
    files = study_files(folder)
    return Plan(load(reduce(merge, map(read_yaml, files), {}), files))


def load_studies(folder: Path = FOLDER) -> Plan:
    """Return the plan of the studies, checked as far as possible before any job starts."""
    files = study_files(folder)
    _check_separate(files)
    plan = study_plan(folder)
    with locating(reduce(merge, map(read_yaml, files), {}), files):
        if plan.config.run != RUN:
            raise InputError(f"must be {RUN}", path=("run",), value=plan.config.run, suggestion=RUN)
        check_figures(plan.config)
        check_simulations(plan)
    return plan


def _check_separate(files: list[Path]) -> None:
    """Refuse a block that two files have, and a study without the figure of its name."""
    owners: dict[tuple[str, str], Path] = {}
    for file in files:
        content = read_yaml(file)
        for kind, blocks in content.items():
            for name in blocks if isinstance(blocks, dict) else [""]:
                first = owners.setdefault((kind, str(name)), file)
                if first != file:
                    key = f"{kind}.{name}" if name else kind
                    raise InputError(f"{file}: {key} is in {first} as well; give it another name")
        figures = content.get("figures")
        if file.name != _BASE and not (isinstance(figures, dict) and file.stem in figures):
            raise InputError(f"{file}: a study has the figure of its name; add\n"
                             f"  figures:\n    {file.stem}: {{source: ...}}")  # fmt: skip
