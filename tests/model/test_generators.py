"""Instance classes: what they promise, reproducibility, acceptance, and refusals."""

import json
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from epochbandits import InputError
from epochbandits.model.generators import CLASSES, failure_example, generate, generate_counted
from epochbandits.model.rewards import Bernoulli, Beta, Constant, Uniform

DATA = Path(__file__).parent.parent / "data"


@pytest.mark.parametrize("name", CLASSES)
def test_accepted_instances_keep_the_promise(name):
    spec = CLASSES[name]
    for seed in range(30):
        instance = generate(name, 4, 4, seed)
        assert instance.min_gap >= spec.min_gap
        for arm in range(4):
            order = np.argsort(instance.pi[arm])
            assert (np.diff(instance.reward_means[arm][order]) >= 0).all()
        np.testing.assert_allclose(instance.transition.sum(axis=2), 1, rtol=1e-15)
        np.testing.assert_array_equal(instance.initial, 0.25)


def test_the_classes_are_those_of_the_specification():
    """The numbers themselves, written out: a class is a choice that results depend on."""
    default = {
        "delta": (0.02, 0.05), "overlap": 0.0, "stick_optimal": (0.95, 0.98),
        "stick_others": (0.3, 0.8),
        "jitter": (0.5, 1.5), "dirichlet": 0.5, "mean_high": (0.8, 1.0), "mean_others": (0.4, 0.7),
        "mean_low": (0.0, 0.1), "sorted_means": False, "concentration": (2.0, 10.0),
        "min_gap": 0.15, "max_draws": 1000,
    }  # fmt: skip
    changes = {
        "anticorrelated": {},
        "slow_suboptimal": {"stick_others": (0.8, 0.98)},
        "inverted": {"stick_optimal": (0.9, 0.95), "stick_others": (0.95, 0.98)},
        "fast": {"stick_optimal": (0.5, 0.7), "stick_others": (0.3, 0.6)},
        "literal": {
            "stick_optimal": (0.6, 0.9), "stick_others": (0.6, 0.9), "sorted_means": True,
            "min_gap": 0.2,
        },
        "uncorrelated": {"overlap": 1.0},
    }  # fmt: skip
    assert {name: asdict(spec) for name, spec in CLASSES.items()} == {
        name: default | change for name, change in changes.items()
    }


def test_the_optimal_arm_and_its_states_are_drawn_uniformly():
    instances = [generate("fast", 4, 4, seed) for seed in range(400)]
    best = [i.best_arm for i in instances]
    home = [int(np.argmax(i.pi[i.best_arm])) for i in instances]
    for counts in (np.bincount(best, minlength=4), np.bincount(home, minlength=4)):
        assert stats.chisquare(counts).pvalue > 1e-4


def test_laws_have_the_drawn_shapes():
    """Shapes sum to U(2, 10) for betas; half-widths w/min(μ, 1-μ) ~ U(0, 1) for uniforms."""
    laws = [
        law for seed in range(60) for row in generate("fast", 4, 8, seed).rewards for law in row
    ]
    totals = [law.a + law.b for law in laws if isinstance(law, Beta)]
    assert stats.kstest(totals, stats.uniform(2, 8).cdf).pvalue > 1e-4
    widths = [
        (law.high - law.low) / 2 / min(law.mean, 1 - law.mean)
        for law in laws
        if isinstance(law, Uniform)
    ]
    assert stats.kstest(widths, stats.uniform(0, 1).cdf).pvalue > 1e-4


def test_target_rows_are_half_dirichlet():
    """On S* of two states the split is ½·U + ¼, before a jitter that is symmetric about one."""
    shares = []
    for seed in range(200):
        instance = generate("fast", 2, 8, seed, jitter=[1.0, 1.0])
        pi = instance.pi[instance.best_arm]
        top = np.sort(pi)[-2:]
        shares.append(top[0] / top.sum())
    # min(U, 1-U) of the Dirichlet part is uniform on (0, ½)
    assert stats.kstest(shares, stats.uniform(0.25, 0.25).cdf).pvalue > 1e-4


