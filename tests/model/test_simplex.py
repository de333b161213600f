"""Grid points and corners of distributions."""

import numpy as np
import pytest

from epochbandits.model.simplex import Grid
from epochbandits.validation import InputError


@pytest.mark.parametrize(("states", "resolution", "size"), [(1, 5, 1), (2, 7, 8), (4, 6, 84)])
def test_the_grid_has_every_point_once(states, resolution, size):
    points = Grid(states, resolution).points
    assert points.shape == (size, states) == (Grid(states, resolution).size, states)
    np.testing.assert_allclose(points.sum(axis=1), 1)
    assert (points >= 0).all()
    assert len(np.unique((points * resolution).round(), axis=0)) == size


@pytest.mark.parametrize("states", [2, 3, 4, 5])
def test_the_corners_have_the_distribution_as_mean_and_are_near(states):
    grid = Grid(states, 6)
    rng = np.random.default_rng(0)
    beliefs = np.vstack([rng.dirichlet(np.full(states, 0.4), size=200), np.eye(states)])
    corners, weights = grid.corners(beliefs)
    np.testing.assert_allclose(np.einsum("ncs,nc->ns", grid.points[corners], weights), beliefs,
                               atol=1e-12)  # fmt: skip
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(axis=1), 1)
    far = np.abs(grid.points[corners] - beliefs[:, None]).max(axis=2)
    assert (far[weights > 0] <= 1 / 6 + 1e-12).all()


def test_a_grid_point_is_its_own_corner():
    grid = Grid(4, 5)
    corners, weights = grid.corners(grid.points)
    assert (corners[np.arange(grid.size), weights.argmax(axis=1)] == np.arange(grid.size)).all()
    np.testing.assert_allclose(weights.max(axis=1), 1)


def test_too_many_points_are_refused():
    with pytest.raises(InputError, match="at most 100000"):
        Grid(8, 50)
