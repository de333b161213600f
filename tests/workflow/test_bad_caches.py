"""Results that are damaged or of another run: never read as this run's, and made again."""

import os
import shutil
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from disturbed import CONFIG, SHARDS, SMALL, TABLES, differences, half_written

BOUNDS = "data/small/bounds/time_average.parquet"
GREEDY, UCB = f"{SHARDS}/epoch-greedy/0-2.parquet", f"{SHARDS}/ucb/0-2.parquet"


@pytest.fixture(scope="module")
def project(copied):
    return copied()


def flipped(content: bytes) -> bytes:
    """Return a shard with one bit of its values changed; Parquet itself has no complaint."""
    table = pq.read_table(pa.BufferReader(content))
    index = table.column_names.index("expected_regret")
    values = table["expected_regret"].to_numpy().copy()
    values.view(np.int64)[7] ^= 1
    sink = pa.BufferOutputStream()
    field = table.schema.field(index)
    pq.write_table(table.set_column(index, field, pa.array(values)), sink, compression="zstd")
    return sink.getvalue().to_pybytes()


def foreign() -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"seed": [0], "regret": [1.0]}), sink)
    return sink.getvalue().to_pybytes()


def on_disk(content: bytes) -> bytes:
    """Return a shard with one bit of the file changed, in the middle of its values."""
    return content[:5000] + bytes([content[5000] ^ 1]) + content[5001:]


@pytest.mark.parametrize(("damage", "shard"), [(flipped, UCB), (on_disk, GREEDY)])
def test_a_bad_value_is_refused_by_name(project, damage, shard):
    """Only reading the values shows it: the shard is met, named, and made again once deleted."""
    path = project.folder / shard
    good = path.read_bytes()
    bad = damage(good)
    assert bad != good
    path.write_bytes(bad)
    os.utime(path, (time.time() + 1,) * 2)
    output = project.snakemake("tables", *CONFIG, ok=False)
    assert path.read_bytes() == bad  # it was not made anew, but met
    assert f"{shard}: it was changed after it was written" in output
    assert "delete the file and run again" in output
    assert not (project.folder / TABLES / "curves.parquet").exists()
    path.unlink()
    project.snakemake("tables", *CONFIG)
    assert path.read_bytes() == good


def test_results_of_another_run_are_made_again_without_snakemakes_memory(project, undisturbed):
    """A run with another root seed; then its hidden folder is lost, and the root set back.

    Among its results are a truncated table, one that is not ours, and one of another kind.
    """
    project.write("other.yaml", {**SMALL, "root": 7})
    project.snakemake("--configfile", "other.yaml")
    assert len(differences(project, undisturbed)) > 15
    shutil.rmtree(project.folder / ".snakemake")
    (project.folder / UCB).write_bytes((undisturbed.folder / UCB).read_bytes()[:5000])
    (project.folder / BOUNDS).write_bytes(foreign())
    (project.folder / GREEDY).write_bytes((undisturbed.folder / BOUNDS).read_bytes())
    (project.folder / "data/small/.epochbandits-killed").write_text("what a killed job left")
    future = time.time() + 10**8
    for path in (project.folder / "data").rglob("*.json"):
        os.utime(path, (future, future))
    jobs = project.jobs(*CONFIG)
    assert jobs["make_instances"] == 2
    assert jobs["simulate_shard"] == 5
    assert jobs["build_page"] == 1
    output = project.snakemake(*CONFIG)
    assert "are damaged or were made with another configuration, root seed or code" in output
    assert differences(project, undisturbed) == []
    assert half_written(project) == []
    assert project.jobs(*CONFIG) == {}


def test_one_wrong_result_alone_is_made_again(project, undisturbed):
    """Newer than all that depends on it, or older: neither Snakemake nor a date decides."""
    claims = project.folder / "figures/small/claims.json"
    claims.write_text(claims.read_text().replace("the run is too small", "reproduced", 1))
    os.utime(claims, (1, 1))
    assert project.jobs(*CONFIG) == {"assess_claims": 1, "build_page": 1}
    project.snakemake(*CONFIG)
    assert differences(project, undisturbed) == []