def test_golden_instances():
    """Seed 0 of each class, bit by bit up to the C library's last digits."""
    expected = json.loads((DATA / "golden_instances.json").read_text())
    assert set(expected) == set(CLASSES)
    for name, data in expected.items():
        instance = generate(name, 3, 5, 0).to_dict()
        np.testing.assert_allclose(instance["transition"], data["transition"], rtol=1e-12)
        assert [[law["law"] for law in row] for row in instance["rewards"]] == [
            [law["law"] for law in row] for row in data["rewards"]
        ]
        for row, expected_row in zip(instance["rewards"], data["rewards"], strict=True):
            for law, expected_law in zip(row, expected_row, strict=True):
                for key in set(law) - {"law"}:
                    assert law[key] == pytest.approx(expected_law[key], rel=1e-11)


@pytest.mark.parametrize("name", [name for name in CLASSES if name != "literal"])
@pytest.mark.parametrize("states", [4, 8])
def test_structure_of_the_class(name, states):
    """The optimal arm lives on a quarter of the states; the others avoid it or come by chance."""
    spec = CLASSES[name]
    size = states // 4
    lowest, highest = (0.1, 0.45) if name == "uncorrelated" else (0.0, 0.15)
    for seed in range(20):
        instance = generate(name, 4, states, seed)
        best = instance.best_arm
        subset = np.argsort(instance.pi[best])[-size:]
        inside = instance.pi[:, subset].sum(axis=1)
        assert inside[best] > 0.9
        assert np.delete(inside, best).min() > lowest
        assert np.delete(inside, best).max() < highest
        means = instance.reward_means
        assert means[best, subset].min() >= spec.mean_high[0]
        assert np.delete(means[best], subset).max() <= spec.mean_low[1]
        for arm in set(range(4)) - {best}:
            assert (means[arm] <= spec.mean_others[1]).all()
            diagonal = np.diag(instance.transition[arm])
            assert diagonal.min() >= spec.stick_others[0]
        assert np.diag(instance.transition[best]).min() >= spec.stick_optimal[0]


