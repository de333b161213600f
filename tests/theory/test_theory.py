"""Closed forms against plain sums, curves against single horizons, and the search for c'."""

import subprocess
import sys
from pathlib import Path

import mpmath
import numpy as np
import pytest
from single_epoch import play_probability

from epochbandits import InputError
from epochbandits.model.generators import failure_example, generate
from epochbandits.model.setting import Setting, discount_sum
from epochbandits.theory import greedy, penalty, summary, ucb
from mixings import mixing

GAMMAS = [0.1, 0.5, 0.9, 0.99, 0.999999, 1.0]
LAMS = [0.0, 1e-6, 0.3, 0.5, 0.9, 0.999, 0.9999999]
SHAPES = [(1, 1), (40, 1), (3, 7), (1, 50)]


@pytest.fixture(scope="module")
def instance():
    return generate("anticorrelated", 4, 4, 1)


@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize("lam", LAMS)
def test_upsilon_and_discount_sum_are_sums(lam, gamma):
    for tau in (1, 2, 3, 17, 400):
        s = np.arange(tau)
        expected = np.sum(gamma ** (tau - 1.0 - s) * lam ** (1.0 * s))
        assert penalty.upsilon(tau, mixing(lam, 1), gamma) == pytest.approx(expected, rel=1e-12)
        total = discount_sum(tau, gamma)
        assert total == pytest.approx(np.sum(gamma**s), rel=1e-12)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("gamma", GAMMAS[:-1])
@pytest.mark.parametrize("lam", [*LAMS, *(g - 2e-6 for g in GAMMAS[:-1]), *GAMMAS[:-1]])
def test_printed_discounted_penalty_is_its_series(lam, gamma, shape):
    """Both branches, at 40 digits: Σ φ^{τ_i-1}/(1-ψ) for γ≠λ and Σ φ^{τ_i-1} τ_i for γ=λ."""
    epochs = Setting(*shape, gamma)
    arm = mixing(lam, 2.0)
    with mpmath.workdps(40):
        # The library's λ is e^{log λ}; the reference has to mean the same chain.
        lam_ = mpmath.exp(arm.log_lam) if lam else mpmath.mpf(0)
        phi, eta = max(lam_, mpmath.mpf(gamma)), min(lam_, mpmath.mpf(gamma))
        for T in (1, 2, 5, 60):
            tau = [shape[0] + shape[1] * i for i in range(T)]
            if abs(lam - gamma) <= 1e-9:
                expected = mpmath.fsum(phi ** (t - 1) * t for t in tau)
            else:
                expected = mpmath.fsum(phi ** (t - 1) for t in tau) / (1 - eta / phi)
            bound = penalty.penalty_bound(T, [arm], epochs)[0]
            assert bound == pytest.approx(float(2 * expected), rel=1e-9)


@pytest.mark.parametrize("T", [1, 2, 3, 10, 1000])
@pytest.mark.parametrize("x", [1e-9, 1e-4, 0.05, 0.0999, 0.1, 1.0, 30.0, 2000.0])
def test_arithmetic_geometric_sum_does_not_cancel(x, T):
    with mpmath.workdps(50):
        expected = float(mpmath.fsum(i * mpmath.exp(-mpmath.mpf(x) * i) for i in range(T)))
    total = penalty._arithmetic_sum(np.array([float(T)]), x)[0]
    assert total == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize("x", [1e-9, 0.01, 0.5, 30.0])
def test_arithmetic_geometric_series_without_end(x):
    total = penalty._arithmetic_sum(np.array([np.inf]), x)[0]
    assert total == pytest.approx(np.exp(-x) / np.expm1(-x) ** 2, rel=1e-13)


