"""Reward laws against SciPy, and their refusals."""

import numpy as np
import pytest
from scipy import integrate, stats

from epochbandits import InputError
from epochbandits.model.densities import BetaDensity, UniformDensity
from epochbandits.model.rewards import LAWS, Bernoulli, Beta, Constant, Uniform, law_from_dict

CASES = [
    (Bernoulli(0.3), stats.bernoulli(0.3)),
    (Bernoulli(1.0), stats.bernoulli(1.0)),
    (Beta(0.4, 2.5), stats.beta(0.4, 2.5)),
    (Beta(9.0, 1.0), stats.beta(9.0, 1.0)),
    (Uniform(0.2, 0.7), stats.uniform(0.2, 0.5)),
]


@pytest.mark.parametrize(("law", "expected"), CASES, ids=[str(law) for law, _ in CASES])
def test_moments(law, expected):
    assert law.mean == pytest.approx(float(expected.mean()), rel=1e-14)
    assert law.variance == pytest.approx(float(expected.var()), rel=1e-13, abs=1e-17)


@pytest.mark.parametrize(("law", "expected"), CASES, ids=[str(law) for law, _ in CASES])
def test_plain_draws_have_the_law(law, expected):
    rng = np.random.default_rng(0)
    values = np.array([law.draw(rng) for _ in range(4000)])
    if law.name == "bernoulli":
        assert stats.binomtest(int(values.sum()), 4000, law.p).pvalue > 1e-5
    else:
        assert stats.kstest(values, expected.cdf).pvalue > 1e-5
    assert Constant(0.3).draw(rng) == 0.3


@pytest.mark.parametrize("law", [law for law, _ in CASES] + [Constant(0.4), Uniform(0.3, 0.3)])
def test_atoms_and_components_make_up_the_law(law):
    """Their total mass is one, and their mean is the law's."""
    masses = [mass for _, mass in law.atoms] + [weight for weight, _ in law.components]
    assert sum(masses) == pytest.approx(1, rel=1e-14)
    mean = sum(value * mass for value, mass in law.atoms)
    for weight, density in law.components:
        mean += weight * integrate.quad(lambda x, f=density: f.survival(x), 0, 1)[0]
    assert mean == pytest.approx(law.mean, abs=1e-9)


DENSITIES = [
    (BetaDensity(0.4, 2.5), stats.beta(0.4, 2.5)),
    (BetaDensity(6.0, 3.0), stats.beta(6.0, 3.0)),
    (BetaDensity(0.3, 0.6), stats.beta(0.3, 0.6)),
    (UniformDensity(0.2, 0.7), stats.uniform(0.2, 0.5)),
]


@pytest.mark.parametrize(
    ("density", "expected"), DENSITIES, ids=[str(density) for density, _ in DENSITIES]
)
def test_densities(density, expected):
    x = np.linspace(0.01, 0.99, 197)
    np.testing.assert_allclose(density.cdf(x), expected.cdf(x), rtol=1e-12, atol=1e-14)
    assert density.survival(0.3) == pytest.approx(expected.sf(0.3), rel=1e-12)
    levels = np.array([0.1, 0.5, 0.9])
    points = density.quantiles(levels)
    inner = points[1:-1] if density.jumps else points
    np.testing.assert_allclose(inner, expected.ppf(levels), rtol=1e-10)
    (alpha, beta), (low, high) = density.exponents, density.support
    inside = x[(x > low) & (x < high)]
    powers = np.exp(density.log_constant) * inside**alpha * (1 - inside) ** beta
    np.testing.assert_allclose(powers, expected.pdf(inside), rtol=1e-12)
    left, right = x[:-1], x[1:]
    lower, upper = density.bounds(left, right, np.log(0.25))
    for share in (0.001, 0.3, 0.7, 0.999):
        values = 0.25 * expected.pdf(left + share * (right - left))
        assert (lower <= values * (1 + 1e-12)).all()
        assert (values <= upper * (1 + 1e-12)).all()
    assert (upper <= 1.5 * lower + 0.5).mean() > 0.9  # and the bounds are near each other


def test_constant_moments():
    assert (Constant(0.4).mean, Constant(0.4).variance) == (0.4, 0.0)


@pytest.mark.parametrize("law", [law for law, _ in CASES] + [Constant(0.5)], ids=str)
def test_dict_round_trip(law):
    assert law_from_dict(law.to_dict()) == law
    assert LAWS[law.name] is type(law)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"law": "bernoulli", "p": 1.3}, r"p must be a number in \[0, 1\], not 1.3"),
        ({"law": "bernoulli", "p": float("nan")}, "p must be a number"),
        ({"law": "bernoulli", "p": True}, "p must be a number"),
        ({"law": "bernoulli", "p": "0.3"}, "p must be a number"),
        ({"law": "bernoulli"}, "lacks the key 'p'"),
        ({"law": "bernoulli", "p": 0.1, "q": 0.2}, "unknown key 'q'"),
        ({"law": "beta", "a": 0, "b": 1}, r"a must be a number in \(0"),
        ({"law": "beta", "a": 1, "b": float("inf")}, "b must be a number"),
        ({"law": "uniform", "low": 0.7, "high": 0.2}, "low must not exceed high"),
        ({"law": "uniform", "low": -0.1, "high": 0.2}, "low must be a number"),
        ({"law": "constant", "value": 2}, "value must be a number"),
        ({"law": "betta", "a": 1, "b": 1}, "did you mean 'beta'"),
        ({"p": 0.3}, "key 'law'"),
        ([0.3], "key 'law'"),
    ],
)
def test_refusals(data, message):
    with pytest.raises(InputError, match=message):
        law_from_dict(data)
