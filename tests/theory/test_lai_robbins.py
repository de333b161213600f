"""The constant of Lai and Robbins."""

import math

import pytest

from epochbandits.theory.lai_robbins import lai_robbins


def test_two_arms_by_hand():
    kl = 0.25 * math.log(0.25 / 0.5) + 0.75 * math.log(0.75 / 0.5)
    assert lai_robbins([0.5, 0.25]) == pytest.approx(0.25 / kl)


def test_arms_add_up_and_the_best_ones_count_nothing():
    assert lai_robbins([0.5, 0.25, 0.5, 0.25]) == pytest.approx(2 * lai_robbins([0.5, 0.25]))
    assert lai_robbins([0.5, 0.5]) == 0


def test_close_arms_need_two_variances_over_the_gap():
    """kl(p, p + Δ) tends to Δ²/(2p(1-p))."""
    assert lai_robbins([0.3, 0.2999]) == pytest.approx(2 * 0.3 * 0.7 / 1e-4, rel=1e-3)