@pytest.mark.parametrize("variant", penalty.VARIANTS)
@pytest.mark.parametrize("gamma", [0.5, 0.9, 1.0])
def test_arrays_of_horizons_equal_single_horizons(instance, gamma, variant):
    epochs = Setting(40, 1, gamma)
    ns = np.array([4, 1000, 17, penalty.CHUNK, penalty.CHUNK + 1])
    constants = greedy.best_constants(1000, instance, epochs)
    L = penalty.penalty_bound(ns, instance.mixing, epochs, variant)
    plays = greedy.plays_bound(ns, instance, constants)
    for column, n in enumerate(ns):
        single = penalty.penalty_bound(int(n), instance.mixing, epochs, variant)
        np.testing.assert_allclose(L[:, column], single, rtol=1e-12)
        np.testing.assert_allclose(
            plays[:, column], greedy.plays_bound(int(n), instance, constants), rtol=1e-12
        )
    if variant != "tight":  # whose ρ belongs to the largest of the horizons
        for bound in (ucb.regret_bound, ucb.gap_independent_bound):
            curve = bound(ns, instance, epochs, variant)
            ones = [bound(int(n), instance, epochs, variant) for n in ns]
            np.testing.assert_allclose(curve, ones, rtol=1e-12)


def test_greedy_bound_is_the_sum_written_out(instance):
    """The corrected bound, epoch by epoch as its definition reads."""
    n, m = 3000, instance.arms
    kappa = float(penalty.kappa_per_arm(n, instance.mixing, Setting()).max())
    for cprime in (8.5, 60.0):
        constants = greedy.constants(cprime, kappa / 100, instance.min_gap, m)
        eps = np.minimum(1, constants.c * m / constants.d**2 / np.arange(1, n + 1))
        expected = np.zeros(m)
        for k in range(1, n + 1):
            x0 = eps[: k - 1].sum() / (2 * m)
            for j in range(m):
                if eps[k - 1] == 1:
                    expected[j] += 1 / m
                    continue
                bracket = 1.0
                if instance.gap[j] > 0 and k - 1 >= constants.c * m / constants.d**2:
                    rate = instance.gap[j] ** 2 / constants.c2
                    bracket = min(1, 2 * (np.exp(-x0 / 5) + np.exp(-rate * np.floor(x0)) / rate))
                expected[j] += eps[k - 1] / m + (1 - eps[k - 1]) * bracket
        suboptimal = instance.gap > 0
        np.testing.assert_allclose(
            greedy.plays_bound(n, instance, constants)[suboptimal], expected[suboptimal], rtol=1e-10
        )


@pytest.mark.parametrize("n", [300, 20_000])
@pytest.mark.parametrize(
    ("name", "gamma"), [("failure", 1.0), ("failure", 0.9), ("random", 1.0), ("random", 0.5)]
)
def test_search_beats_a_dense_grid(instance, name, gamma, n):
    problem = failure_example(0.01) if name == "failure" else instance
    epochs = Setting(40, 1, gamma)
    constants = greedy.best_constants(n, problem, epochs)
    kappa = float(penalty.kappa_per_arm(n, problem.mixing, epochs).max())
    assert constants.c == pytest.approx(constants.cprime * constants.nu**2)
    assert constants.nu >= kappa * (1 - 1e-12)
    lowest = max(8 * kappa**2 * (1 + 1e-9), constants.d**2)
    grid = np.geomspace(lowest, max(2 * lowest, constants.d**2 * n / problem.arms), 200)
    bounds = [
        greedy.regret_bound(n, problem, epochs, greedy.from_c(c, kappa, constants.d, problem.arms))
        for c in grid
    ]
    assert greedy.regret_bound(n, problem, epochs, constants) <= min(bounds) * (1 + 1e-4)


@pytest.mark.parametrize(("tau0", "gamma"), [(2000, 0.1), (170, 0.1), (100, 0.02)])
def test_search_survives_a_kappa_that_underflows(tau0, gamma):
    epochs = Setting(tau0, 1, gamma)
    problem = failure_example(0.01)
    assert penalty.kappa_per_arm(1000, problem.mixing, epochs).max() < 1e-160
    constants = greedy.best_constants(1000, problem, epochs)
    assert np.isfinite([constants.c, constants.c2, constants.cprime, constants.nu]).all()
    assert constants.c2 == pytest.approx(8, rel=1e-4)


