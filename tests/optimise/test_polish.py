"""Polish meets figures it knows nothing of, on wheels it may change, and leaves the rest alone."""

import numpy as np
import pytest

from workbench.optimise.polish import changes, least, polish, slopes
from workbench.reels.strip_set import StripSet, Weights

PRIZES = {"a": (1.0317, 3.1173, 7.2911, 20.4477, 55.7139), "b": (0.2113, 0.5279, 0.9473, 2.5171, 4.0937)}


def _strips(a=(200,) * 5, b=(200,) * 5):
    wheels = {n: Weights(n, ("1", "2", "3", "4", "5"), w) for n, w in zip("ab", (a, b), strict=True)}
    return StripSet("g", "", "n", {}, {}, wheels)


def _figures(strips):
    a, b = (np.dot(strips.wheels[n].weights, PRIZES[n]) / strips.wheels[n].total for n in ("a", "b"))
    return np.array([a * b / 40, a / 17 + b / 2])


@pytest.mark.parametrize("wanted", [(0.7, 2.0), (0.71, 1.9), (0.5, 1.6), (0.8, 2.1)])
@pytest.mark.parametrize("start", [_strips(), _strips((50, 400, 300, 200, 50), (40, 60, 100, 400, 400))])
def test_two_figures_to_a_millionth(start, wanted):
    found = polish(start, ("a", "b"), _figures, np.array(wanted), np.array([1e-6, 1e-6]))
    assert np.abs(_figures(found) - wanted).max() <= 1e-6
    assert all(found.wheels[n].total == 1000 for n in PRIZES)
    assert min(w for n in PRIZES for w in found.wheels[n].weights) >= 1


def test_out_of_reach_gives_the_nearest_found():
    found = polish(_strips(), ("a", "b"), _figures, np.array([100.0, 2.0]), np.array([1e-6, 1e-6]))
    assert _figures(found)[0] > _figures(_strips())[0]
    assert min(w for n in PRIZES for w in found.wheels[n].weights) >= 1


def test_slopes_are_those_of_a_linear_figure():
    strips = _strips((200, 201, 199, 200, 200))
    found = slopes(strips, "a", lambda s: _figures(s)[1:])
    assert found[:, 0] == pytest.approx((np.array(PRIZES["a"]) - PRIZES["a"][1]) / 17 / 1000, rel=1e-9)


@pytest.mark.parametrize("weights", [(2, 50, 50), (1, 2), (1, 3, 900, 40, 7)])
def test_changes_keep_the_total_and_every_weight(weights):
    found = changes(weights)
    assert (found.sum(axis=1) == 0).all()
    assert (found + np.array(weights) >= 1).all()
    assert len({tuple(row) for row in found}) == len(found) > 1


def test_least_first():
    found = least(np.array([[0, 0], [1, -1], [2, -2]]), np.array([3.0, 1.0, 2.0]), 2)
    assert found.tolist() == [[1, -1], [2, -2]]
