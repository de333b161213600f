"""Comparisons: paired intervals, their correction, and the ranking."""

import numpy as np
import pytest

from epochbandits import InputError, compare, generate, simulate
from epochbandits.stats import t_interval
from runs import INSTANCE

NAMES = ["uniform", "epoch-ucb", "fixed-arm"]


@pytest.fixture(scope="module")
def comparison():
    return compare(INSTANCE, NAMES, epochs=40, seeds=4)


def test_runs_are_those_of_simulate(comparison):
    for name in NAMES:
        table = simulate(INSTANCE, name, epochs=40, seeds=4)
        part = comparison.runs[comparison.runs["policy"] == name]
        np.testing.assert_array_equal(part["expected_regret"], table["expected_regret"])


def test_intervals_are_of_paired_differences_corrected_for_the_pairs(comparison):
    assert comparison.unit == "seeds"
    assert len(comparison.table) == 3
    for row in comparison.table.itertuples():
        difference = comparison.finals[row.first] - comparison.finals[row.second]
        expected = t_interval(difference, 1 - 0.05 / 3)
        assert (row.difference, row.low, row.high) == pytest.approx(expected)
        assert row.units == 4
        assert row.clear == (row.low > 0 or row.high < 0)


def test_the_ranking_is_by_mean_regret_and_measures_the_distance_to_the_first(comparison):
    ranking = comparison.ranking
    assert ranking["policy"][0] == "epoch-ucb"
    assert ranking["regret"].is_monotonic_increasing
    for row in ranking.itertuples():
        behind = (comparison.finals[row.policy] - comparison.finals["epoch-ucb"]).mean()
        assert row.behind == pytest.approx(behind)
        assert row.behind_low <= row.behind <= row.behind_high
        assert row.tied == (row.rank > 1 and not row.behind_low > 0)


def test_several_instances_are_the_units(tmp_path):
    other = generate("fast", seed=3)
    other.to_json(tmp_path / "i.json")
    policies = {"plain": "epoch-ucb", "half": ("epoch-ucb", {"constant": 0.5})}
    comparison = compare([INSTANCE, tmp_path / "i.json"], policies, epochs=20, seeds=2)
    assert comparison.unit == "instances"
    assert comparison.finals.shape == (2, 2)
    run = simulate(other, "epoch-ucb", constant=0.5, epochs=20, seeds=2)
    expected = run[run["epoch"] == 20]["expected_regret"].mean()
    assert comparison.finals["half"][1] == pytest.approx(expected)


def test_one_unit_has_no_interval_and_no_clear_difference():
    comparison = compare(INSTANCE, NAMES[:2], epochs=10, seeds=1)
    assert comparison.table["low"].isna().all()
    assert not comparison.table["clear"].any()
    assert comparison.ranking["tied"].tolist() == [False, True]


def test_the_plot_says_what_its_lines_are(comparison):
    texts = [t.get_text() for t in comparison.plot().findobj(lambda a: hasattr(a, "get_text"))]
    assert "mean of 4 seeds" in texts
    assert "95% t-interval over seeds" in texts
    assert set(NAMES) <= set(texts)


@pytest.mark.parametrize(
    ("seeds", "expected"), [(3, [0, 1, 2]), ("3", [0, 1, 2]), ("2:4", [2, 3]), ([5], [5])]
)
def test_seeds_by_number_range_or_list(seeds, expected, tmp_path):
    path = tmp_path / "i.json"
    INSTANCE.to_json(path)
    table = simulate(path, "uniform", epochs=2, seeds=seeds)
    assert table["seed"].unique().tolist() == expected


@pytest.mark.parametrize("seeds", [0, -1, True, 1.5, "x", "3:3"])
def test_bad_seeds_are_refused(seeds):
    with pytest.raises(InputError, match="seeds must be"):
        simulate(INSTANCE, "uniform", epochs=2, seeds=seeds)


def test_an_instance_is_an_instance_or_a_file():
    with pytest.raises(InputError, match="an instance is an Instance or a file, not 5"):
        simulate(5, "uniform", epochs=2, seeds=1)
