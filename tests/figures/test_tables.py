"""Plotted tables, made from small tables of a run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from epochbandits.figures import render
from epochbandits.figures.tables import with_mean
from epochbandits.io import parquet
from epochbandits.io.schemas import CURVES, FINALS
from epochbandits.io.tables import Table
from epochbandits.model.generators import failure_example, generate
from epochbandits.model.lock_in import locked_probability
from epochbandits.model.structure import correlation, good_states, holding_time
from epochbandits.pipeline import instance_sets
from epochbandits.stats import wilson_interval

Writer = Callable[..., str]

SETTINGS: dict[str, Any] = {"policies": [], "labels": {}, "sets": {}, "late": 0.5}


@pytest.fixture
def write(tmp_path: Path) -> Writer:
    """Return a function that writes a table of a run; columns without a value are zero."""

    def writer(name: str, table: Table, rows: list[dict[str, Any]]) -> str:
        data = pd.DataFrame(rows)
        zeros = {"int": 0, "float": 0.0, "text": ""}
        for column in table.columns:
            if column.name not in data:
                data[column.name] = zeros[column.type]
        data = data.sort_values(list(table.order))
        path = tmp_path / f"{name}.parquet"
        columns = {n: data[n].to_numpy() for n in table.names}
        parquet.write(path, table, columns, {})
        return str(path)

    return writer


def finals(late_gaps: list[float], **group: Any) -> list[dict[str, Any]]:
    """Return the last epochs of one run on each instance."""
    return [
        {"policy": "ucb", "sampling": "marginal", "gamma": 1.0, "expected_regret": 10.0 + i}
        | {"instance": i, "late_gap": gap, **group}
        for i, gap in enumerate(late_gaps)
    ]


def test_a_mean_has_the_t_interval_of_its_instances() -> None:
    curves = pd.DataFrame({"epoch": 1, "instance": range(3), "bound": [1.0, 2.0, 6.0]})
    mean, *single = with_mean(curves, ["epoch"], ["bound"]).itertuples()
    expected = stats.t.interval(0.95, 2, 3.0, stats.sem([1.0, 2.0, 6.0]))
    assert (mean.line, mean.bound) == ("mean", 3.0)
    assert (mean.low, mean.high) == pytest.approx(expected)
    assert [(row.line, row.instance, row.bound) for row in single] == [
        ("instance", 0, 1.0),
        ("instance", 1, 2.0),
        ("instance", 2, 6.0),
    ]


def test_the_mean_of_one_instance_has_no_interval() -> None:
    table = with_mean(pd.DataFrame({"epoch": [1], "instance": 0, "c": 2.0}), ["epoch"], ["c"])
    assert table["c"].tolist() == [2.0, 2.0]
    assert table[["low", "high"]].isna().all(axis=None)


def test_example_1_takes_epsilon_and_the_threshold_from_the_configuration(write: Writer) -> None:
    curve = {"policy": "ucb", "instances": "both", "epoch": 5, "seeds": 4, "deviation": 1.0}
    regret = [{**curve, "instance": i, "expected_regret": 10.0} for i in (0, 1)]
    alone = {**regret[0], "seeds": 1, "deviation": 0.0}
    inputs = {
        "curves": [write("c0", CURVES, regret), write("c1", CURVES, [alone]), "unused"],
        "finals": [
            write("f0", FINALS, finals([0.2, 0.4], instances="both", epoch=5)),
            "unused",
            write("f2", FINALS, finals([0.2, 0.4, 0.9], instances="sweep", epoch=7)),
        ],
    }
    sets = {"both": {"epsilon": [0.1, 0.01]}, "sweep": {"epsilon": [0.5, 0.05, 0.005]}}
    settings = {"policies": ["ucb"], "labels": {"ucb": "UCB"}, "sets": sets, "late": 0.3}
    data = render.plotted_data("fig1b_failure_regret", inputs, settings)
    panels = {panel: rows.set_index("epsilon")["mean"] for panel, rows in data.groupby("panel")}
    assert panels["decisions"].to_dict() == {0.1: 10.0, 0.01: 10.0}
    assert panels["epochs"].to_dict() == {0.1: 10.0}
    assert panels["locked"].to_dict() == {0.5: 0.0, 0.05: 1.0, 0.005: 1.0}
    assert panels["locked on the main axis"].to_dict() == {0.1: 0.0, 0.01: 1.0}
    high = data.loc[data["panel"] == "decisions", "high"]
    assert high.to_numpy() == pytest.approx(10 + stats.t.ppf(0.975, 3) / 2)
    assert data.loc[data["panel"] == "epochs", "high"].isna().all(), "one seed has no interval"


PHASE = {
    "class": "anticorrelated", "arms": 4, "states": 4, "first": 200, "count": 2,
    "knobs": {"delta": [0.001, 0.002], "stick_optimal": [0.5, 0.8]},
}  # fmt: skip


def test_finding_1_takes_ranges_and_the_threshold_from_the_configuration(
    write: Writer, tmp_path: Path
) -> None:
    runs = [
        {**row, "iteration": 1000, "epoch": 50}
        for sampling, gaps in (("marginal", [0.1, 0.7]), ("trajectory", [0.7, 0.9]))
        for policy in ("ucb", "epoch-ucb")
        for row in finals(gaps, instances="phase", sampling=sampling, policy=policy)
    ]
    example = {"instances": "example", "instance": 1, "iteration": 5000, "epoch": 5000}
    locked = [
        {**row, **example, "seed": seed}
        for seed, gap in enumerate([0.2, 0.6, 0.7, 0.9])
        for row in finals([gap])
    ]
    # Until iteration 200 half of the plays are on the worse arm, later all of them.
    worse = {100: 50, 150: 75, 200: 100, 400: 300}
    gap = failure_example(0.01).min_gap or 0.0
    curve = [
        {**finals([0.0])[0], **example, "epoch": t, "iteration": t, "seeds": 4,
         "subopt_regret": gap * plays}
        for t, plays in worse.items()
    ]  # fmt: skip
    sets = {"phase": PHASE, "example": {"class": "failure", "epsilon": [0.5, 0.01]}}
    folders = [tmp_path / name for name in sets]
    for folder, block in zip(folders, sets.values(), strict=True):
        instance_sets.write(folder, instance_sets.make(block))
    inputs = {
        "finals": [write("phase", FINALS, runs), write("locked", FINALS, locked)],
        "curves": ["unused", write("curves", CURVES, curve)],
        "instances": [str(folder) for folder in folders],
    }
    for late, shares, expected in ((0.5, [0.5, 1.0], 0.75), (0.8, [0.0, 0.5], 0.25)):
        settings = {**SETTINGS, "sets": sets, "late": late}
        data = render.plotted_data("finding1_ucb_failure", inputs, settings)
        panels = dict(list(data.groupby("panel")))
        failed = panels["failed"].set_index("sampling")
        assert failed["mean"].tolist() == shares
        assert failed["low"].tolist() == [wilson_interval(int(2 * s), 2).low for s in shares]
        assert (failed[["delta_low", "delta_high"]] == [0.001, 0.002]).all(axis=None)
        assert (failed[["a_low", "a_high"]] == [0.5, 0.8]).all(axis=None)
        for sampling in failed.index:
            guesses = [locked_probability(i, 1000, sampling) for i in instance_sets.make(PHASE)]
            assert failed.loc[sampling, "predicted"] == pytest.approx(np.mean(guesses))
        assert panels["regret"].groupby("policy")["mean"].unique().map(list).to_dict() == {
            "ucb": [10.5], "epoch-ucb": [10.5],
        }  # fmt: skip
        (lock,) = panels["locked"].itertuples()
        assert (lock.epsilon, lock.epoch, lock.mean) == (0.01, 5000, expected)
        assert lock.predicted == locked_probability(failure_example(0.01), 5000, "marginal")
        assert panels["plays"]["epoch"].tolist() == [122, 173, 283]
        assert panels["plays"]["mean"].tolist() == pytest.approx([0.5, 0.5, 1.0])


def test_finding_7_compares_variants_class_by_class(write: Writer) -> None:
    runs = [
        {**row, "value": value, "epoch": 9, "expected_regret": scale * (1 + row["instance"])}
        for name, scale in (("b_set", 1.0), ("a_set", 2.0))
        for policy, value in (("epoch-ucb", np.nan), ("swept", 0.5), ("swept", 3.0))
        for row in finals([0.0, 0.7], instances=name, policy=policy)
    ]
    path = write("window", FINALS, runs)
    sets = {"b_set": {"class": "literal"}, "a_set": {"class": "fast"}}
    labels = {"epoch-ucb": "EpochUCB", "swept": "constant"}
    settings = {"policies": list(labels), "labels": labels, "sets": sets, "late": 0.5}
    data = render.plotted_data("finding7_window", {"curves": [path], "finals": [path]}, settings)
    assert list(dict.fromkeys(data["label"])) == ["EpochUCB", "constant: 3", "constant: 0.5"]
    assert list(dict.fromkeys(data["instances"])) == ["literal", "fast"]
    assert data.groupby("instances")["mean"].unique().map(list).to_dict() == {
        "literal": [1.5], "fast": [3.0],
    }  # fmt: skip
    assert (data["failed"] == 0.5).all()


def test_the_table_of_classes_names_them_and_measures_each_instance(tmp_path: Path) -> None:
    names = ("uncorrelated", "fast")
    sets = {f"set_{name}": {**PHASE, "class": name, "knobs": {}} for name in names}
    for name, block in sets.items():
        instance_sets.write(tmp_path / name, instance_sets.make(block))
    inputs = {"instances": [str(tmp_path / name) for name in sets]}
    data = render.plotted_data("tab2_classes", inputs, {**SETTINGS, "sources": sets})
    assert data["instances"].tolist() == ["uncorrelated"] * 2 + ["fast"] * 2
    assert data["instance"].tolist() == [0, 1, 0, 1]
    for row, seed in zip(data.itertuples(), (200, 201, 200, 201), strict=True):
        instance = generate(row.instances, 4, 4, seed)
        assert row.correlation == correlation(instance)
        assert row.holding == holding_time(instance)
        others = [arm for arm in range(4) if arm != instance.best_arm]
        assert row.visits == pytest.approx(instance.pi[others][:, good_states(instance)].sum() / 3)
        assert row.lam_others == pytest.approx(
            np.mean([instance.mixing[arm].lam for arm in others])
        )
        assert row.largest == 1


def test_finding_3_names_classes_and_keeps_sets_of_one_class_apart(write: Writer) -> None:
    def runs(name: str) -> list[dict[str, Any]]:
        return [
            row
            for gamma in (0.5, 1.0)
            for row in finals([0, 0], instances=name, gamma=gamma, policy="epoch-ucb")
        ]

    paths = [write("a", FINALS, runs("a")), write("b", FINALS, [*runs("b"), *runs("c")])]
    inputs = {"curves": paths, "finals": paths}
    sets = {"a": {"class": "fast"}, "b": {"class": "literal"}, "c": {"class": "fast"}}
    data = render.plotted_data("finding3_discount_classes", inputs, {**SETTINGS, "sets": sets})
    assert list(dict.fromkeys(data["instances"])) == ["a", "literal", "c"]
    np.testing.assert_array_equal(data["mean"], 1.0)


def test_plotted_columns_have_the_units_of_the_tables_behind_them() -> None:
    data = pd.DataFrame({"epoch": [1], "bound": [2.0], "mean": [0.5], "best": [True], "line": "x"})
    kinds = {c.name: (c.type, c.unit) for c in render.plotted_table("fig3a_bounds", data).columns}
    assert kinds == {
        "epoch": ("int", "epochs"),
        "bound": ("float", "reward"),
        "mean": ("float", "reward"),
        "best": ("int", "1"),
        "line": ("text", "1"),
    }
    columns = render.plotted_table("finding2_decay", data).columns
    assert {c.name: c.unit for c in columns}["mean"] == "1"
