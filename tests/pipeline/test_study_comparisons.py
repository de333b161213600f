"""Paired differences, their intervals and rankings, against values computed by hand or by SciPy."""

import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from epochbandits.pipeline.study_comparisons import at_iteration, compare, pooled, ranking


def units(values, sampling="marginal"):
    """Return a table of r from {class: values of its instances}."""
    rows = [(name, sampling, i, r) for name, some in values.items() for i, r in enumerate(some)]
    return pd.DataFrame(rows, columns=["class", "sampling", "instance", "r"])


def test_regret_between_recorded_points_and_beyond_the_end():
    curves = pd.DataFrame(
        {"policy": "a", "instances": "x", "sampling": "marginal", "value": math.nan, "instance": 0,
         "epoch": [2, 1], "iteration": [100.0, 20.0], "iteration_regret": [18.0, 10.0]}
    )  # fmt: skip
    assert at_iteration(curves, 10)["iteration_regret"].tolist() == [5.0]  # from 0 at 0
    assert at_iteration(curves, 60)["iteration_regret"].tolist() == [14.0]
    late = at_iteration(curves, 1000)
    assert late[["iteration", "iteration_regret"]].to_numpy().tolist() == [[100.0, 18.0]]


def test_one_class_is_students_interval():
    sample = [0.1, 0.4, 0.2, 0.6]
    result = pooled(units({"a": sample}))
    exact = stats.ttest_1samp(sample, 0)
    low, high = exact.confidence_interval(0.95)
    assert result == pytest.approx((np.mean(sample), low, high, exact.pvalue))


def test_two_classes_are_welchs_test():
    """The mean of classes a and -b is half the difference of the means of a and b."""
    a, b = [0.1, 0.5, 0.3], [0.2, 0.25, 0.1, 0.15]
    result = pooled(units({"a": a, "b": [-x for x in b]}))
    exact = stats.ttest_ind(a, b, equal_var=False)
    low, high = exact.confidence_interval(0.95)
    expected = ((np.mean(a) - np.mean(b)) / 2, low / 2, high / 2, exact.pvalue)
    assert result == pytest.approx(expected)


def test_classes_have_the_same_weight_whatever_their_size():
    assert pooled(units({"a": [1.0, 1.0], "b": [0.0] * 8})).mean == 0.5


def test_a_single_instance_has_no_interval():
    result = pooled(units({"a": [0.3]}))
    assert math.isnan(result.low)
    assert result.p == 1


def test_a_comparison_is_paired_and_averages_samplings_first():
    a = pd.concat([units({"x": [1.0, 2.0, 3.0]}), units({"x": [2.0, 3.0, 4.0]}, "trajectory")])
    b = pd.concat([units({"x": [0.5, 1.6, 2.4]}), units({"x": [1.5, 2.4, 3.6]}, "trajectory")])
    result = compare(a, b)
    # Each instance differs by 0.5 in the mean of its samplings, though not under each of them.
    assert result[:3] == pytest.approx((0.5, 0.5, 0.5))
    assert result.p < 1e-6
    assert compare(a, a) == (0.0, 0.0, 0.0, 1.0)
    only = compare(a, b[b["instance"] < 2])
    assert only.mean == pytest.approx(0.5)


def test_a_ranking_names_the_worst_cell_and_corrects_for_the_number():
    rng = np.random.default_rng(0)
    base = {"x": rng.random(8), "y": rng.random(8)}
    noisy = {name: some + 0.02 * rng.standard_normal(8) for name, some in base.items()}
    worse = {"x": base["x"] + 0.5 + 0.1 * rng.random(8), "y": base["y"]}
    entries = {"noisy": units(noisy), "worse": units(worse), "best": units(
        {name: some - 0.05 for name, some in base.items()}
    )}  # fmt: skip
    table = ranking(entries).set_index("name")
    assert table.index.tolist() == ["best", "noisy", "worse"]
    assert table.loc["worse", "where"] == "x, marginal"
    assert table.loc["worse", "worst"] == pytest.approx(worse["x"].mean())
    raw = compare(entries["worse"], entries["best"])
    assert table.loc["worse", "behind"] == pytest.approx(raw.mean)
    other = compare(entries["noisy"], entries["best"])
    larger = max(raw.p, other.p)
    smaller = min(raw.p, other.p)
    corrected = sorted(table.loc[["worse", "noisy"], "p"])
    assert corrected == pytest.approx([2 * smaller, max(2 * smaller, larger)])
