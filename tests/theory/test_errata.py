"""Tests of each entry of docs/errata.md, named after its number.

The numbers of the published run that the page quotes are in `figures/test_errata_prose.py`.
"""

import math
import re
from dataclasses import asdict
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, stats

from epochbandits import InputError, Instance
from epochbandits.engine.simulation import simulate
from epochbandits.model import chains
from epochbandits.model.generators import failure_example, generate
from epochbandits.model.moments import worst_deviation
from epochbandits.model.random_matrices import ROW_LAWS
from epochbandits.model.setting import Setting
from epochbandits.pipeline.eigenvalues import eigenvalue_table
from epochbandits.pipeline.exact_cases import irreducible
from epochbandits.policies import POLICIES, Info
from epochbandits.policies.base import Rewards
from epochbandits.theory import greedy, penalty, ucb
from mixings import mixing
from published import plain, short, table  # tests/published.py
from reversiblization import reversiblization
from vectors import VECTORS, vector_instance

ROOT = Path(__file__).parent.parent.parent
ERRATA = (ROOT / "docs" / "errata.md").read_text()
PROSE = " ".join(ERRATA.split())


def explored(k, k_prime, m):
    """x₀(k) = (1/2m) Σ_{i≤k} min(1, k'/i)."""
    return np.minimum(1, k_prime / np.arange(1, k + 1)).sum() / (2 * m)


# --- the audit -------------------------------------------------------------------------------


def test_E1_fills_bound_is_one_on_total_variation():
    pi, start = np.array([0.5, 0.5]), np.array([1.0, 0.0])
    bound = ((start - pi) ** 2 / pi).sum() / 4  # χ²₀/4, at n = 0
    difference = np.abs(start - pi)
    assert (difference.sum() / 2) ** 2 <= bound == 1 / 4
    assert difference.sum() ** 2 == 1
    assert (difference**2).sum() == 1 / 2
    assert "has χ²₀/4 = ¼, while the squared distances are 1 and ½." in PROSE
    assert difference.sum() > chains.constant_C(pi)
    # Lemma 1 keeps its ½ all the same: a reward in [0, 1] sees total variation only.
    instance = failure_example(0.5)
    for arm, tau in product(range(2), (1, 2, 3, 10)):
        assert worst_deviation(instance, arm, tau, 1.0) <= penalty.lemma1_bound(
            tau, instance.mixing[arm], 1.0
        )


@pytest.mark.parametrize("low", [0.5, 0.1, 1e-4])
def test_E2_the_largest_chi_square_is_known_exactly(low):
    pi = np.array([low, 1 - low])
    vertices = [((np.eye(2)[s] - pi) ** 2 / pi).sum() for s in range(2)]
    exact = (1 - low) / low
    assert max(vertices) == pytest.approx(exact, rel=1e-12)
    assert 2 * chains.constant_C_exact(pi) == pytest.approx(math.sqrt(exact), rel=1e-12)
    assert 1 + (1 - low) ** 2 / low == pytest.approx(exact + low, rel=1e-12)


def test_E3_an_ergodic_chain_can_have_a_reducible_reversiblization():
    P = np.array([[0, 1, 0], [0, 0, 1], [0.5, 0.5, 0]])
    assert chains.is_irreducible(P)
    assert chains.period(P) == 1
    assert chains.unreachable(chains.reversiblization_graph(P)) is not None
    M = reversiblization(P, chains.stationary(P))
    assert np.sort(np.linalg.eigvals(M).real)[-2] == pytest.approx(1)
    assert chains.mixing(P, chains.stationary(P)).lam == 1
    share = np.array([[any((P[a] > 0) & (P[b] > 0)) for b in range(3)] for a in range(3)])
    np.testing.assert_array_equal(M > 0, share)


def test_E3_both_conditions_are_sufficient_and_neither_is_necessary():
    cases = pd.DataFrame(asdict(case) for case in irreducible())
    most = cases.groupby("name")["left"].max()
    assert most["positive_diagonal"] == most["reversible"] == 1
    assert most["ergodic"] > 1
    assert (cases.loc[cases["name"] == "not_necessary", "right"] > 0).all()


