"""Load: many seeds in little memory, many jobs planned in little time."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import only

ROOT = Path(__file__).parents[2]
SEEDS, INSTANCES, EPOCHS = 2000, 20, 30

RUN = f"""
import sys; sys.path.insert(0, {str(ROOT / "tests")!r})
from peak import peak_memory
from epochbandits.pipeline import instance_sets
from epochbandits.model.generators import generate
from epochbandits.pipeline.shards import Grid, simulate_shard

instances = [generate("anticorrelated", 4, 4, seed) for seed in range({INSTANCES})]
instance_sets.write("many", instances)
grid = Grid("epoch-ucb", 40, 1, [1.0], ["marginal"], {{"epochs": {EPOCHS}, "experiment": "load"}})
simulate_shard("out.parquet", {{"epoch-ucb": vars(grid)}}, ["many"], range({SEEDS}), [], {{}})
print(peak_memory())
"""


def test_two_thousand_seeds_on_twenty_instances_fit_in_430_megabytes(tmp_path):
    import numpy as np

    from epochbandits.io import parquet
    from epochbandits.io.schemas import SHARD

    done = subprocess.run(
        [sys.executable, "-c", RUN], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 430e6
    rows = parquet.read(tmp_path / "out.parquet", SHARD).columns
    place = (rows["instance"] * SEEDS + rows["seed"]) * EPOCHS + rows["epoch"] - 1
    np.testing.assert_array_equal(place, np.arange(SEEDS * INSTANCES * EPOCHS))
    assert np.isfinite(rows["regret"]).all()


def test_ten_thousand_jobs_are_planned_in_a_minute_of_cpu(make_project):
    project = make_project("load")
    config = only(instances=["main_4x4"], experiments=["epochs"])
    config["experiments"]["epochs"] = {
        "policies": ["epoch-ucb", "ucb", "ucb-tuned", "exp3", "q-learning"],
        "seeds": 2000,
        "seeds_per_job": 1,
    }
    project.write(
        "load.yaml", {"run": "load", "policies_per_job": 1, "claims": {"assess": False}, **config}
    )
    resource = pytest.importorskip("resource")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = project.snakemake("--dry-run", "--quiet", "all", "--configfile", "load.yaml")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert re.search(r"^simulate_shard +10000$", output, re.M), output[-2000:]
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert used < 60
