"""From runs to curves, finals and tuned values, against plain pandas."""

import json
import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from epochbandits.engine.simulation import simulate
from epochbandits.io import parquet
from epochbandits.io.schemas import CURVES, FINALS, GROUP, SHARD
from epochbandits.model.generators import failure_example, generate
from epochbandits.pipeline import instance_sets
from epochbandits.pipeline.aggregation import (
    aggregate_experiment,
    best_value,
    choose_tuned,
    curve,
    final_rows,
)
from epochbandits.pipeline.shard_reading import read_groups
from epochbandits.pipeline.shards import Grid, shard_key, shard_pieces, simulate_shard
from epochbandits.validation import InputError

INSTANCES = {
    "drawn": [generate("anticorrelated", 3, 4, seed) for seed in (0, 1)],
    "failure": [failure_example(0.01)],
}
OPTIONS = {"experiment": "test", "params": {}, "epochs": 450, "root": 5}
COMMON = {
    "tau0": 3, "zeta": 1, "gammas": [1.0, 0.5], "samplings": ["marginal", "trajectory"],
    "options": OPTIONS,
}  # fmt: skip
ONE_CELL = {"gammas": [1.0], "samplings": ["marginal"]}
GRIDS = {
    "epoch-ucb": Grid(policy="epoch-ucb", **COMMON),
    "swept": Grid(policy="epoch-greedy", **COMMON, sweep=("c", [0.1, 2.0])),
    "ucb": Grid(policy="ucb", **COMMON),
}


def run_shard(grids, instances, seeds):
    """Return the columns of a shard."""
    pieces = list(shard_pieces(grids, instances, seeds))
    return {name: np.concatenate([piece[name] for piece in pieces]) for name in SHARD.names}


def tables(folder, shards, instances=INSTANCES, points=50):
    """Return `CURVES` and `FINALS` of the columns of shards, through files."""
    paths = [str(folder / f"columns_{index}.parquet") for index in range(len(shards))]
    for path, columns in zip(paths, shards, strict=True):
        parquet.write(path, SHARD, columns, {})
    gaps = {name: [instance.min_gap for instance in members] for name, members in instances.items()}
    with read_groups(paths, {}, folder) as groups:
        pieces = [(curve(group, points), final_rows(group, gaps)) for group in groups]
    return [
        {name: np.concatenate([piece[name] for piece in kind]) for name in kind[0]}
        for kind in zip(*pieces, strict=True)
    ]


@pytest.fixture(scope="module")
def whole():
    return run_shard(GRIDS, INSTANCES, range(4))


def test_a_shard_has_every_cell(whole):
    table = pd.DataFrame(whole)
    assert list(table.columns) == SHARD.names
    counts = table.groupby([*GROUP, "seed"], dropna=False).size()
    assert len(counts) == (2 * 2 * (1 + 2 + 1)) * 3 * 4
    assert counts.nunique() == 1


def test_any_cell_is_what_simulate_gives(whole):
    table = pd.DataFrame(whole)
    chosen = table[
        (table.policy == "swept") & (table.instances == "drawn") & (table.instance == 1)
        & (table.sampling == "trajectory") & (table.gamma == 0.5) & (table.value == 2.0)
        & (table.seed == 3)
    ].drop(columns=list(GROUP)).reset_index(drop=True)  # fmt: skip
    alone = simulate(
        INSTANCES["drawn"][1], "epoch-greedy", epochs=450, seeds=[3], tau0=3, zeta=1, gamma=0.5,
        sampling="trajectory", experiment="test", root=5, c=2.0,
    )  # fmt: skip
    pd.testing.assert_frame_equal(chosen, alone)


@pytest.mark.parametrize(("policy", "iterations"), [("ucb", 450), ("epoch-ucb", None)])
def test_without_pairing_a_decision_counts_as_an_epoch(policy, iterations):
    grid = Grid(policy=policy, **(COMMON | ONE_CELL | {"options": {**OPTIONS, "pair": False}}))
    columns = run_shard({policy: grid}, {"failure": INSTANCES["failure"]}, [0])
    assert columns["epoch"][-1] == 450
    if iterations is None:  # a policy that plays in epochs
        assert columns["iteration"][-1] > 450
    else:
        assert columns["iteration"][-1] == iterations


def test_blocks_of_seeds_change_nothing(whole, tmp_path):
    parts = [run_shard(GRIDS, INSTANCES, block) for block in ([3], [0, 2], [1])]
    for table, expected in zip(tables(tmp_path, parts), tables(tmp_path, [whole]), strict=True):
        for name, column in table.items():
            np.testing.assert_array_equal(column, expected[name], strict=True)