def test_E4_the_branch_for_unequal_rates_is_not_always_stronger():
    T, tau = np.array([50.0]), np.arange(1, 60)
    for gap in (0.3, 1e-2, 1e-4, 1e-6):
        arm, epochs = mixing(0.5, 1.0), Setting(4, 1, 0.5 + gap)
        unequal, equal = (
            branch(T, arm, epochs)[0] for branch in (penalty._unequal_branch, penalty._equal_branch)
        )
        assert (unequal < equal) == (gap > 0.1)
        larger = penalty.upsilon(tau, mixing(0.5 + gap, 1.0), 0.5 + gap)
        assert (penalty.upsilon(tau, arm, 0.5 + gap) <= larger * (1 + 1e-12)).all()
    assert unequal > 1e4 * equal


def test_E5_the_printed_penalty_jumps_as_the_discount_goes_to_one():
    assert "With λ = ½, C = 1, τ0 = 40, ζ = 1 and 1000 plays:" in PROSE
    rows = re.findall(r"^\| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", ERRATA, re.MULTILINE)
    assert len(rows) == 4
    for gamma, *cells in rows:
        arm, epochs = [mixing(0.5, 1.0)], Setting(40, 1, float(gamma))
        for variant, cell in zip(("paper", "tight"), cells, strict=True):
            places = len(cell.partition(".")[2])
            bound = penalty.penalty_bound(1000, arm, epochs, variant)[0]
            assert short(bound, places) == cell, (gamma, variant)


def test_E5_discounting_lowers_the_tight_penalty_but_not_the_printed_one():
    arm, gammas = [mixing(0.5, 1.0)], [0.6, 0.8, 0.9, 0.95, 0.97, 0.99, 0.999]
    printed = [penalty.penalty_bound(1000, arm, Setting(40, 1, g))[0] for g in (*gammas, 1.0)]
    tight = [
        penalty.penalty_bound(1000, arm, Setting(40, 1, g), "tight")[0] for g in (*gammas, 1.0)
    ]
    assert (np.diff(tight) > 0).all()
    assert [value < printed[-1] for value in printed[:-1]] == [g <= 0.95 for g in gammas]
    crossing = optimize.brentq(
        lambda g: penalty.penalty_bound(1000, arm, Setting(40, 1, g))[0] - printed[-1], 0.9, 0.99
    )
    assert f"fails here for the printed L above about γ = {short(crossing)}." in PROSE


def test_E6_the_lower_bound_on_x0_misses_a_half():
    m, ratio, k = 2, 10.0, 100
    x0 = explored(k, ratio * m, m)
    assert x0 == pytest.approx(12.9, abs=0.05)
    assert ratio * math.log(k * math.exp(0.5) / (ratio * m)) == pytest.approx(21.1, abs=0.05)
    for m, ratio in product((2, 3, 10), (0.7, 1.0, 3.3, 50.0)):
        k_prime = ratio * m
        for k in range(math.ceil(k_prime), 4000, 37):
            corrected = ratio / 2 * math.log(math.e * (k + 1) / k_prime) - 1 / (2 * m)
            assert explored(k, k_prime, m) >= corrected


def test_E7_exploration_is_not_independent_of_the_mean():
    """Whether the first play of arm 0 paid tells how often the arm was explored.

    Failure example with ε = ½, three epochs of pure exploration, enumerated.
    """
    P = failure_example(0.5).transition
    joint = {}
    for arms in product(range(2), repeat=3):
        law, plays, first = {0: 1.0}, [0, 0], None
        for arm in arms:
            tau, plays[arm] = 1 + plays[arm], plays[arm] + 1
            if arm == 0 and first is None:
                first = law  # the reward of this one-iteration epoch is the state itself
            power = np.linalg.matrix_power(P[arm], tau)
            law = {t: sum(p * power[s, t] for s, p in law.items()) for t in range(2)}
        if first is not None:
            for paid, p in first.items():
                joint[plays[0], paid] = joint.get((plays[0], paid), 0) + p / 8
    total = {paid: sum(p for (_, b), p in joint.items() if b == paid) for paid in (0, 1)}
    few = {paid: joint.get((1, paid), 0) / total[paid] for paid in (0, 1)}
    least = math.floor(10 * (few[1] - few[0])) / 10
    assert f"differs by more than {plain(least)} between a first reward of 0 and of 1" in PROSE


@pytest.mark.parametrize("k_prime", [3.0, 20.0, 77.7])
def test_E7_few_explorations_are_unlikely_without_the_prefactor(k_prime):
    """P(T^R ≤ x₀) ≤ exp(-x₀/5), by the exact law of the sum of independent indicators."""
    m = 2
    law = np.ones(1)
    for k in range(1, 400):
        p = min(1, k_prime / k) / m
        law = np.convolve(law, [1 - p, p])
        x0 = explored(k, k_prime, m)
        assert law[: math.floor(x0) + 1].sum() <= math.exp(-x0 / 5)


