"""Rules: every rule can come out every way, and intervals decide."""

import numpy as np
import pytest
from samples import around, synthetic

from epochbandits.claims.rules import Above, Below, Holds, MostOf, Near, Sample, combine
from epochbandits.stats import t_interval, wilson_interval
from epochbandits.validation import InputError


@pytest.mark.parametrize(
    "rule",
    [Above(2.0, 0.95), Below(-1.0, 0.9), Near(0.3, 0.02, 0.95), MostOf(0.5, 0.9, 0.95), Holds()],
)
def test_a_rule_can_come_out_every_way(rule):
    for verdict, sample in synthetic(rule).items():
        assert rule.judge(sample).verdict == verdict


def test_an_interval_decides_not_the_estimate():
    wide = Sample(np.array([0.0, 1.9]), 2)
    assert Below(1.0, 0.95).judge(wide).verdict == "undetermined"
    assert Above(0.9, 0.95).judge(wide).verdict == "undetermined"
    assert Below(1.0, 0.95).judge(Sample(np.array([0.5]), 1)).verdict == "undetermined"


def test_intervals_are_those_of_the_statistics_module():
    sample = Sample(np.array([1.0, 2.0, 4.0]), 3)
    finding = Below(3.0, 0.9).judge(sample)
    assert (finding.estimate, finding.low, finding.high) == t_interval(sample.values, 0.9)
    finding = MostOf(1.5, 0.5, 0.95).judge(sample)
    assert (finding.estimate, finding.low, finding.high) == wilson_interval(2, 3)
    assert (finding.size, finding.runs) == (3, 3)


def test_one_violation_is_enough_to_refute_an_inequality():
    values = np.full(1000, 0.1)
    assert Holds().judge(Sample(values, 0)).verdict == "reproduced"
    values[17] = 1.0 + 1e-9
    finding = Holds().judge(Sample(values, 0))
    assert finding.verdict == "not reproduced"
    assert finding.estimate == values[17]


def test_an_open_condition_does_not_count_as_refuted():
    finding = Below(1.0, 0.95).judge(around(1.0))
    refuted = Below(1.0, 0.95).judge(around(2.0))
    assert combine({"a": finding, "b": refuted}) == ("undetermined", "fails: b. open: a")
    with pytest.raises(InputError, match="at least one condition"):
        combine({})


@pytest.mark.parametrize("values", [[], [1.0, np.nan]])
def test_a_sample_must_have_finite_values(values):
    for rule in (Below(1, 0.95), Above(1, 0.95), Near(1, 1, 0.95), MostOf(1, 0.5, 0.95), Holds()):
        with pytest.raises(InputError, match="must have values"):
            rule.judge(Sample(np.array(values), 0))
