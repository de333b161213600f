"""A shard that is damaged or of another run: refused by name, never averaged in, made anew."""

import copy
import os
import shutil
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from disturbed import CONFIG, SHARDS, SMALL, TABLES, differences

GREEDY, UCB = f"{SHARDS}/epoch-greedy/0-2.parquet", f"{SHARDS}/ucb/0-2.parquet"


@pytest.fixture(scope="module")
def project(copied):
    return copied()


@pytest.fixture(scope="module")
def others(copied):
    """Shards of runs with another configuration, another tuning, other seeds and other code."""
    project = copied()
    found = {}

    def make(kind, name, config):
        project.write("other.yaml", config)
        project.snakemake(name, "--configfile", "other.yaml")
        found[kind] = (project.folder / name).read_bytes()

    config = copy.deepcopy(SMALL)
    config["experiments"]["baselines_4x4"] |= {"tau0": 41}
    make("other configuration", GREEDY, config)
    config = {**SMALL, "policies": {"epoch-greedy": {"tuned": {"c": [100]}}}}
    make("other tuning", GREEDY, config)
    config = copy.deepcopy(SMALL)
    config["experiments"]["baselines_4x4"] |= {"seeds": 8}
    make("other seeds", f"{SHARDS}/ucb/6-8.parquet", config)
    project.edit(
        "src/epochbandits/engine/simulation.py"
    )  # behind all runs, but nothing is compiled anew
    make("other code", GREEDY, SMALL)
    return found


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


def foreign(content: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"seed": [0], "regret": [1.0]}), sink)
    return sink.getvalue().to_pybytes()


def on_disk(content: bytes) -> bytes:
    """Return a shard with one bit of the file changed, in the middle of its values."""
    return content[:5000] + bytes([content[5000] ^ 1]) + content[5001:]


@pytest.mark.parametrize(
    ("damage", "shard", "why"),
    [
        ("truncated", GREEDY, "it is damaged or not a Parquet file"),
        ("not ours", UCB, "it was not written by epochbandits"),
        ("another table", GREEDY, "it is not a shard table"),
        ("a bit of a value", UCB, "it was changed after it was written"),
        ("a bit of the file", GREEDY, "it was changed after it was written"),
        ("other seeds", UCB, "it was made with another seeds than this run's"),
        ("other configuration", GREEDY, "it was made with another key than this run's"),
        ("other tuning", GREEDY, "it was made with another key than this run's"),
        ("other code", GREEDY, "it was made with another key than this run's"),
    ],
)
def test_a_bad_shard_is_refused_by_name(project, others, damage, shard, why):
    """Snakemake takes the file for new input, and begins to aggregate.

    It is then deleted, as the message asks; the next run makes it anew before it meets the next
    one, and the last test sees that all are as they were.
    """
    path = project.folder / shard
    if not path.exists():
        project.snakemake(shard, *CONFIG)
    good = path.read_bytes()
    makers = {
        "truncated": lambda content: content[: len(content) // 2],
        "not ours": foreign,
        "another table": lambda _: (project.folder / "data/small/bounds/time_average.parquet")
        .read_bytes(),
        "a bit of a value": flipped,
        "a bit of the file": on_disk,
    }  # fmt: skip
    bad = makers[damage](good) if damage in makers else others[damage]
    assert bad != good
    path.write_bytes(bad)
    os.utime(path, (time.time() + 1,) * 2)
    try:
        told = project.snakemake("tables", *CONFIG, ok=False)
        assert path.read_bytes() == bad  # it was not made anew, but met
        assert f"{shard}: {why}" in told
        assert "delete the file and run again" in told
        assert not (project.folder / TABLES / "curves.parquet").exists()
        assert not (project.folder / TABLES / "finals.parquet").exists()
    finally:
        path.unlink()


def test_what_was_deleted_is_made_as_it_was(project, undisturbed):
    shutil.rmtree(project.folder / SHARDS)
    project.snakemake(*CONFIG)
    assert differences(project, undisturbed) == []
