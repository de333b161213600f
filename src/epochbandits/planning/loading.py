"""From configuration files to the plan of a run, checked before any job starts.

All files of ``config/studies`` make one run, called ``studies``. ``base.yaml`` has what the studies
share: settings, policies, instances. Each other file is one study, named after its figure; it adds
blocks and changes none, so that no study depends on another. Thresholds are the paper run's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from pathlib import Path
from typing import Any

from epochbandits.claims.requirements import check_ledger
from epochbandits.config.loading import load, locating, merge
from epochbandits.config.models import Config
from epochbandits.config.reading import StrPath, read_yaml
from epochbandits.figures.registry import SPECS, spec_of
from epochbandits.io.schemas import REGRET_FIGURE
from epochbandits.pipeline.layout import PAPER, STUDIES
from epochbandits.planning.plan import Plan
from epochbandits.provenance.versions import REPOSITORY
from epochbandits.validation import InputError, choice

FOLDER = REPOSITORY / "config" / "studies"
_BASE = "base.yaml"


def load_plan(config: Mapping[str, Any], paths: Iterable[StrPath] = ()) -> Plan:
    """Return the plan of a configuration that was read from ``paths``, later over earlier."""
    paths = list(paths)
    for path in paths:  # Snakemake reads them less strictly
        if "__use_yte__" in read_yaml(path):
            raise InputError(f"{path}: __use_yte__ makes Snakemake run code; write plain YAML")
    checked = load(config, paths)
    with locating(config, paths):
        if checked.run == STUDIES:
            raise InputError("is reserved for config/studies; choose another name", path=("run",))
        check_figures(checked)
        check_ledger(checked)
        plan = Plan(checked)
        _check_simulations(plan)
    return plan


def study_files(folder: Path = FOLDER) -> list[Path]:
    """Return the files of the studies, the shared one first."""
    files = sorted(folder.glob("*.yaml"), key=lambda path: (path.name != _BASE, path.name))
    if not files or files[0].name != _BASE:
        raise InputError(f"{folder}: lacks {_BASE}, which has what the studies share")
    return files


def study_plan(folder: Path = FOLDER) -> Plan:
    """Return the plan of the studies; only the configuration's models validate it."""
    files = study_files(folder)
    return Plan(load(_merged(files), files))


def _merged(files: list[Path]) -> dict[str, Any]:
    """Return the configuration of the studies, with the thresholds of the paper run.

    The alternatives are left out: they show how far verdicts on the paper depend on our choices.
    """
    thresholds = {**read_yaml(REPOSITORY / PAPER)["claims"], "alternatives": {}}
    return reduce(merge, map(read_yaml, files), {"claims": thresholds})


def load_studies(folder: Path = FOLDER) -> Plan:
    """Return the plan of the studies, checked as far as possible before any job starts."""
    files = study_files(folder)
    _check_separate(files)
    plan = study_plan(folder)
    with locating(_merged(files), files):
        if plan.config.run != STUDIES:
            raise InputError(
                f"must be {STUDIES}", path=("run",), value=plan.config.run, suggestion=STUDIES
            )
        check_figures(plan.config)
        _check_simulations(plan)
        check_ledger(plan.config, studies=True)
    return plan


def _check_separate(files: list[Path]) -> None:
    """Reject a block that is in two files, and a study without a figure of the same name."""
    owners: dict[tuple[str, str], Path] = {}
    for file in files:
        content = read_yaml(file)
        for kind, blocks in content.items():
            for name in blocks if isinstance(blocks, dict) else [""]:
                first = owners.setdefault((kind, str(name)), file)
                if first != file:
                    key = f"{kind}.{name}" if name else kind
                    raise InputError(f"{file}: {key} is also defined in {first}; rename one")
        figures = content.get("figures")
        if file.name != _BASE and not (isinstance(figures, dict) and file.stem in figures):
            raise InputError(f"{file}: a study needs a figure of the same name; add\n"
                             f"  figures:\n    {file.stem}: {{source: ...}}")  # fmt: skip


# --- checks that the models cannot make: they need figures and policies ---------------------------


def check_figures(config: Config) -> None:
    """Reject a figure that does not exist, or whose source or policies do not."""
    for name, block in config.figures.items():
        path = ("figures", name)
        if not name.startswith(REGRET_FIGURE):
            known_figures = [*SPECS, f"{REGRET_FIGURE}<experiment>"]
            choice(name, "figure", known_figures, path=path, key=True)
        kind = spec_of(name).kind
        for source in block.source:
            choice(source, "source", getattr(config, kind), path=(*path, "source"))
        count = spec_of(name).sources
        if count is not None and len(block.source) != count:
            needed = "1 source" if count == 1 else f"{count} sources"
            raise InputError(
                f"the figure needs {needed} in {kind}, not {len(block.source)}",
                path=(*path, "source"),
            )
        if block.policies is None:
            continue
        if kind != "experiments":
            raise InputError("the figure shows no policies", path=(*path, "policies"))
        known = {p for source in block.source for p in config.experiments[source].policies}
        for policy in block.policies:
            choice(policy, "policy", sorted(known), path=(*path, "policies"))


def _check_simulations(plan: Plan) -> None:
    """Reject instances, policies and parameters that the library rejects, before any job."""
    for name in plan.config.instances:
        try:
            plan.instances.first(name)
        except InputError as error:
            raise error.at(("instances", name)) from None
    for name, block in plan.config.experiments.items():
        for policy in block.policies:
            try:
                grid = plan.grids.provisional(name, policy)
                for instances in block.instances:
                    for cell in grid.cells:
                        grid.simulation(plan.instances.first(instances), *cell)
            except InputError as error:
                raise error.at(("policies", policy), f"in experiments.{name}") from None
