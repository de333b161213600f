"""Plotted tables of studies 6 and 8 from small tables, and that they can be drawn."""

import math

import numpy as np
import pandas as pd
import pytest

from epochbandits.figures import render
from epochbandits.figures.registry import Inputs, Settings
from epochbandits.figures.study6_strong_regret import ladder
from epochbandits.figures.study8_other_problems import REFERENCE
from epochbandits.io import parquet
from epochbandits.io.schemas import INEQUALITIES
from epochbandits.pipeline.cases import Case

NO_SETTINGS = Settings((), {}, {}, 0.5)


def rung(name, instances, instance, left, right):
    return Case(name=f"benchmark_{name}", instances=instances, instance=instance, at=1, left=left,
                right=right, trivial=0.5)  # fmt: skip


@pytest.fixture
def table(tmp_path):
    cases = [
        rung("fixed", "judge_fast", 0, 0.5, 0.5),
        rung("observed", "judge_fast", 0, 0.5, 0.51),
        rung("observed", "judge_fast", 1, 0.52, 0.53),
        rung("known", "ladder_example1", 0, 0.6, 0.6),
    ]
    columns = {name: [getattr(case, name) for case in cases] for name in INEQUALITIES.names}
    parquet.write(tmp_path / "t.parquet", INEQUALITIES, columns, {})
    return str(tmp_path / "t.parquet")


def test_shares_above_the_best_arm_are_in_percent(table):
    data = ladder(Inputs(inequalities=[table]), NO_SETTINGS).set_index(["problem", "benchmark"])
    assert set(data.index) == {("fast", "observed"), ("Example 1", "known")}
    seen = data.loc[("fast", "observed")]
    assert (seen["low"], seen["high"], seen["mean"]) == pytest.approx((2.0, 4.0, 3.0))
    assert seen["largest"] == pytest.approx(6)
    assert seen["count"] == 2
    assert seen["low_end"] < 2 < 4 < seen["high_end"]
    assert data.loc[("Example 1", "known"), "mean"] == pytest.approx(20)


def test_the_ladder_is_drawn_with_a_line_for_each_problem(table):
    drawn = render.draw("study6_strong_regret", ladder(Inputs(inequalities=[table]), NO_SETTINGS))
    labels = [tick.get_text() for tick in drawn.axes[0].get_yticklabels()]
    assert labels == ["fast", "Example 1"]


def test_other_problems_are_drawn_with_curves_and_ends():
    columns = ["experiment", "kind", "problem", "sampling", "policy", "label", "iteration", "mean",
               "low", "high"]  # fmt: skip
    rows = [("e", "curve", "iid_two", "trajectory", "ucb", "UCB", t, t / 10, t / 11, t / 9)
            for t in np.geomspace(10, 5e4, 8)]  # fmt: skip
    rows += [("", "curve", "iid_two", "", REFERENCE, REFERENCE, t, math.log(t), math.nan, math.nan)
             for t in (10.0, 5e4)]  # fmt: skip
    rows += [("e", "end", "urban_l", "trajectory", policy, policy, 5e4, mean, mean - 9, mean + 9)
             for policy, mean in (("ucb", -440.0), ("rca", 129.0))]  # fmt: skip
    drawn = render.draw("study8_other_problems", pd.DataFrame(rows, columns=columns))
    curve, ends = drawn.axes
    assert curve.get_title(loc="left") == "iid two"
    assert len(curve.lines) == 2
    assert [tick.get_text() for tick in ends.get_xticklabels()] == ["urban l"]
    low, high = ends.get_ylim()
    assert low < -449 < 138 < high