def test_a_seed_given_twice_is_refused(whole, tmp_path):
    with pytest.raises(InputError, match="two shards have the same seed"):
        tables(tmp_path, [whole, run_shard(GRIDS, INSTANCES, [2])])


@pytest.mark.parametrize("removed", [[0], [1], [5, 6], [-1]])
def test_runs_with_different_epochs_are_refused(whole, tmp_path, removed):
    columns = {name: np.delete(column, removed) for name, column in whole.items()}
    with pytest.raises(InputError, match="do not share one grid of epochs"):
        tables(tmp_path, [columns])


def test_no_shards_are_refused(tmp_path):
    with pytest.raises(InputError, match="no shards"), read_groups([], {}, tmp_path):
        pass


def test_curves_are_means_over_seeds(whole, tmp_path):
    curves = pd.DataFrame(tables(tmp_path, [whole])[0])
    assert set(curves.columns) == set(CURVES.names)
    table = pd.DataFrame(whole)
    groups = table.groupby([*GROUP, "epoch"], dropna=False)
    expected = groups["expected_regret"].agg(["mean", "std"])
    expected["markov"] = groups["markov_penalty"].mean()
    aggregated = curves.set_index([*GROUP, "epoch"])
    assert (aggregated["seeds"] == 4).all()
    expected = expected.loc[aggregated.index]
    np.testing.assert_allclose(aggregated["expected_regret"], expected["mean"], rtol=1e-12)
    np.testing.assert_allclose(aggregated["deviation"], expected["std"], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(
        aggregated["markov_penalty"], expected["markov"], rtol=1e-9, atol=1e-12
    )
    per_curve = curves.groupby(list(GROUP), dropna=False)["epoch"]
    assert (per_curve.size() == 50).all()
    assert (per_curve.min() == 1).all()
    assert (per_curve.max() == 450).all()


def test_finals_are_the_last_rows(whole, tmp_path):
    finals = pd.DataFrame(tables(tmp_path, [whole])[1])
    assert set(finals.columns) == set(FINALS.names)
    table = pd.DataFrame(whole)
    last = table[table.epoch == 450].set_index([*GROUP, "seed"]).sort_index()
    aggregated = finals.set_index([*GROUP, "seed"]).sort_index()
    for name in ("regret", "expected_regret", "subopt_regret", "iteration", "arm"):
        np.testing.assert_array_equal(aggregated[name], last[name])


def test_late_gap_is_the_mean_gap_of_later_plays_over_the_smallest(tmp_path):
    """An arm that is always played has its own gap, and the best arm none."""
    instance = INSTANCES["drawn"][0]
    for arm in range(3):
        grid = Grid(policy="fixed-arm", **(COMMON | ONE_CELL)).with_params({"arm": arm})
        columns = run_shard({"x": grid}, {"drawn": [instance]}, [0])
        late = tables(tmp_path, [columns], {"drawn": [instance]})[1]["late_gap"][0]
        assert late == pytest.approx(instance.gap[arm] / instance.min_gap, rel=1e-9, abs=1e-12)


def test_best_value_is_the_least_mean_over_instances(whole, tmp_path):
    finals = tables(tmp_path, [whole])[1]
    value, scores = best_value(finals, "swept")
    table = pd.DataFrame(whole)
    last = table[(table.epoch == 450) & (table.policy == "swept")]
    means = last.groupby(["value", "instances", "instance"])["expected_regret"].mean()
    expected = means.groupby("value").mean()
    assert dict(scores) == pytest.approx(expected.to_dict())
    assert value == expected.idxmin()
    with pytest.raises(InputError, match="nothing to choose from: 'other' was not run"):
        best_value(finals, "other")


# --- with files -----------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    for name, members in INSTANCES.items():
        instance_sets.write(tmp_path / name, members)
    return tmp_path


def write_shards(folder, blocks, key="k"):
    grids = {name: vars(grid) for name, grid in GRIDS.items()}
    paths = {}
    for index, block in enumerate(blocks):
        out = folder / f"{index}.parquet"
        simulate_shard(out, grids, [folder / n for n in INSTANCES], block, [], {"key": key})
        paths[str(out)] = shard_key("k", block[0], block[-1] + 1)
    return paths


def aggregate(folder, shards):
    out = folder / "curves.parquet", folder / "finals.parquet"
    folders = [folder / n for n in INSTANCES]
    aggregate_experiment(*out, list(shards), folders, 50, {"experiment": "test"}, shards)
    return [path.read_bytes() for path in out]


def test_aggregates_have_the_same_bytes_for_any_blocks(folder):
    once = aggregate(folder, write_shards(folder, [range(4)]))
    assert aggregate(folder, write_shards(folder, [[0], [1], [2], [3]])) == once


@pytest.mark.parametrize("column", ["policy", "value", "reward"])
def test_a_shard_that_was_altered_is_refused(folder, column):
    shards = write_shards(folder, [[0], [1]])
    path = next(iter(shards))
    content = pq.read_table(path)
    place = content.schema.get_field_index(column)
    values = content[column].to_pylist()
    values[7] = "other" if column == "policy" else 0.25
    altered = content.set_column(place, content.schema.field(place), [values])
    pq.write_table(altered, path)
    with pytest.raises(InputError, match=r"0\.parquet: it was changed after it was written"):
        aggregate(folder, shards)
    assert not (folder / "curves.parquet").exists()


def test_a_shard_of_other_code_is_never_averaged_in(folder):
    shards = write_shards(folder, [[0], [1]])
    write_shards(folder, [[0]], key="other")
    with pytest.raises(InputError, match=r"0\.parquet: was made with a conf"):
        aggregate(folder, shards)
    assert not (folder / "curves.parquet").exists()


def test_a_shard_of_other_seeds_is_never_averaged_in(folder):
    shards = write_shards(folder, [[0], [1]])
    write_shards(folder, [[7]])
    with pytest.raises(InputError, match=r"0\.parquet: was made with a conf"):
        aggregate(folder, shards)


def test_a_shard_of_other_instances_is_never_averaged_in(folder):
    shards = write_shards(folder, [[0]])
    instance_sets.write(folder / "drawn", INSTANCES["drawn"][::-1])
    with pytest.raises(InputError, match="its entry 'instances' differs"):
        aggregate(folder, shards)


@pytest.mark.parametrize("text", ["{}", "[]", '{"policy": "swept", "chosen": {"c": 1}}'])
def test_a_broken_file_of_tuned_values_is_named(folder, text):
    (folder / "chosen.json").write_text(text)
    grid = vars(replace(GRIDS["swept"], sweep=None))
    tuned = [folder / "chosen.json"]
    with pytest.raises(InputError, match=r"chosen\.json: was changed .* delete it"):
        simulate_shard(folder / "o", {"swept": grid}, [folder / "failure"], [0], tuned, {})


def test_a_tuned_value_that_was_altered_is_named(folder):
    shards = write_shards(folder, [[0, 1]])
    chosen = folder / "chosen.json"
    choose_tuned(chosen, shards, [folder / n for n in INSTANCES], "swept", "c", {})
    text = chosen.read_text()
    value = f'"c": {json.loads(text)["chosen"]["c"]}'
    assert value in text
    chosen.write_text(text.replace(value, '"c": 3.0', 1))
    grid = vars(replace(GRIDS["swept"], sweep=None))
    with pytest.raises(InputError, match=r"chosen\.json: was changed after it was written"):
        simulate_shard(folder / "o", {"swept": grid}, [folder / "failure"], [0], [chosen], {})


def test_an_instance_that_was_altered_is_named(folder):
    failure = INSTANCES["failure"][0]
    other = generate("fast", failure.arms, failure.states, 1)
    other.to_json(folder / "failure" / "0.json")
    with pytest.raises(InputError, match=r"failure/0\.json: is not the instance that was written"):
        instance_sets.read(folder / "failure")


def test_a_tuned_value_reaches_the_runs(folder):
    shards = write_shards(folder, [[0, 1]])
    chosen = folder / "chosen.json"
    choose_tuned(chosen, shards, [folder / n for n in INSTANCES], "swept", "c", {})
    best = json.loads(chosen.read_text())
    assert best["policy"] == "swept"
    assert [value for value, _ in best["mean_expected_regret"]] == [0.1, 2.0]
    grid = vars(replace(GRIDS["swept"], sweep=None))
    out = folder / "tuned.parquet"
    simulate_shard(out, {"swept": grid}, [folder / "failure"], [0], [chosen], {})
    assert (
        parquet.about(out)["configuration"]["grids"]["swept"]["options"]["params"] == best["chosen"]
    )
    table = pd.DataFrame(parquet.read(out, SHARD).columns)
    alone = simulate(
        INSTANCES["failure"][0], "epoch-greedy", epochs=450, seeds=[0], tau0=3, zeta=1,
        experiment="test", root=5, **best["chosen"],
    )  # fmt: skip
    first = table[(table.gamma == 1.0) & (table.sampling == "marginal")]
    np.testing.assert_array_equal(first["expected_regret"], alone["expected_regret"])
    assert math.isnan(first["value"].iloc[0])
