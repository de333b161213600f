"""What a run says in the terminal when it starts and when it ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from epochbandits.engine import duration
from epochbandits.engine.simulation import Simulation
from epochbandits.io import files
from epochbandits.pipeline.layout import FigureFolder
from epochbandits.planning.plan import Plan
from epochbandits.validation import InputError


def announcements(plan: Plan) -> list[str]:
    """Return a sentence for each policy in plain Python whose runs will take long."""
    return duration.announcements(_python_runs(plan))


def _python_runs(plan: Plan) -> Iterator[tuple[str, Simulation, int]]:
    for experiment, block in plan.config.experiments.items():
        for policy in block.policies:
            grid = plan.grids.provisional(experiment, policy)
            for name in block.instances:
                run = grid.simulation(plan.instances.first(name), *grid.cells[0])
                runs = block.seeds * len(grid.cells) * plan.config.instances[name].size
                yield f"{policy} in experiments.{experiment}", run, runs


def closing(folder: FigureFolder) -> str:
    """Return the verdict counts of a run and the path of its page, if they exist."""
    lines = []
    try:
        claims = files.read_json(folder.claims)["claims"]
        counts = Counter(claim["verdict"] for claim in claims)
        verdicts = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
        lines.append(f"{len(claims)} claims: {verdicts}")
    except (InputError, KeyError, TypeError):
        pass
    if Path(folder.page).is_file():
        lines.append(f"open {folder.page}")
    return "\n".join(lines) or "done"
