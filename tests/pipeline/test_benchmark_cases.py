"""The ladder of benchmarks as rows of a table."""

import itertools
import math

import pytest

from epochbandits.model.generators import failure_example, generate
from epochbandits.model.restless import restless
from epochbandits.model.setting import Setting
from epochbandits.pipeline.benchmark_cases import BENCHMARKS, benchmarks, resolution
from epochbandits.pipeline.inequalities import inequality_table


def ladder(instance, gamma=1.0):
    return {case.name: case for case in benchmarks(instance, Setting(40, 1, gamma), 10)}


@pytest.mark.parametrize("states", [1, 2, 3, 4])
def test_the_grid_is_as_fine_as_it_may_be(states):
    def size(M):
        return math.comb(M + states - 1, states - 1)

    M = resolution(states)
    assert size(M) <= 1800
    assert M == 400 or size(M + 1) > 1800


def test_on_example_1_all_are_the_best_arm():
    rows = ladder(failure_example(0.1))
    assert list(rows) == [f"benchmark_{name}" for name in BENCHMARKS]
    for row in rows.values():
        assert row.trivial == pytest.approx(1 / 1.1)
        assert row.left == pytest.approx(1 / 1.1)
        assert row.right == pytest.approx(1 / 1.1, abs=1e-5)


def test_each_is_at_least_the_one_below():
    rows = list(ladder(generate("uncorrelated", 2, 2, 3)).values())
    for low, high in itertools.pairwise(rows):
        assert low.left <= high.left + 1e-9
        assert low.left <= high.right + 1e-9
    assert rows[3].left > 1.001 * rows[0].left  # here seeing rewards helps


def test_many_states_have_no_grid():
    channel = [[0.9, 0.1], [0.2, 0.8]]
    rows = ladder(restless([channel] * 3, [[0, 1], [0, 0.9], [0.1, 0.8]]))
    assert list(rows) == ["benchmark_fixed", "benchmark_cycle", "benchmark_known"]


def test_they_are_computed_once_and_only_if_named():
    sets = {"a": [failure_example(0.1)]}
    table = inequality_table(sets, epochs=10, gammas=(1.0, 0.9), checks=["benchmarks"])
    assert len(table) == len(BENCHMARKS)
    without = inequality_table(sets, epochs=10, seeds=2)
    assert not [case for case in without if case.name.startswith("benchmark")]
