"""Rules: every rule can come out every way, and p-values agree with intervals."""

import numpy as np
import pytest
from samples import around, ratio, synthetic

from epochbandits.claims.rules import Above, Below, Holds, MostBelow, MostOf, Near, NearQuantile
from epochbandits.claims.sample import Sample
from epochbandits.claims.verdicts import combined
from epochbandits.stats import t_interval, wilson_interval
from epochbandits.validation import InputError

RULES = [
    Above(2.0, 0.95),
    Below(1.5, 0.9),
    Near(0.3, 0.02, 0.95),
    NearQuantile(0.38, 0.005, 0.95, 0.95),
    MostOf(0.5, 0.9, 0.95),
    MostBelow(0.5, 0.9, 0.95),
    Holds(0.95),
]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
def test_a_rule_can_come_out_every_way(rule):
    for verdict, samples in synthetic(rule).items():
        for sample in samples:
            assert combined([rule.judge(sample)], "mean", rule.level) == verdict


def test_an_interval_decides_not_the_estimate():
    wide = Sample(np.array([0.0, 1.9]), 2)
    assert combined([Below(1.0, 0.95).judge(wide)], "mean", 0.95) == "undetermined"
    single = Below(1.0, 0.95).judge(Sample(np.array([0.5]), 1))
    assert combined([single], "mean", 0.95) == "undetermined"
    assert (single.low, single.high) == (-np.inf, np.inf)
    one_instance = Sample.of(lambda part: part[..., 0], np.full((1, 1, 1), 0.5))
    assert combined([Below(1.0, 0.95).judge(one_instance)], "mean", 0.95) == "undetermined"


def test_intervals_are_those_of_the_statistics_module():
    sample = Sample(np.array([1.0, 2.0, 4.0]), 3)
    finding = Below(3.0, 0.9).judge(sample)
    assert (finding.estimate, finding.low, finding.high) == t_interval(sample.values, 0.9)
    finding = MostOf(1.5, 0.5, 0.95).judge(sample)
    assert (finding.estimate, finding.low, finding.high) == wilson_interval(2, 3)
    assert (finding.size, finding.runs) == (3, 3)


@pytest.mark.parametrize("make", [around, ratio])
@pytest.mark.parametrize("offset", [-0.02, -0.004, -0.001, 0.001, 0.004, 0.02])
def test_p_values_agree_with_the_interval(make, offset):
    sample = make(1.0, 0.02, 40)
    threshold = 1.0 + offset
    finding = Above(threshold, 0.95).judge(sample)
    assert (finding.holds < 0.025) == (finding.low > threshold)
    assert (finding.fails < 0.025) == (finding.high < threshold)


def test_the_estimate_of_a_ratio_is_one_of_means():
    """Regrets 1 and 100, which double and stay: the mean of ratios is 1.5, of means 1.01."""
    part = np.array([[[2.0, 1.0]], [[100.0, 100.0]]])
    sample = Sample.of(lambda means: means[..., 0] / means[..., 1], part)
    assert Above(1.65, 0.95).judge(sample).estimate == pytest.approx(102 / 101)


def test_one_violation_is_enough_to_refute_an_inequality():
    values = np.full(1000, 0.1)
    assert combined([Holds(0.95).judge(Sample(values, 0))], "all", 0.95) == "reproduced"
    values[17] = 1.0 + 1e-9
    finding = Holds(0.95).judge(Sample(values, 0))
    assert combined([finding], "all", 0.95) == "not reproduced"
    assert finding.estimate == values[17]


def test_many_noisy_cases_do_not_refute_an_inequality():
    """With a thousand cases at the bound some are above it by two errors; Holm allows for that."""
    noise = np.random.default_rng(0).normal(1.0, 0.1, 1000)
    sample = Sample(noise, 1000, np.full(1000, 0.1), np.full(1000, 1000.0))
    finding = Holds(0.95).judge(sample)
    assert (noise > 1.2).any()
    assert combined([finding], "all", 0.95) == "undetermined"


@pytest.mark.parametrize("values", [[], [1.0, np.nan]])
@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
def test_a_sample_must_have_finite_values(rule, values):
    with pytest.raises(InputError, match="must have values"):
        rule.judge(Sample(np.array(values), 0))
