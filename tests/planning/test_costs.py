"""What the jobs of a run cost."""

from plans import quick_plan

from epochbandits.planning.costs import Costs


def test_costs_follow_the_work():
    quick = quick_plan()
    costs = Costs(quick)
    of = {
        name: costs.of(
            "simulate_shard",
            {"experiment": name, "bundle": next(iter(quick.simulations.bundles(name))),
             "first": "0", "stop": str(min(size, block.seeds))},
        )
        for name, block in quick.config.experiments.items()
        for size in [block.seeds_per_job or quick.config.seeds_per_job]
    }  # fmt: skip
    assert of["baselines_4x4"] > of["failure"] > 0  # 20,000 decisions, against 200
    assert of["baselines_4x4"] != costs.mean("simulate_shard")
    assert costs.of("draw_figure", {}) == costs.mean("draw_figure") > costs.mean("make_instances")