def proofs_excess(k, chosen):
    """Return the bound of E7's proof with its own x, X and the sums written out."""
    s, K = chosen.c / chosen.d**2, k - 1
    z = math.log(K / chosen.k_prime) + 0.5
    a = chosen.d * (0.5 - math.sqrt(2 / chosen.cprime))
    x = s / 4 * max(2, z)
    X = 2 * explored(K, chosen.k_prime, chosen.arms)
    few = math.exp(-(X - x - x * math.log(X / x)))
    off = np.exp(-2 * a**2 * np.arange(math.floor(x) + 1, K + 1)).sum()
    return few, s * z * math.exp(-s * z / 5), off, 2 * math.e / a**2 * math.exp(-s * z * a**2 / 2)


def test_E7_the_proof_holds_step_by_step():
    """Each inequality of the proof, on constants from the edge of the cases that matter."""
    rng, cases = np.random.default_rng(0), 0
    while cases < 2000:
        m, d = int(rng.choice([2, 3, 7])), rng.uniform(0.05, 1)
        s, cprime = 10 ** rng.uniform(0, 3), 8 + 10 ** rng.uniform(-1, 5)
        c = s * d**2
        chosen = greedy.GreedyConstants(
            cprime, math.sqrt(c / cprime), c, greedy.second_constant(cprime), d, m
        )
        k = max(2, math.ceil(chosen.k_prime * rng.choice([1, 1, 1 + rng.random(), 10])))
        z = math.log((k - 1) / chosen.k_prime) + 0.5
        excess = float(greedy.theorem2_excess(k, chosen))
        if s * z <= 30:  # step 1
            assert excess >= 1
            continue
        cases += 1
        assert z > 0.49
        assert 2 * explored(k - 1, chosen.k_prime, m) >= s * (z + 0.5) - 0.5
        few, second, off, third = proofs_excess(k, chosen)
        assert few <= second  # step 2
        assert off <= third  # step 3
        assert 2 * (second + third) == pytest.approx(excess, rel=1e-9)  # step 4


def test_E7_the_two_functions_of_step_2():
    z = np.linspace(0.49, 2, 2000)
    assert (z - 0.5 * np.log(2 * z + 1) >= z / 5).all()
    z = np.geomspace(2, 1e6, 2000)
    slope = 0.75 + 0.5 / z - np.log(4 + 2 / z) / 4
    assert (np.diff(slope) < 0).all()
    assert f"(z/4) log(4 + 2/z) > {plain(math.floor(100 * slope[-1]) / 100)}z." in PROSE


def test_E7_the_first_epoch_with_a_negative_term():
    """The one case with z < 0 is m = 2, s = 1 and k = 2."""
    for m, s in product((2, 3, 4), np.linspace(1, 3, 201)):
        K = math.ceil(m * s - 1e-9) - 1
        z = math.log(K / (m * s)) + 0.5
        assert (z < 0) == (m == 2 and s == 1)
    chosen = greedy.constants(50.0, 0.0, 0.9, 2)
    assert chosen.k_prime == 2
    second = 2 * (math.log(0.5) + 0.5) * math.exp(-(math.log(0.5) + 0.5) / 5)
    least = math.floor(16 * math.e)  # the third term at a = ½ and z = 0, below which it is larger
    assert float(greedy.theorem2_excess(2, chosen)) - second > least
    assert f"where it is {short(second, 1)} and the third above {least}." in PROSE
    assert 16 * math.e * math.exp(-30 / 8) > 1  # so it says nothing up to sz = 30
    nearest = math.floor(100 * (0.5 + math.log(1 - 1 / 120))) / 100
    assert f"let sz > 30. Then z > {plain(nearest)}:" in PROSE