@pytest.mark.parametrize("gamma", [1.0, 0.9, 0.5])
@pytest.mark.parametrize("variant", penalty.VARIANTS)
def test_summary_follows_the_variant(instance, variant, gamma):
    """Every part of the summary against its formula, with that variant's own L."""
    n, epochs, m = 1000, Setting(40, 1, gamma), instance.arms
    L = penalty.penalty_bound(np.arange(1, n + 1), instance.mixing, epochs, variant)
    rho = penalty.rho(n, instance.mixing, epochs, variant)
    kappa = (L / np.sqrt(np.arange(1, n + 1))).max()
    log_n, gap = np.log(n), instance.gap
    result = summary(instance, epochs, n, variant, cprime=30.0)
    np.testing.assert_allclose(result["L"], L[:, -1])
    np.testing.assert_allclose(result["rho"], rho)
    assert result["kappa"] == pytest.approx(kappa, rel=1e-12)
    plays = [4 / g**2 * (r + np.sqrt(6 * log_n)) ** 2 + 3 + 2 * log_n if g else None
             for g, r in zip(gap, rho, strict=True)]  # fmt: skip
    for bound, expected in zip(result["plays_bound"], plays, strict=True):
        assert bound is expected is None or bound == pytest.approx(expected, rel=1e-12)
    regret = sum(g * p for g, p in zip(gap, plays, strict=True) if p) + L[:, -1].sum()
    assert result["regret_bound"] == pytest.approx(regret, rel=1e-12)
    inside = sum(4 * (r + np.sqrt(6 * log_n)) ** 2 + 3 + 2 * log_n for r in rho)
    expected = np.sqrt(n * inside) + L[:, -1].sum()
    assert result["regret_bound_gap_independent"] == pytest.approx(expected, rel=1e-12)
    greedy_part = result["greedy"]
    constants = greedy.constants(30.0, kappa, instance.min_gap, m)
    assert greedy_part["c"] == pytest.approx(constants.c, rel=1e-12)
    for key, form in (("regret_bound", "corrected"), ("regret_bound_paper", "paper")):
        expected = gap @ greedy.plays_bound(n, instance, constants, form) + L[:, -1].sum()
        assert greedy_part[key] == pytest.approx(expected, rel=1e-12)
    searched = summary(instance, epochs, n, variant)["greedy"]
    best = greedy.best_constants(n, instance, epochs, variant)
    assert searched["c"] == best.c
    assert searched["nu"] == pytest.approx(
        max(kappa, searched["d"] / np.sqrt(searched["cprime"])), rel=1e-9
    )


def test_equality_of_discount_and_rate_is_1e_9():
    lam, T = 0.5, np.array([10.0])
    arm = mixing(lam, 1.0)
    for gap, equal in ((0.0, True), (9e-10, True), (1.1e-9, False), (1e-7, False)):
        epochs = Setting(4, 1, lam + gap)
        branch = penalty._equal_branch if equal else penalty._unequal_branch
        bound = penalty.penalty_bound(10, [arm], epochs)
        assert bound == pytest.approx(branch(T, arm, epochs), rel=1e-14)


def test_tight_is_continuous_in_the_discount():
    arm = [mixing(0.999, 1.0)]
    values = [
        penalty.penalty_bound(1000, arm, Setting(40, 1, 0.999 + gap), "tight")[0]
        for gap in (0.0, 9e-10, 1.1e-9)
    ]
    slopes = np.diff(values) / np.diff([0.0, 9e-10, 1.1e-9])
    assert slopes[0] == pytest.approx(slopes[1], rel=1e-3)  # no step at |γ - λ| = 1e-9


def test_the_printed_bound_is_not_below_its_first_term(instance):
    """The logarithm of Theorem 2 is negative where k-1 is far below k'; so would be its term."""
    constants = greedy.constants(200.0, 1e-3, instance.min_gap, instance.arms)
    for k in range(2, 60):
        first = constants.c / constants.d**2 / k
        bound = play_probability(k, instance, constants, "paper")
        assert (bound >= first * (1 - 1e-15)).all() or bound.min() == 1 / instance.arms
        assert (bound <= 1).all()


def test_explore_for_ever_is_past_the_step(instance):
    constants = greedy.best_constants(300, instance, Setting())
    # every ε_k is 1, in any order of rounding
    assert constants.c * instance.arms / constants.d**2 >= 300


