"""What policies do in experiments, and what is compiled for them."""

from pathlib import Path

import pytest
from plans import CAPTIONS, paper_plan, paper_with, quick_with

from epochbandits.engine import duration
from epochbandits.engine.warmup import compile_runs
from epochbandits.model.generators import generate
from epochbandits.planning import Plan, announcements
from epochbandits.planning.costs import Costs
from epochbandits.validation import InputError


def test_what_is_compiled_is_what_experiments_run():
    paper = paper_plan()
    named = {entry.policy or name for name, entry in paper.config.policies.items()}
    # by their own names, not those of the blocks
    assert {run.policy for run in paper.grids.compiled_runs} == named
    assert {run.policy for run in paper.grids.compiled_runs if run.each_iteration} == {
        "ucb", "ucb-tuned", "eps-greedy", "exp3", "q-learning"
    }  # fmt: skip
    # `mechanisms` and `fixed_length` also run these in epochs
    in_epochs = {run.policy for run in paper.grids.compiled_runs if not run.each_iteration}
    assert in_epochs > {"epoch-ucb", "ucb", "exp3", "q-learning"}
    mine = {"policy": None, "code": "examples/softmax_policy.py:Softmax"}
    planned = paper_with({"policies": {"ucb": mine}}).grids.compiled_runs
    assert "ucb" not in {run.policy for run in planned}
    compile_runs([], processes=2)  # a run of users' policies alone


@pytest.mark.parametrize("paired", [True, False])
def test_a_paired_policy_needs_the_policy_that_it_is_paired_with(paired):
    paper = paper_plan()
    block = paper.config.experiments["lock_in"].model_copy(update={"paired": paired})
    only = paper.config.model_copy(update={"experiments": {"lock_in": block}})
    assert Plan(only).grids.compiled_runs == [("epoch-ucb", False)] * paired + [("ucb", True)]


def test_a_policy_s_schedule_wins_over_the_experiment_s():
    changes = {
        "experiments": {"epochs": {"schedule": "fixed:40"}},
        "policies": {"epoch-ucb": {"schedule": "geometric:0.5"}},
    }
    plan = paper_with(changes)
    schedules = {
        policy: plan.grids.of("epochs", policy).options["schedule"]
        for policy in ("epoch-ucb", "epoch-greedy-theory")
    }
    assert schedules == {"epoch-ucb": "geometric:0.5", "epoch-greedy-theory": "fixed:40"}


@pytest.mark.parametrize(("parameter", "values"), [("tau0", [5, 20]), ("zeta", [1, 3])])
def test_epoch_lengths_can_be_swept(parameter, values):
    policies = {"mine": {"policy": "epoch-ucb", "sweep": {parameter: values}}}
    runs = {"s": {"instances": ["main_4x4"], "policies": ["mine"], "epochs": 10, "seeds": 2}}
    plan = quick_with(policies=policies, experiments=runs, figures={"regret_s": {"source": "s"}})
    grid = plan.grids.of("s", "mine")
    settings = [grid.simulation(generate("fast"), *cell).setting for cell in grid.cells]
    assert [getattr(setting, parameter) for setting in settings] == values
    task = plan.figures.task("regret_s", CAPTIONS)
    assert task["settings"]["swept"] == {"mine": parameter}
    with pytest.raises(InputError, match=f"{parameter} must be a whole number"):
        quick_with(
            policies={"mine": {"policy": "epoch-ucb", "sweep": {parameter: [1.5]}}},
            experiments=runs,
        )


def test_a_parameter_that_must_be_whole_can_be_swept():
    policies = {"mine": {"policy": "fixed-arm", "sweep": {"arm": [0, 1]}}}
    runs = {"s": {"instances": ["main_4x4"], "policies": ["mine"], "epochs": 10, "seeds": 2}}
    grid = quick_with(policies=policies, experiments=runs).grids.of("s", "mine")
    arms = [grid.simulation(generate("fast"), *cell).params["arm"] for cell in grid.cells]
    assert arms == [0, 1]


IN_CLASS = "Softmax.schedule = {!r}\n"
PROPERTY = "Softmax.schedule = property(lambda self: {!r})\n"
FACTORY = """def created(**params):
    policy = _Softmax(**params)
    policy.schedule = {!r}
    return policy

_Softmax, Softmax = Softmax, created
"""


@pytest.mark.parametrize(
    "stated", [IN_CLASS, PROPERTY, FACTORY], ids=["class", "property", "factory"]
)
@pytest.mark.parametrize(("schedule", "each_iteration"), [("linear", False), ("fixed:1", True)])
def test_the_plan_knows_the_schedule_of_a_user_s_policy(schedule, each_iteration, stated, tmp_path):
    """It decides whether a run is paired, and so its cost."""
    text = Path("examples/softmax_policy.py").read_text(encoding="utf-8")
    file = tmp_path / "mine.py"
    file.write_text(f"{text}\n\n{stated.format(schedule)}", encoding="utf-8")
    code = {"policy": None, "code": f"{file}:Softmax"}
    plan = paper_with({"policies": {"ucb": code}})
    run = plan.grids.first_run("baselines_4x4", "ucb")
    assert run.paired == run.parsed_schedule.each_iteration == each_iteration
    Costs(plan)  # which needs the schedule of every policy


def test_a_user_s_policy_may_require_a_tuned_parameter(tmp_path, monkeypatch):
    text = Path("examples/softmax_policy.py").read_text(encoding="utf-8")
    file = tmp_path / "mine.py"
    file.write_text(text.replace("temperature=0.05", "c").replace("= temperature", "= c"))
    plan = paper_with({"policies": {"eps-greedy": {"policy": None, "code": f"{file}:Softmax"}}})
    assert plan.grids.compiled_runs
    assert Costs(plan).mean("simulate_shard") > 1
    monkeypatch.setattr(duration, "_LONG", 0.1)  # whatever the processor takes for them
    assert any("eps-greedy" in sentence for sentence in announcements(plan))
