"""Plans of the shipped configurations, with changes."""

from functools import cache, reduce
from pathlib import Path

from epochbandits.config import load, merge, read_yaml
from epochbandits.planning import Plan, load_plan

ROOT = Path(__file__).parents[2]
PAPER = ROOT / "config" / "paper.yaml"
QUICK = PAPER.with_name("quick.yaml")
CAPTIONS = str(ROOT / "workflow" / "report")


@cache
def paper_plan():
    return paper_with({})


@cache
def quick_plan():
    return quick_with()


def paper_with(changes):
    return Plan(load(merge(read_yaml(PAPER), changes)))


def quick_with(**changes):
    """Return the plan of a quick run; unlike the other, its simulations are checked."""
    return load_plan(reduce(merge, [*map(read_yaml, (PAPER, QUICK)), changes]))
