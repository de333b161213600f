"""On a two-node Slurm, tables are bit-identical to a local run's, even after failures."""

import pytest
import yaml
from throwaway import NODES

from conftest import ROOT  # tests/cluster/conftest.py
from epochbandits.config import load_files
from epochbandits.figures.registry import FIGURES

QUICK = ("--configfile", str(ROOT / "config" / "quick.yaml"))
# Two shards that simulate for some seconds each, so that there is time to disturb them.
FAULTY = {
    "run": "faulty",
    "policies_per_job": 1,
    "experiments": {
        "baselines_4x4": {"policies": ["ucb"], "epochs": 4000, "seeds": 8, "seeds_per_job": 4}
    },
}
TARGET = "data/faulty/aggregates/baselines_4x4/finals.parquet"


@pytest.fixture(scope="module")
def faulty(tmp_path_factory):
    """Arguments for a small run."""
    path = tmp_path_factory.mktemp("config") / "faulty.yaml"
    path.write_text(yaml.safe_dump(FAULTY))
    return (TARGET, *QUICK, str(path))


@pytest.fixture(scope="module")
def undisturbed(start, faulty):
    """The tables of the small run on this machine alone."""
    tables = start(*faulty).finish().tables()
    assert len(tables) == 4  # two shards, curves and finals
    return tables


@pytest.fixture(scope="module")
def quick_runs(start):
    """The whole quick run on Slurm, and all that is computed in it on this machine, side by side.

    The aggregations are jobs of their own by the profile, and here five share one: a start takes
    longer than they do. Pictures are drawn beside Snakemake, so that the local run leaves them out.
    """
    joined = ("--groups", "aggregate_experiment=five", "--group-components", "five=5")
    computed = ("tables", "figures/quick/claims.json")
    runs = [start(*QUICK, *joined, profile="slurm"), start(*computed, *QUICK)]
    return [run.finish() for run in runs]


def differing(tables: dict[str, bytes], expected: dict[str, bytes]) -> list[str]:
    return sorted(k for k in tables.keys() | expected.keys() if tables.get(k) != expected.get(k))


def simulating(run, cluster):
    """Return the number and node of a job that is simulating now, not just starting."""
    for number, (node, what) in cluster.running().items():
        first = what.rpartition("_")[0].rpartition("_")[2]  # ..._ucb_0_4
        if "simulate_shard" in what and list(run.folder.glob(f"data/*/logs/shards/*/*/{first}-*")):
            return number, node
    return None


def test_the_quick_run_on_slurm_has_a_local_runs_tables(quick_runs):
    on_slurm, local = (run.tables() for run in quick_runs)
    config = load_files([ROOT / "config" / "paper.yaml", ROOT / "config" / "quick.yaml"])
    for name in config.experiments:
        assert {f"data/quick/aggregates/{name}/{t}.parquet" for t in ("curves", "finals")} <= set(
            local
        )
    for kind in ("bounds", "eigenvalues", "inequalities"):
        assert {f"data/quick/{kind}/{name}.parquet" for name in getattr(config, kind)} <= set(local)
    assert {"figures/quick/claims.json", "data/quick/tuned/tuning_4x4/eps-greedy.json"} <= set(
        local
    )
    drawn = {f"figures/quick/data/{name}.parquet" for name in FIGURES}
    assert drawn <= set(on_slurm)
    assert (quick_runs[0].folder / "figures/quick/index.html").is_file()
    assert differing({k: v for k, v in on_slurm.items() if k not in drawn}, local) == []


def test_the_quick_runs_jobs_were_slurms(quick_runs, cluster):
    output = quick_runs[0].printed
    submitted = {line.split("SLURM jobid ")[1].split()[0] for line in output.splitlines()
                 if "has been submitted with SLURM jobid" in line}  # fmt: skip
    ended = [job for job in cluster.ended() if job["JobId"] in submitted]
    assert {job["JobState"] for job in ended} == {"COMPLETED"}
    assert {job["NodeList"] for job in ended} == set(NODES)
    shards = output.count("(Rule: simulate_shard)")
    assert len(submitted) == len(ended) > shards > 10


def test_a_cancelled_job_is_made_again(start, cluster, faulty, undisturbed):
    before = len(cluster.ended())
    run = start(*faulty, "--default-resources", "slurm_partition=lab", profile="slurm")
    job, _ = run.wait_for(lambda: simulating(run, cluster))
    cluster.scancel(job)
    run.finish()
    assert [end["JobState"] for end in cluster.ended() if end["JobId"] == job] == ["CANCELLED"]
    assert {end["Partition"] for end in cluster.ended()[before:]} == {"lab"}
    assert differing(run.tables(), undisturbed) == []


def test_a_node_that_dies_is_survived(start, cluster, faulty, undisturbed):
    run = start(*faulty, profile="slurm")
    job, node = run.wait_for(lambda: simulating(run, cluster))
    cluster.crash(node)
    try:
        run.finish()
        assert [end["JobState"] for end in cluster.ended() if end["JobId"] == job] == ["NODE_FAIL"]
        assert cluster.states()[node].startswith("down")
        assert cluster.ended()[-1]["NodeList"] != node
    finally:
        cluster.revive(node)
    assert differing(run.tables(), undisturbed) == []


def test_cluster_generic_has_a_local_runs_tables(start, cluster, faulty, undisturbed):
    before = len(cluster.ended())
    run = start(*faulty, profile="cluster-generic").finish()
    ended = cluster.ended()[before:]
    # The engine, two shards, the aggregate; instances are made beside Snakemake.
    assert [job["JobState"] for job in ended] == ["COMPLETED"] * 4
    assert "with external jobid" in run.printed
    assert differing(run.tables(), undisturbed) == []
