"""Bundles, shards and their keys, and tuning."""

from pathlib import Path

import pytest
from plans import paper_plan, paper_with, quick_with
from small_run import plan_of


@pytest.mark.parametrize("size", [1, 2, 3, 10])
def test_bundles_share_out_the_policies_in_order(size):
    plan = paper_with({"policies_per_job": size})
    policies = plan.config.experiments["baselines_4x4"].policies
    bundles = plan.simulations.bundles("baselines_4x4")
    assert [policy for bundle in bundles.values() for policy in bundle] == policies
    assert all(name == bundle[0] for name, bundle in bundles.items())
    assert max(map(len, bundles.values())) == min(size, len(policies))


def test_shards_cover_every_seed_of_every_bundle_once():
    paper = paper_plan()
    for name, block in paper.config.experiments.items():
        shards = paper.simulations.shards(name)
        blocks = [Path(shard).stem.split("-") for shard in shards]
        seeds = sum(int(stop) - int(first) for first, stop in blocks)
        assert seeds == block.seeds * len(paper.simulations.bundles(name))


def test_names_of_files_stay_short_whatever_policies_are_called():
    names = [f"{'policy' * 9}-{i:02}" for i in range(12)]
    policies = {name: {"policy": "ucb"} for name in names}
    runs = {"x" * 60: {"instances": ["main_4x4"], "policies": names, "epochs": 10, "seeds": 2}}
    plan = quick_with(policies=policies, experiments=runs)
    for path in plan.simulations.shards("x" * 60):
        assert max(map(len, Path(path).parts)) <= 60


def test_a_policy_is_tuned_on_its_own_shards_alone():
    plan = paper_with({"policies_per_job": 1})
    inputs = plan.simulations.tuning("tuning_4x4", "epoch-greedy")["inputs"]
    assert [path for path in inputs if "shards" in path] == [
        "data/paper/shards/tuning_4x4/epoch-greedy/0-3.parquet"
    ]


def test_a_tuned_parameter_is_swept_where_it_is_chosen_and_read_elsewhere():
    paper = paper_plan()
    values = paper.config.policies["epoch-greedy"].tuned["c"]
    assert paper.grids.of("tuning_4x4", "epoch-greedy").sweep == ("c", values)
    assert paper.grids.of("baselines_4x4", "epoch-greedy").sweep is None
    assert list(paper.simulations.tuned("baselines_4x4", "epoch-ucb")) == [
        "data/paper/tuned/tuning_4x4/epoch-greedy.json",
        "data/paper/tuned/tuning_4x4/eps-greedy.json",
    ]


def key(plan, experiment="baselines_4x4", policy="epoch-greedy"):
    (bundle,) = [
        b for b, members in plan.simulations.bundles(experiment).items() if policy in members
    ]
    return plan.simulations.task(experiment, bundle).key


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
def test_a_shard_s_key_changes_with_what_its_runs_depend_on(changes, same):
    assert (key(paper_with(changes)) == key(paper_plan())) is same


@pytest.mark.parametrize("code", ["mine:Policy", "mine.py:Policy", "box.mine:Policy"])
def test_edited_code_of_a_policy_is_another_key(tmp_path, monkeypatch, code):
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "box" if code.startswith("box") else tmp_path
    folder.mkdir(exist_ok=True)
    helper = "box.helper" if code.startswith("box") else "helper"
    (folder / "__init__.py").write_text("")
    (folder / "helper.py").write_text("STEP = 1\n")
    (folder / "mine.py").write_text(f"from {helper} import STEP\nclass Policy: pass\n")
    changes = {"policies": {"epoch-greedy": {"policy": None, "code": code}}}

    def keys():
        return plan_of(changes).simulations.shards("baselines_4x4")

    before = keys()
    (folder / "helper.py").write_text("STEP = 2\n")
    between = keys()
    (folder / "mine.py").write_text(f"from {helper} import STEP\nclass Policy: x = 1\n")
    assert len({str(before), str(between), str(keys())}) == 3
