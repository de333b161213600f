"""A tiny run, made stage by stage with the tasks of its plan, without Snakemake."""

from functools import cache
from pathlib import Path

from epochbandits.claims.assess import write_claims
from epochbandits.config import load
from epochbandits.config.loading import merge
from epochbandits.config.reading import read_yaml
from epochbandits.figures.render import draw_figure
from epochbandits.pipeline.aggregation import aggregate_experiment, choose_tuned
from epochbandits.pipeline.bounds import write_bounds
from epochbandits.pipeline.eigenvalues import write_eigenvalues
from epochbandits.pipeline.inequalities import write_inequalities
from epochbandits.pipeline.instance_sets import write_set
from epochbandits.pipeline.shards import simulate_shard
from epochbandits.planning import Plan
from epochbandits.report import write_page

ROOT = Path(__file__).parents[2]
PAPER = read_yaml(ROOT / "config" / "paper.yaml")
CAPTIONS = str(ROOT / "workflow" / "report")
FIGURE = "fig6a_baselines_4x4"
BLOCKS = {
    "instances": {"main_4x4": {"count": 2}, "tuning_4x4": {"count": 1}},
    "experiments": {
        "tuning_4x4": {"epochs": 20, "seeds": 1, "policies": ["epoch-greedy"]},
        "baselines_4x4": {"epochs": 20, "seeds": 2, "policies": ["epoch-greedy"]},
    },
    "bounds": {"time_average": {"horizon": 100, "points": 10}},
    "eigenvalues": {"mixing": {"matrices": 2}},
    "inequalities": {"theorem1": {"instances": ["main_4x4"], "epochs": 20, "seeds": 2}},
    "figures": {FIGURE: {}},
}
SMALL = {"run": "small", "claims": {"assess": False}} | {
    kind: dict.fromkeys(PAPER[kind]) | blocks for kind, blocks in BLOCKS.items()
}
EXPERIMENT = "baselines_4x4"
SHARD = "data/small/shards/baselines_4x4/epoch-greedy/0-2.parquet"


def plan_of(changes=None):
    return Plan(load(merge(merge(PAPER, SMALL), changes or {})))


@cache
def plan_with_root(root=0):
    return plan_of({"root": root})


def stages(plan):
    """Return the stages of a run by name, in order; each writes into the working folder."""
    layout = plan.layout

    def make_instances():
        for name in plan.config.instances:
            write_set(layout.instances(name), **plan.instances.task(name))

    def simulate(experiment):
        (bundle,) = plan.simulations.bundles(experiment)
        seeds = range(plan.config.experiments[experiment].seeds)
        out = _made(layout.shard(experiment, bundle, 0, len(seeds)))
        tuned = list(plan.simulations.tuned(experiment, bundle))
        folders = list(plan.instances.folders("experiments", experiment))
        task = plan.simulations.task(experiment, bundle)
        simulate_shard(out, folders=folders, seeds=seeds, tuned=tuned, **task)

    def tune():
        simulate("tuning_4x4")
        folders = list(plan.instances.folders("experiments", "tuning_4x4"))
        out = _made(layout.tuned("tuning_4x4", "epoch-greedy"))
        shards = list(plan.simulations.shards("tuning_4x4", "epoch-greedy"))
        task = plan.simulations.tuning("tuning_4x4", "epoch-greedy")
        choose_tuned(out, shards, folders, **task)

    def aggregate():
        for name in plan.config.experiments:
            out = _made(layout.curves(name)), layout.finals(name)
            folders = list(plan.instances.folders("experiments", name))
            shards = list(plan.simulations.shards(name))
            aggregate_experiment(*out, shards, folders, **plan.simulations.aggregation(name))

    def bound():
        folders = list(plan.instances.folders("bounds", "time_average"))
        out = _made(layout.theory("bounds", "time_average"))
        write_bounds(out, folders=folders, **plan.theory.task("bounds", "time_average"))

    def draw():
        _made(layout.figures.plotted(FIGURE))
        draw_figure(layout.figures.path, **plan.figures.task(FIGURE, CAPTIONS))

    def check():
        (name,) = plan.config.inequalities
        folders = list(plan.instances.folders("inequalities", name))
        out = _made(layout.theory("inequalities", name))
        write_inequalities(out, folders=folders, **plan.theory.task("inequalities", name))

    def eigenvalues():
        (name,) = plan.config.eigenvalues
        out = _made(layout.theory("eigenvalues", name))
        write_eigenvalues(out, **plan.theory.task("eigenvalues", name))

    return {
        "instances": make_instances,
        "tune": tune,
        "simulate": lambda: simulate(EXPERIMENT),
        "aggregate": aggregate,
        "bounds": bound,
        "eigenvalues": eigenvalues,
        "inequalities": check,
        "draw": draw,
        "claims": lambda: write_claims(layout.figures.claims, **plan.ledger),
        "page": lambda: write_page(
            layout.figures.page, layout.figures.path, **plan.page(CAPTIONS)
        ),
    }  # fmt: skip


def _made(path):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    return path
