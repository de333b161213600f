"""The plan of a run: its files, and the task of each job."""

from pathlib import Path

import pytest

from epochbandits.claims.conditions import place
from epochbandits.claims.ledger import ledger
from epochbandits.config import load, load_files
from epochbandits.config.loading import merge
from epochbandits.config.reading import read_yaml
from epochbandits.engine.warmup import compile_runs
from epochbandits.figures.registry import FIGURES, spec_of
from epochbandits.pipeline.layout import FORMATS, Layout
from epochbandits.planning import Plan
from epochbandits.planning.tables import THEORY

ROOT = Path(__file__).parents[2]
PAPER = ROOT / "config" / "paper.yaml"
CAPTIONS = str(ROOT / "workflow" / "report")


def plan_with(changes):
    return Plan(load(merge(read_yaml(PAPER), changes)))


@pytest.fixture(scope="module")
def paper():
    return Plan(load_files([PAPER]))


def test_every_path_lies_in_the_run_s_folders_and_is_unique():
    layout = Layout("r")
    paths = [
        layout.instances("n"), layout.compiled, layout.tuned("e", "p"),
        layout.shard("e", "p", 0, 4), layout.curves("e"), layout.finals("e"),
        layout.theory("bounds", "n"), layout.theory("eigenvalues", "n"),
        layout.figures.picture("f", "svg"), layout.figures.sidecar("f"),
        layout.figures.plotted("f"), layout.figures.claims,
        layout.figures.page, layout.log("shards", "e", "p", "0-4"),
    ]  # fmt: skip
    assert len(set(paths)) == len(paths)
    assert all(path.startswith(("data/r/", "figures/r/")) for path in paths)


def test_what_is_asked_for(paper):
    config = paper.config
    theory = len(config.bounds) + len(config.eigenvalues) + len(config.inequalities)
    assert len(paper.tables) == len(set(paper.tables)) == 2 * len(config.experiments) + theory
    assert len(paper.pictures) == len(FIGURES) * len(FORMATS)


def test_a_quick_run_has_every_figure_and_what_figures_need(paper):
    config = load_files([PAPER, PAPER.with_name("quick.yaml")])
    assert list(config.figures) == list(paper.config.figures)
    needed: dict[str, set[str]] = {kind: set() for kind in ("instances", "experiments", *THEORY)}
    for name, block in config.figures.items():
        needed[spec_of(name).kind].update(block.source)
    tuning = [config.experiments[name].tuned_on for name in needed["experiments"]]
    needed["experiments"].update(name for name in tuning if name)
    for kind in ("experiments", "bounds", "inequalities"):
        for name in needed[kind]:
            sets = getattr(config, kind)[name].instances
            needed["instances"].update([sets] if isinstance(sets, str) else sets)
    for kind, names in needed.items():
        assert set(getattr(config, kind)) == names, kind


def test_what_is_compiled_is_what_experiments_run(paper):
    named = {entry.policy or name for name, entry in paper.config.policies.items()}
    # by their own names, not those of the blocks
    assert {run.policy for run in paper.compiled_runs} == named
    assert {run.policy for run in paper.compiled_runs if run.each_iteration} == {
        "ucb", "ucb-tuned", "eps-greedy", "exp3", "q-learning"
    }  # fmt: skip
    # `mechanisms` and `fixed_length` also run these in epochs
    in_epochs = {run.policy for run in paper.compiled_runs if not run.each_iteration}
    assert in_epochs > {"epoch-ucb", "ucb", "exp3", "q-learning"}
    mine = {"policy": None, "code": "examples/softmax_policy.py:Softmax"}
    planned = plan_with({"policies": {"ucb": mine}}).compiled_runs
    assert "ucb" not in {run.policy for run in planned}
    compile_runs([], processes=2)  # a run of users' policies alone


@pytest.mark.parametrize("paired", [True, False])
def test_a_paired_policy_needs_the_policy_that_it_is_paired_with(paper, paired):
    one = paper.config.experiments["lock_in"].model_copy(update={"paired": paired})
    only = paper.config.model_copy(update={"experiments": {"lock_in": one}})
    assert Plan(only).compiled_runs == [("epoch-ucb", False)] * paired + [("ucb", True)]


