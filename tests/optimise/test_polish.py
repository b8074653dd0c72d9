"""Polish meets figures it knows nothing of, on wheels it may change, and leaves the rest alone."""

import numpy as np
import pytest

from workbench.optimise.polish import changes, polish, slopes
from workbench.reels.strip_set import StripSet, Weights

PRIZES = {"a": (1.0317, 3.1173, 7.2911, 20.4477, 55.7139), "b": (0.2113, 0.5279, 0.9473, 2.5171, 4.0937)}


def _strips():
    wheels = {n: Weights(n, ("1", "2", "3", "4", "5"), (200,) * 5) for n in PRIZES}
    return StripSet("g", "", "n", {}, {}, wheels)


def _figures(strips):
    a, b = (np.dot(strips.wheels[n].weights, PRIZES[n]) / strips.wheels[n].total for n in ("a", "b"))
    return np.array([a * b / 40, a / 17 + b / 2])


def test_two_figures_to_a_millionth():
    wanted = np.array([0.7, 2.0])
    found = polish(_strips(), ("a", "b"), _figures, wanted, np.array([1e-6, 1e-6]))
    assert np.abs(_figures(found) - wanted).max() <= 1e-6
    assert all(found.wheels[n].total == 1000 for n in PRIZES)


def test_slopes_are_those_of_a_linear_figure():
    strips = _strips()
    found = slopes(strips, "a", lambda s: _figures(s)[1:])
    mean = np.mean(PRIZES["a"])
    assert found[:, 0] == pytest.approx((np.array(PRIZES["a"]) - mean) / 17 / 1000, rel=1e-9)


def test_changes_keep_the_total_and_every_weight():
    found = changes((2, 50, 50), 1)
    assert (found.sum(axis=1) == 0).all()
    assert (found + np.array([2, 50, 50]) >= 1).all()
    assert len({tuple(row) for row in found}) == len(found) > 10