def test_E8_the_corollary_needs_c_abovesecond_constant():
    for kappa, cprime in product((0.3, 1.0, 7.0), (8.5, 20.0, 33.0, 60.0, 200.0)):
        constants = greedy.constants(cprime, kappa, 1e-3, 4)
        assert (constants.c > constants.c2) == (cprime > 8 * (1 + 1 / kappa) ** 2)
    # With c < c'' the third term of Theorem 2 is summed to a power of n, not to its logarithm.
    k = np.arange(10.0, 1e6)
    sums = np.cumsum((10 / k) ** 0.5)
    assert sums[-1] / sums[len(sums) // 4] == pytest.approx(2, rel=0.02)


def test_E9_kappa_is_attained_inside_and_grows_with_the_horizon():
    mixings, epochs = [mixing(0.5, 1.0)], Setting(40, 1, 1.0)
    i = np.arange(1, 2001)
    ratio = penalty.penalty_bound(i, mixings, epochs)[0] / np.sqrt(i)
    assert 1 < np.argmax(ratio) + 1 < 2000
    assert penalty.kappa_per_arm(10, mixings, epochs) < penalty.kappa_per_arm(2000, mixings, epochs)
    tie = generate("fast", 2, 2, 0).to_dict()
    tie["transition"].append(tie["transition"][0])
    tie["rewards"].append(tie["rewards"][0])
    assert Instance.from_dict(tie).min_gap > 0


@pytest.mark.parametrize("T", [1, 5, 40, 300])
def test_E10_azumas_rate_loses_a_factor_four(T):
    """For rewards in [0, 1] exp(-2x²/T) holds as well: shown on the extreme case of fair coins."""
    for x in np.linspace(0.1, T / 2, 25):
        tail = stats.binom.cdf(math.floor(T / 2 - x + 1e-12), T, 0.5)
        assert tail <= math.exp(-2 * x**2 / T) <= math.exp(-(x**2) / (2 * T))
    k = 50  # so sqrt(1.5 log k / T) fails with probability k^-3, as sqrt(6 log k / T) does in print
    assert math.exp(-2 * T * (1.5 * math.log(k) / T)) == pytest.approx(k**-3.0)


def test_E10_theorem_1_with_the_additive_terms_sharpened():
    """A union bound over s and w apart costs 2 Σ_{k>m} (k-1)/k³ < 1 in place of 3 + 2 log n."""
    for entry in VECTORS["instances"]:
        instance = vector_instance(entry)
        for n in (10, 1000, 10_000):
            epochs = Setting(entry["tau0"], entry["zeta"], 1.0)
            k = np.arange(instance.arms + 1.0, n + 1)
            extra = 2 * ((k - 1) / k**3).sum()
            assert extra < 1
            least = penalty.kappa_per_arm(n, instance.mixing, epochs)
            for arm, expected in entry["gamma"]["1.0"]["n"][str(n)]["ET_sharp"].items():
                j = int(arm)
                ell = 4 / instance.gap[j] ** 2 * (least[j] + math.sqrt(6 * math.log(n))) ** 2
                sharp = min(n, math.ceil(ell) + extra)
                assert sharp == pytest.approx(expected, rel=1e-9)
                assert sharp < ucb.plays_bound(n, instance, epochs)[j]


def test_E11_the_time_averaged_rho_holds_for_every_play():
    tau0s, zetas = (1, 2, 7, 40, 500), (1, 3, 60)
    assert f"(scanned over τ0 to {max(tau0s)}, ζ to {max(zetas)}, ℓ to 10⁶)" in PROSE
    for tau0, zeta, lam in product(tau0s, zetas, (0.0, 0.5, 0.99)):
        arm, epochs = [mixing(lam, 1.0)], Setting(tau0, zeta, 1.0)
        plays = np.unique(np.geomspace(1, 1e6, 400).astype(int))
        L = penalty.penalty_bound(plays, arm, epochs)[0]
        assert (L / plays <= penalty.rho(1, arm, epochs)[0] / np.sqrt(plays)).all()
    x = 0.5  # the proof's steps 1/x < 1/√x and log(1+x)/x < 1/√x are for x ≥ 1; the first fails
    assert 1 / x > 1 / math.sqrt(x)


def test_E12_penalty_per_play_can_increase():
    arm, epochs = [mixing(0.99, 1.0)], Setting(1, 10, 0.99)
    plays = np.arange(1, 5001)
    per_play = penalty.penalty_bound(plays, arm, epochs)[0] / plays
    factor = math.floor(per_play[1] / per_play[0])
    assert f"λ = γ = .99 multiplies it by more than {factor} from the first play" in PROSE
    assert (per_play <= penalty.rho(1, arm, epochs)[0] / np.sqrt(plays)).all()


def test_E13_root_steps_break_robbins_monro():
    k = np.arange(1.0, 1e6 + 1)
    squares = np.cumsum((1 / np.sqrt(k)) ** 2)  # must converge for Robbins and Monro
    assert squares[-1] - squares[len(k) // 10 - 1] == pytest.approx(math.log(10), rel=1e-4)


def test_E14_the_algorithms_need_to_know_the_chains():
    """Same rewards and stationary laws, other mixing rate: another window, another c."""
    slow = generate("fast", 2, 3, 0)
    data = slow.to_dict()
    data["transition"] = (0.5 * np.eye(3) + 0.5 * slow.transition).tolist()
    lazy = Instance.from_dict(data)
    np.testing.assert_allclose(lazy.mu, slow.mu, rtol=1e-12)
    windows = [penalty.confidence_window(10, 5, i.mixing, Setting()) for i in (slow, lazy)]
    assert (windows[1] > windows[0] * 1.05).all()
    kappas = [penalty.kappa_per_arm(1000, i.mixing, Setting()).max() for i in (slow, lazy)]
    assert kappas[1] > kappas[0]


def counters(cap, reset):
    """Return arm 1's chain on two counters: of delays if plays reset them, else of plays."""
    states = list(product(range(cap + 1), repeat=2))
    P = np.zeros((len(states), len(states)))
    for i, (played, other) in enumerate(states):
        after = (0, min(other + 1, cap)) if reset else (min(played + 1, cap), other)
        P[i, states.index(after)] = 1
    return P


def test_E15_counters_of_plays_or_delays_break_assumption_1(two_arm_dict):
    plays = counters(3, reset=False)
    assert not chains.is_irreducible(plays)
    assert np.isclose(np.linalg.eigvals(plays), 1).sum() == 4  # a closed class for each count
    assert f"has four closed classes among its {len(plays)} states" in PROSE
    delays = counters(2, reset=True)  # delays 1 to 3
    assert not chains.is_irreducible(delays)
    assert np.isclose(np.linalg.eigvals(delays), 1).sum() == 1
    reached = np.linalg.matrix_power(delays, 5)
    assert (reached[:, 2] == 1).all()  # just played, and the other arm at its cap
    first, second, third = (
        chains.constant_C(chains.stationary((1 - leak) * delays + leak / 9))
        for leak in (0.1, 0.01, 0.001)
    )
    assert "(with probability .1, .01 or .001 the state is drawn afresh, uniformly)" in PROSE
    assert f"C_1 is {first:.1f}, {second:.0f} and {third:.0f}." in PROSE
    two_arm_dict["transition"][0] = [[0.0, 1.0], [0.0, 1.0]]
    with pytest.raises(InputError, match="Assumption 1"):
        Instance.from_dict(two_arm_dict)


# --- our decisions ---------------------------------------------------------------------------


def test_D1_the_printed_running_mean_is_no_mean():
    rewards = [0.2, 0.4, 0.6]
    printed, plays = rewards[0], 1  # Algorithm 2 after its first round
    for r in rewards[1:]:
        printed, plays = printed + (r - printed) / plays, plays + 1
    assert printed == pytest.approx(np.mean(rewards[1:]))  # the first sample is gone
    info = Info(failure_example(), Setting(), 10)
    for name in ("epoch-ucb", "epoch-greedy", "ucb"):
        policy = POLICIES[name]
        memory = policy.memory_for(info, {})
        for k, r in enumerate(rewards, start=1):
            learned = Rewards(1.0, 0.0, r, r * r)
            policy.learn.py_func(memory, k, 1, learned, np.zeros(2), np.zeros(2))
        assert memory.mean.tolist() == pytest.approx([0.0, np.mean(rewards)])


def test_D2_first_plays_and_ties():
    with pytest.raises(InputError, match="T ≥ 1"):  # an arm without plays has no window
        penalty.confidence_window(1, 0, [mixing(0.5, 1.0)], Setting())
    instance = generate("fast", 4, 3, 0)
    first = simulate(instance, "epoch-ucb", epochs=4, seeds=[0], trace="full")
    assert first["arm"].tolist() == [0, 1, 2, 3]
    # EpochGreedy without exploration: all means are 0, so its first arm is a uniform tie.
    table = simulate(instance, "epoch-greedy", epochs=1, seeds=range(400), c=0.0)
    counts = np.bincount(table["arm"], minlength=4)
    assert np.abs(counts - 100).max() < 45


def test_D3_the_baselines_rates():
    instance = generate("fast", 4, 3, 0)
    info = Info(instance, Setting(), 10_000)
    names = ("ucb", "eps-greedy", "exp3", "q-learning")
    memory = {name: POLICIES[name].memory_for(info, {}) for name in names}
    assert memory["ucb"].constant == 2
    assert memory["eps-greedy"].scale == pytest.approx(5 * 4 / instance.min_gap**2)
    assert memory["exp3"].rate == pytest.approx(0.01797, abs=1e-5)
    assert math.exp(-5000 * memory["q-learning"].speed) == pytest.approx(0.05)
    assert memory["q-learning"].discount == 0.9
    assert not memory["q-learning"].weight.any()


def test_D4_the_failure_example_as_the_authors_code_had_it():
    instance = failure_example(0.01)
    assert instance.initial.tolist() == [1, 0]
    np.testing.assert_allclose(instance.mu, [1 / 1.01, 0.5])


def test_D4_ucb_escapes_more_often_the_larger_epsilon():
    """Share of 100 runs whose last 5% of 4000 decisions were all on the bad arm."""
    locked = []
    for epsilon in (0.1, 0.01, 0.0001):
        table = simulate(
            failure_example(epsilon), "ucb", iterations=4000, seeds=range(100), trace="full"
        )
        last = table[table["epoch"] > 3800]
        locked.append(float((last.groupby("seed")["arm"].mean() > 0.9).mean()))
    assert locked[0] < 0.2
    assert 0.3 < locked[1] < 0.85
    assert locked[2] > 0.95


@pytest.mark.parametrize("law", ROW_LAWS)
def test_D5_the_eigenvalue_figures_are_singular_values(law):
    """Other matrices than those of the published table agree with it; σ₂ has the printed pair."""
    scales = ["lambda2", "root", "singular"]
    other = pd.DataFrame(eigenvalue_table([law], 1000, 10, 17))[scales]
    published = table("tab1_mixing").query("law == @law")[scales]
    error = 2 * other.std() / math.sqrt(1000)  # of a difference, 1.4 standard errors
    assert ((other.mean() - published.mean()).abs() < 3 * error).all()
    mean, high = (0.32, 0.38) if law == "uniform" else (0.70, 0.83)
    for values in (other, published):
        distances = pd.concat([values.mean() - mean, values.quantile(0.95) - high], axis=1).abs()
        fits = distances.max(axis=1) < 0.005
        assert fits["singular"] == (law == "uniform")
        assert not fits["lambda2"]
        assert not (fits["root"] and law != "uniform")


def test_D6_the_proof_of_corollary_2_has_three():
    for entry in VECTORS["instances"]:
        row = entry["gamma"]["1.0"]["n"]["1000"]
        bound = ucb.gap_independent_bound(
            1000, vector_instance(entry), Setting(entry["tau0"], entry["zeta"], 1.0)
        )
        assert bound == pytest.approx(row["gap_independent_const3"], rel=1e-12)
        assert bound > row["gap_independent_const2"]


def test_D7_assumptions_are_checked_on_entry(two_arm_dict):
    two_arm_dict["transition"][1] = [[0.0, 1.0], [1.0, 0.0]]
    with pytest.raises(InputError, match=r"arm 1\): the chain has period 2"):
        Instance.from_dict(two_arm_dict)


def test_D8_ucb_wins_under_algorithm_1_in_the_class_nearest_to_the_words():
    for seed in range(100, 105):
        instance = generate("literal", 4, 4, seed)
        regret = [
            simulate(instance, policy, epochs=400, seeds=[0, 1])
            .groupby("seed")["expected_regret"]
            .last()
            .mean()
            for policy in ("ucb", "epoch-ucb")
        ]
        assert regret[0] < regret[1] / 3


# --- the page itself -------------------------------------------------------------------------


def entries():
    return re.findall(r"^### ([ED]\d+)\.", ERRATA, flags=re.MULTILINE)


def test_every_entry_has_a_test_and_every_test_an_entry():
    tested = {name.split("_")[1] for name in globals() if re.match(r"test_[ED]\d+_", name)}
    assert len(entries()) == len(set(entries()))
    assert set(entries()) == tested


def test_code_refers_to_entries_that_exist():
    used = set()
    for path in (ROOT / "src").rglob("*.py"):
        for group in re.findall(r"\(errata ([^)]*)\)", path.read_text()):
            used |= set(re.findall(r"[ED]\d+", group))
    assert used
    assert used <= set(entries())
