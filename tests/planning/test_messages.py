"""What a run says, what its jobs cost, and the text of their tasks."""

import json
import pickle
from functools import reduce
from pathlib import Path

import pytest

from epochbandits.config import merge, read_yaml
from epochbandits.model.generators import generate
from epochbandits.pipeline.layout import FigureFolder
from epochbandits.planning import announcements, closing, load_plan
from epochbandits.planning.costs import Costs
from epochbandits.planning.tables import Task
from epochbandits.validation import InputError

ROOT = Path(__file__).parents[2]
FILES = [ROOT / "config" / "paper.yaml", ROOT / "config" / "quick.yaml"]


def plan_with(**changes):
    return load_plan(merge(reduce(merge, map(read_yaml, FILES)), changes))


@pytest.fixture(scope="module")
def plan():
    return plan_with()


def test_the_reason_of_a_rerun_is_a_short_line(plan):
    tasks = [
        *(plan.simulation(e, b) for e in plan.config.experiments for b in plan.bundles(e)),
        *(plan.aggregation(e) for e in plan.config.experiments),
        *(plan.figure(f, str(ROOT / "workflow/report")) for f in plan.config.figures),
        *(plan.theory("bounds", name) for name in plan.config.bounds),
        *(plan.instance_set(name) for name in plan.config.instances),
        plan.ledger,
        plan.page(str(ROOT / "workflow/report")),
    ]
    assert max(len(repr(task)) for task in tasks) <= 160
    assert all(isinstance(task, Task) for task in tasks)


def test_the_text_of_a_task_changes_with_each_part():
    base = {"grids": {"a": 1}, "metadata": {"key": "k", "code": "c"}}
    texts = {
        repr(Task(task))
        for task in (
            base,
            {**base, "grids": {"a": 2}},
            {**base, "metadata": {"key": "l", "code": "c"}},
            {**base, "metadata": {"key": "k", "code": "d"}},
        )
    }
    assert len(texts) == 4
    assert repr(Task(base)) == repr(Task(dict(reversed(base.items()))))
    assert type(pickle.loads(pickle.dumps(Task(base)))) is dict


def test_costs_follow_the_work(plan):
    costs = Costs(plan)
    of = {
        name: costs.of(
            "simulate_shard",
            {"experiment": name, "bundle": next(iter(plan.bundles(name))), "first": "0",
             "stop": str(min(size, block.seeds))},
        )
        for name, block in plan.config.experiments.items()
        for size in [block.seeds_per_job or plan.config.seeds_per_job]
    }  # fmt: skip
    assert of["baselines_4x4"] > of["failure"] > 0  # 20,000 decisions, against 200
    assert of["baselines_4x4"] != costs.mean("simulate_shard")
    assert costs.of("draw_figure", {}) == costs.mean("draw_figure") > costs.mean("make_instances")


def test_the_end_of_a_run_counts_verdicts_and_names_the_page(tmp_path):
    folder = FigureFolder(tmp_path)
    assert closing(folder) == "done"
    claims = [{"verdict": v} for v in ("reproduced", "not assessed", "reproduced")]
    Path(folder.claims).write_text(json.dumps({"claims": claims}))
    Path(folder.page).write_text("<html>")
    assert closing(folder) == f"3 claims: 2 reproduced, 1 not assessed\nopen {folder.page}"


def test_a_python_policy_that_takes_hours_is_announced(tmp_path, plan):
    file = tmp_path / "mine.py"
    file.write_text(
        "class A:\n    schedule = 'fixed:1'\n    def reset(self, info, rng): pass\n"
        "    def choose(self, k): return 0\n    def update(self, arm, reward): pass\n"
    )
    own = {"mine": {"code": f"{file}:A"}}
    runs = {"baselines_4x4": {"policies": ["epoch-ucb", "mine"], "epochs": 5000}}
    none = dict.fromkeys(plan.config.figures)
    claims = {"assess": False}
    (text,) = announcements(plan_with(policies=own, experiments=runs, figures=none, claims=claims))
    assert text.startswith("mine in experiments.baselines_4x4 is plain Python: its runs may take")
    assert announcements(plan) == []


def test_a_removed_experiment_takes_its_figure_with_it(tmp_path):
    mine = tmp_path / "mine.yaml"
    mine.write_text("run: mine\nexperiments:\n  baselines_4x4: null\n")
    paths = [FILES[0], mine]
    with pytest.raises(InputError) as caught:
        load_plan(reduce(merge, map(read_yaml, paths)), paths)
    text = str(caught.value)
    assert "mine.yaml, line 3: experiments.baselines_4x4 is removed, but" in text
    assert "figures: {fig6a_baselines_4x4: null}" in text
    assert "4x8" not in text


def test_names_of_files_stay_short_whatever_policies_are_called():
    names = [f"{'policy' * 9}-{i:02}" for i in range(12)]
    policies = {name: {"policy": "ucb"} for name in names}
    runs = {"x" * 60: {"instances": ["main_4x4"], "policies": names, "epochs": 10, "seeds": 2}}
    plan = plan_with(policies=policies, experiments=runs)
    for path in plan.shards("x" * 60):
        assert max(map(len, Path(path).parts)) <= 60


@pytest.mark.parametrize(("parameter", "values"), [("tau0", [5, 20]), ("zeta", [1, 3])])
def test_epoch_lengths_can_be_swept(parameter, values):
    policies = {"mine": {"policy": "epoch-ucb", "sweep": {parameter: values}}}
    runs = {"s": {"instances": ["main_4x4"], "policies": ["mine"], "epochs": 10, "seeds": 2}}
    plan = plan_with(policies=policies, experiments=runs, figures={"regret_s": {"source": "s"}})
    grid = plan.grid("s", "mine")
    found = [grid.simulation(generate("fast"), *cell).setting for cell in grid.cells]
    assert [getattr(setting, parameter) for setting in found] == values
    task = plan.figure("regret_s", str(ROOT / "workflow/report"))
    assert task["settings"]["swept"] == {"mine": parameter}
    with pytest.raises(InputError, match=f"{parameter} must be a whole number"):
        plan_with(
            policies={"mine": {"policy": "epoch-ucb", "sweep": {parameter: [1.5]}}},
            experiments=runs,
        )


def test_a_parameter_that_must_be_whole_can_be_swept():
    policies = {"mine": {"policy": "fixed-arm", "sweep": {"arm": [0, 1]}}}
    runs = {"s": {"instances": ["main_4x4"], "policies": ["mine"], "epochs": 10, "seeds": 2}}
    grid = plan_with(policies=policies, experiments=runs).grid("s", "mine")
    found = [grid.simulation(generate("fast"), *cell).params["arm"] for cell in grid.cells]
    assert found == [0, 1]
