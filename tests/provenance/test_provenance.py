"""The hash of the code behind a result: what it covers, and what it leaves out."""

import pytest

from epochbandits.config import load_files
from epochbandits.planning.plan import Plan
from epochbandits.provenance import code_hash as provenance
from epochbandits.provenance.code_hash import code_hash, modules_behind

SIMULATION = "epochbandits.pipeline.shards"


def test_imports_are_followed_through_the_package():
    modules = modules_behind([SIMULATION])
    for name in (
        "engine.simulation",
        "engine.fast",
        "engine.sampling_tables",
        "model.chains",
        "policies.base",
        "io.parquet",
    ):
        assert f"epochbandits.{name}" in modules


def test_a_simulation_does_not_depend_on_what_comes_after_it():
    modules = modules_behind([SIMULATION])
    for name in (
        "pipeline.aggregation",
        "stats",
        "figures",
        "config",
        "pipeline.bounds",
        "cli",
        "pipeline.logs",
    ):
        assert not any(module.startswith(f"epochbandits.{name}") for module in modules)


def test_a_policy_is_behind_its_own_runs_only():
    assert "epochbandits.policies.exp3" not in modules_behind([SIMULATION])
    modules = modules_behind([SIMULATION, "epochbandits.policies.epoch_greedy"])
    assert "epochbandits.policies.greedy" in modules
    assert "epochbandits.policies.ucb" not in modules


def test_a_bound_does_not_depend_on_the_engine():
    """`epochbandits/__init__.py` names everything that is public, and is behind every module."""
    modules = modules_behind(["epochbandits.pipeline.bounds"])
    assert "epochbandits" in modules
    assert "epochbandits.theory.ucb" in modules
    assert not any(module.startswith("epochbandits.engine") for module in modules)


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Return the folder of a copy of the package, from which hashes are computed."""
    import shutil

    copied = tmp_path / "epochbandits"
    shutil.copytree(provenance._ROOT, copied, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(provenance, "_ROOT", copied)
    provenance._imports.cache_clear()
    yield copied
    provenance._imports.cache_clear()


def edit(package, name):
    path = package / name
    path.write_text(path.read_text() + "\n# edited\n")


@pytest.mark.parametrize(
    ("edited", "changed"),
    [
        ("policies/exp3.py", {"exp3"}),
        ("policies/ucb.py", {"ucb"}),
        ("policies/greedy.py", {"epoch-greedy", "eps-greedy"}),
        # those that decide each iteration are cut at EpochUCB's epochs
        ("policies/epoch_ucb.py", {"epoch-ucb", "ucb", "exp3", "eps-greedy"}),
        ("engine/epochs.py", {"epoch-ucb", "epoch-greedy", "ucb", "exp3", "eps-greedy"}),
        ("theory/penalty.py", {"epoch-ucb", "epoch-greedy", "ucb", "exp3", "eps-greedy"}),
        ("figures/style.py", set()),
        ("stats.py", set()),
        ("config/models.py", set()),
    ],
)
def test_an_edit_changes_the_runs_that_depend_on_it(package, edited, changed):
    plan = Plan(load_files(["config/paper.yaml"]))
    policies = ["epoch-ucb", "epoch-greedy", "ucb", "exp3", "eps-greedy"]
    before = {policy: plan.grids.policy_hash(policy) for policy in policies}
    edit(package, edited)
    provenance._imports.cache_clear()
    again = Plan(plan.config)  # a plan caches hashes
    assert {
        policy for policy in policies if again.grids.policy_hash(policy) != before[policy]
    } == changed


def test_a_figure_depends_on_its_own_module_and_the_style(package):
    config = load_files(["config/paper.yaml"])
    names = ("fig3a_bounds", "fig6a_baselines_4x4")

    def codes():
        plan = Plan(config)  # a plan caches hashes
        return [plan.figures.task(name, "workflow/report")["metadata"]["code"] for name in names]

    before = codes()
    edit(package, "figures/fig3_bounds.py")
    assert [a != b for a, b in zip(before, codes(), strict=True)] == [True, False]
    edit(package, "figures/style.py")
    assert codes()[1] != before[1]


def test_the_hash_does_not_depend_on_order_or_place(package):
    assert code_hash("epochbandits.pipeline.bounds", SIMULATION) == code_hash(
        SIMULATION, "epochbandits.pipeline.bounds"
    )