@pytest.mark.parametrize(("arms", "states"), [(2, 2), (4, 4), (3, 7), (4, 8)])
def test_the_overlap_runs_from_avoiding_the_good_states_to_chance(arms, states):
    """Without jitter the mass of the others on S* is δ + overlap·(|S*|/S - δ), exactly."""
    share = max(1, states // 4) / states
    for overlap in (0.0, 0.5, 1.0):
        instance = generate(
            "anticorrelated", arms, states, 3, overlap=overlap, jitter=[1, 1], delta=[0.03, 0.03]
        )
        best = instance.best_arm
        home = np.argsort(instance.pi[best])[-max(1, states // 4) :]
        inside = instance.pi[:, home].sum(axis=1)
        assert inside[best] == pytest.approx(0.97)
        expected = 0.03 + overlap * (share - 0.03)
        np.testing.assert_allclose(np.delete(inside, best), expected, rtol=1e-9)


def test_class_averages_are_those_that_were_designed():
    """λ* .965, λ_sub .6, C* 6.3, C_sub 2.7, μ* .86, Δ_min .27, acceptance .985 over 200 draws."""
    instances, draws = zip(
        *(generate_counted("anticorrelated", 4, 4, s) for s in range(200)), strict=True
    )
    rows = []
    for item in instances:
        best, mixing = item.best_arm, item.mixing
        others = [arm for arm in range(4) if arm != best]
        rows.append(
            [
                mixing[best].lam,
                np.mean([mixing[arm].lam for arm in others]),
                mixing[best].C,
                np.mean([mixing[arm].C for arm in others]),
                item.mu[best],
                item.min_gap,
            ]
        )
    rows = np.array(rows)
    error = rows.std(axis=0) / np.sqrt(len(rows))
    # Five standard errors and the rounding of the quoted figures.
    np.testing.assert_array_less(
        np.abs(rows.mean(axis=0) - [0.965, 0.60, 6.3, 2.7, 0.86, 0.27]),
        5 * error + [0.0005, 0.005, 0.05, 0.05, 0.005, 0.005],
    )
    assert 0.94 < len(instances) / sum(draws) <= 1


def test_all_three_laws_are_drawn():
    laws = [
        type(law) for s in range(20) for row in generate("fast", 4, 4, s).rewards for law in row
    ]
    for kind in (Bernoulli, Beta, Uniform):
        assert 0.25 < laws.count(kind) / len(laws) < 0.42


def test_a_seed_is_the_whole_story():
    first = generate("anticorrelated", 4, 4, 7)
    assert generate("anticorrelated", 4, 4, 7) == first
    different = [
        generate("anticorrelated", 4, 4, 8),
        generate("slow_suboptimal", 4, 4, 7),
        generate("anticorrelated", 4, 5, 7),
        generate("anticorrelated", 5, 4, 7),
    ]
    assert len({item.digest for item in [first, *different]}) == 5


@pytest.mark.parametrize(("arms", "states"), [(2, 2), (2, 64), (64, 2), (64, 64)])
def test_sizes(arms, states):
    instance = generate("anticorrelated", arms, states, 0)
    assert (instance.arms, instance.states) == (arms, states)


def test_knobs_change_the_class():
    slow = generate("anticorrelated", 4, 4, 0, stick_others=[0.97, 0.98], min_gap=0.1)
    others = [m.lam for arm, m in enumerate(slow.mixing) if arm != slow.best_arm]
    assert min(others) > 0.9


def test_knobs_at_their_ends():
    instance = generate("fast", 2, 4, 0, mean_low=(0, 0))
    assert instance.name == "fast-2x4-seed0-custom"
    assert Constant(0.0) in [law for row in instance.rewards for law in row]


def test_draws_are_counted():
    assert max(generate_counted("literal", 4, 4, seed)[1] for seed in range(20)) > 3


def test_nothing_accepted_is_said_clearly():
    with pytest.raises(
        InputError, match="'literal' accepted none of 1000 draws with 64 arms and 2"
    ):
        generate("literal", 64, 2, 0)
    with pytest.raises(InputError, match="accepted none of 5 draws"):
        generate("fast", 2, 2, 0, stick_others=(1, 1), max_draws=5)


@pytest.mark.parametrize("epsilon", [0.5, 0.1, 0.001, 1e-9])
def test_failure_example(epsilon):
    instance = failure_example(epsilon)
    high, low = 1 / (1 + epsilon), epsilon / (1 + epsilon)
    np.testing.assert_allclose(instance.pi, [[low, high], [high, low]], rtol=1e-13)
    np.testing.assert_allclose(instance.mu, [high, 0.5], rtol=1e-13)
    assert instance.best_arm == 0
    assert instance.initial.tolist() == [1, 0]
    assert instance.mixing[0].lam == pytest.approx(epsilon, rel=1e-6, abs=1e-15)


@pytest.mark.parametrize(
    ("arguments", "knobs", "message"),
    [
        (("anticorelated", 4, 4, 0), {}, "did you mean 'anticorrelated'"),
        (("fast", 1, 4, 0), {}, "arms must be a whole number from 2"),
        (("fast", 4, 1, 0), {}, "states must be a whole number from 2"),
        (("fast", 4, 4, -1), {}, "seed must be a whole number"),
        (("fast", 4, 4, 0), {"min_gaps": 0.1}, "did you mean 'min_gap'"),
        (("fast", 4, 4, 0), {"min_gap": 2}, r"knob 'min_gap' must be a number in \[0, 1\]"),
        (("fast", 4, 4, 0), {"delta": 0.1}, r"knob 'delta' must be a pair \[low, high\]"),
        (("fast", 4, 4, 0), {"delta": [0.2, 0.1]}, "low ≤ high"),
        (("fast", 4, 4, 0), {"jitter": [0, 1]}, "0 < low ≤ high"),
        (("fast", 4, 4, 0), {"sorted_means": 1}, "true or false"),
        (("fast", 4, 4, 0), {"max_draws": 0}, "whole number from 1"),
    ],
)
def test_refusals(arguments, knobs, message):
    with pytest.raises(InputError, match=message):
        generate(*arguments, **knobs)


@pytest.mark.parametrize("epsilon", [0, 1, -0.1, float("nan"), "0.1"])
def test_failure_example_refuses(epsilon):
    with pytest.raises(InputError, match=r"epsilon must be a number in \(0, 1\)"):
        failure_example(epsilon)