@pytest.mark.parametrize("share", [0.0, -1.0, 1.001, float("nan")])
def test_d_is_in_the_range_of_the_theorem(instance, share):
    with pytest.raises(InputError, match="d must be a number in"):
        greedy.best_constants(300, instance, Setting(), d=share * instance.min_gap)


def test_bad_names_and_horizons(instance):
    constants = greedy.best_constants(300, instance, Setting())
    for call in (
        lambda: greedy.plays_bound(5, instance, constants, "correted"),
        lambda: penalty.kappa_per_arm(5, instance.mixing, Setting(), "thight"),
        lambda: greedy.plays_bound([0], instance, constants),
        lambda: penalty.penalty_bound([], instance.mixing, Setting(), "tight"),
    ):
        with pytest.raises(InputError):
            call()


def test_memory_with_many_arms():
    many = generate("anticorrelated", 256, 2, 0)
    code = summary(many, Setting(), 30_000, cprime=20.0)
    assert code["regret_bound"] > 0
    assert next(penalty.chunks(10**7, 256)).size * 256 <= penalty.CHUNK


def test_summary_of_tied_arms_has_nulls(two_arm_dict):
    from epochbandits import Instance

    two_arm_dict["transition"][1] = two_arm_dict["transition"][0]
    two_arm_dict["rewards"][1] = two_arm_dict["rewards"][0]
    tied = Instance.from_dict(two_arm_dict)
    result = summary(tied, Setting(), 100)
    assert result["plays_bound"] == [None, None]
    assert result["greedy"] is None
    assert result["regret_bound"] == pytest.approx(sum(result["L"]))
    with pytest.raises(InputError, match="all arms tie"):
        greedy.best_constants(100, tied, Setting())


def test_tight_rho_is_the_least_that_theorem_1_needs(instance):
    epochs = Setting(40, 1, 0.9)
    tight = penalty.rho(5000, instance.mixing, epochs, "tight")
    plays = np.arange(1, 5001)
    L = penalty.penalty_bound(plays, instance.mixing, epochs, "tight")
    ratio = L / np.sqrt(plays)
    np.testing.assert_allclose(ratio.max(axis=1), tight, rtol=1e-14)
    assert (tight <= penalty.rho(5000, instance.mixing, epochs)).all()


def test_horizon_of_ten_million_stays_small():
    """A horizon of 10^7 epochs takes less than 500 MB in all."""
    code = (
        "from epochbandits.model.generators import generate\n"
        "from epochbandits.model.setting import Setting\nfrom epochbandits.theory import summary\n"
        "p = generate('anticorrelated', 4, 4, 1)\n"
        "r = summary(p, Setting(), 10**7, 'tight', cprime=20.0)\n"
        "assert r['greedy']['regret_bound'] > r['regret_bound'] > 0\n"
        "from peak import peak_memory; print(peak_memory())\n"
    )
    tests = Path(__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tests
    )
    assert int(done.stdout) < 5e8


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tau0": 0}, "tau0 must be a whole number"),
        ({"tau0": 2.0}, "tau0 must be a whole number"),
        ({"zeta": -1}, "zeta must be a whole number"),
        ({"zeta": True}, "zeta must be a whole number"),
        ({"gamma": 0}, r"gamma must be a number in \(0, 1\]"),
        ({"gamma": 1.0001}, "gamma must be a number"),
        ({"gamma": float("nan")}, "gamma must be a number"),
    ],
)
def test_settings_are_checked(arguments, message):
    with pytest.raises(InputError, match=message):
        Setting(**arguments)


def test_other_bad_input(instance):
    with pytest.raises(InputError, match="T ≥ 1"):
        penalty.penalty_bound(0, instance.mixing, Setting())
    with pytest.raises(InputError, match="did you mean 'tight'"):
        penalty.penalty_bound(1, instance.mixing, Setting(), "thight")
    with pytest.raises(InputError, match=r"cprime must be a number in \(8"):
        greedy.constants(8, 1.0, 0.1, 4)
    with pytest.raises(InputError, match=r"epochs \(with 4 arms\) must be a whole number from 4"):
        summary(instance, Setting(), 3)