@pytest.mark.parametrize("size", [1, 2, 3, 10])
def test_bundles_share_out_the_policies_in_order(size):
    plan = plan_with({"policies_per_job": size})
    policies = plan.config.experiments["baselines_4x4"].policies
    bundles = plan.bundles("baselines_4x4")
    assert [policy for bundle in bundles.values() for policy in bundle] == policies
    assert all(name == bundle[0] for name, bundle in bundles.items())
    assert max(map(len, bundles.values())) == min(size, len(policies))


def test_shards_cover_every_seed_of_every_bundle_once(paper):
    for name, block in paper.config.experiments.items():
        shards = paper.shards(name)
        blocks = [Path(shard).stem.split("-") for shard in shards]
        seeds = sum(int(stop) - int(first) for first, stop in blocks)
        assert seeds == block.seeds * len(paper.bundles(name))


def test_a_policy_is_tuned_on_its_own_shards_alone():
    plan = plan_with({"policies_per_job": 1})
    shards = plan.tuning("tuning_4x4", "epoch-greedy")["shards"]
    assert list(shards) == ["data/paper/shards/tuning_4x4/epoch-greedy/0-3.parquet"]


def key(plan, experiment="baselines_4x4", policy="epoch-greedy"):
    (bundle,) = [b for b, members in plan.bundles(experiment).items() if policy in members]
    return plan.simulation(experiment, bundle)["metadata"]["key"]


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({"seeds_per_job": 1}, True),
        ({"run": "other"}, True),
        ({"figures": {"fig6a_baselines_4x4": {"policies": ["ucb"]}}}, True),
        ({"experiments": {"baselines_4x4": {"seeds": 3}}}, True),  # other seeds, the same runs
        ({"experiments": {"baselines_4x4": {"epochs": 7}}}, False),
        ({"experiments": {"baselines_4x4": {"schedule": "fixed:40"}}}, False),
        ({"instances": {"main_4x4": {"count": 2}}}, False),
        ({"root": 2}, False),
        # What the tuned value is chosen from.
        ({"experiments": {"tuning_4x4": {"seeds": 2}}}, False),
        ({"policies": {"epoch-greedy": {"tuned": {"c": [1]}}}}, False),
    ],
)
def test_a_shard_s_key_changes_with_what_its_runs_depend_on(paper, changes, same):
    assert (key(plan_with(changes)) == key(paper)) is same


def test_a_policy_s_schedule_wins_over_the_experiment_s():
    changes = {
        "experiments": {"epochs": {"schedule": "fixed:40"}},
        "policies": {"epoch-ucb": {"schedule": "geometric:0.5"}},
    }
    plan = plan_with(changes)
    schedules = {
        policy: plan.grid("epochs", policy).options["schedule"]
        for policy in ("epoch-ucb", "epoch-greedy-theory")
    }
    assert schedules == {"epoch-ucb": "geometric:0.5", "epoch-greedy-theory": "fixed:40"}


def test_a_tuned_parameter_is_swept_where_it_is_chosen_and_read_elsewhere(paper):
    values = paper.config.policies["epoch-greedy"].tuned["c"]
    assert paper.grid("tuning_4x4", "epoch-greedy").sweep == ("c", values)
    assert paper.grid("baselines_4x4", "epoch-greedy").sweep is None
    assert paper.tuned_files("baselines_4x4", "epoch-ucb") == [
        "data/paper/tuned/tuning_4x4/epoch-greedy.json",
        "data/paper/tuned/tuning_4x4/eps-greedy.json",
    ]


@pytest.mark.parametrize("figure", FIGURES)
def test_every_figure_has_inputs_and_a_task(paper, figure):
    inputs, task = paper.figure_inputs(figure), paper.figure(figure, CAPTIONS)
    assert inputs
    assert all(inputs.values())
    assert len(task["metadata"]["caption"]) > 100
    assert task["settings"]["late"] == paper.config.claims.late


def test_the_ledger_knows_where_every_condition_stands(paper):
    """Its task has the blocks that name class, size and horizon of each condition."""
    config = paper.ledger["config"]
    for claim in ledger(paper.config.claims):
        for condition in claim.conditions:
            assert set(place(config, condition)) == {"class", "sampling", "size", "horizon"}
