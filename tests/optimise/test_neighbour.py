"""Neighbours of another RTP by the fewest weights, against all weights there are."""

import itertools

import pytest

from workbench.optimise.family import Walk, changes, family, ladder, ladder_markdown
from workbench.optimise.neighbour import nearest_by_weights
from workbench.optimise.target import parse_target
from workbench.reels.strip_set import StripSet, Weights

VALUES = {"money": ("1", "2", "5"), "rate": ("3", "4")}


def _set(money, rate=(50, 50)):
    wheels = {
        "money": Weights("wheels.money", VALUES["money"], money),
        "rate": Weights("wheels.rate", VALUES["rate"], rate),
    }
    return StripSet("toy", "", "toy-10", {"base": (("A", "B"),)}, {}, wheels)


def _mean(strips, wheel):
    found = strips.wheels[wheel]
    return sum(int(v) * w for v, w in found.items()) / found.total


def _gauge(strips):
    """The "rate" wheel moves a rate as well, so that no neighbour may touch it."""
    return {
        "rtp": _mean(strips, "money") / 10 + _mean(strips, "rate") / 100,
        "hit_frequency": 0.25,
        "features": {"bonus": {"probability": _mean(strips, "rate") / 100}},
    }


def _target(rtp, tolerance=1e-9, more=""):
    text = f'format = "workbench.target/1"\ngame = "toy"\nname = "toy-10"\n[[figures]]\nfigure = "rtp"\nvalue = {rtp}\ntolerance = {tolerance}\n{more}'
    return parse_target(text.encode(), "test")


def _fewest(start, rtp):
    """The least number of changed weights, by all weights of the same total."""
    best = None
    total = sum(start)
    for a, b in itertools.product(range(1, total), repeat=2):
        weights = (a, b, total - a - b)
        if weights[2] >= 1 and abs(_gauge(_set(weights))["rtp"] - rtp) <= 1e-9:
            count = sum(x != y for x, y in zip(weights, start, strict=True))
            best = count if best is None else min(best, count)
    return best


@pytest.mark.parametrize("weights", [(20, 12, 8), (25, 10, 5), (11, 9, 20)])
@pytest.mark.parametrize("steps", [-9, -2, -1, 1, 5, 11])
def test_no_neighbour_changes_fewer_weights(weights, steps):
    start = _set(weights)
    rtp = _gauge(start)["rtp"] + steps / 400
    found = nearest_by_weights(start, _target(rtp), _gauge)
    fewest = _fewest(weights, rtp)
    assert found is not None and fewest is not None
    assert abs(_gauge(found)["rtp"] - rtp) <= 1e-9
    assert found.wheels["rate"] == start.wheels["rate"]
    assert changes(start, found)["weights"] == fewest


def test_a_set_that_meets_its_target_stays():
    start = _set((20, 12, 8))
    assert nearest_by_weights(start, _target(_gauge(start)["rtp"]), _gauge) is start


def test_no_neighbour_where_weights_do_not_reach():
    assert nearest_by_weights(_set((20, 12, 8)), _target(3.0), _gauge) is None


def test_other_hard_figures_are_kept():
    start = _set((20, 12, 8))
    rtp = _gauge(start)["rtp"] + 4 / 400

    def gauge(strips):
        return {**_gauge(strips), "top_prize": {"probability": strips.wheels["money"].probability("5")}}

    more = '[[figures]]\nfigure = "top_prize.probability"\nleast = 0.2\nmost = 0.2\n'
    found = nearest_by_weights(start, _target(rtp, more=more), gauge)
    assert found is not None and found.wheels["money"].weights == (16, 16, 8)


def test_a_family_is_searched_outwards_from_its_first_set():
    target = _target(0.5)
    assert [t.name for t in family(target, ())] == ["toy-10"]
    assert [t.name for t in family(target, (0.96,))] == ["toy-10"]
    names = [t.name for t in family(target, (0.902, 0.92, 0.94, 0.96, 0.98), 0.98)]
    assert names == ["toy-98", "toy-96", "toy-94", "toy-92", "toy-90.2"]
    assert [t.name for t in family(target, (0.98, 0.9, 0.94))] == ["toy-94", "toy-90", "toy-98"]


def test_each_set_comes_from_the_nearest():
    targets = family(_target(0.5), (0.90, 0.92, 0.94, 0.96, 0.98))
    walk, sets = Walk(targets, None), {}
    came = {}
    for i, target in enumerate(targets):
        came[target.name] = walk.previous(target)
        sets[target.name] = _set((20 + i, 12, 8))
        walk.add(target, sets[target.name])
    assert came["toy-94"] is None
    assert came["toy-92"] is sets["toy-94"] and came["toy-90"] is sets["toy-92"]
    assert came["toy-96"] is sets["toy-94"] and came["toy-98"] is sets["toy-96"]
    assert Walk(targets[:1], _set((1, 1, 1))).previous(targets[0]) is None


def test_the_ladder_names_what_changes():
    low, high = _set((20, 12, 8)), _set((19, 12, 9))
    table = [
        (high, {"rtp": 0.3, "components": {"all": 0.3}}),
        (low, {"rtp": 0.2, "components": {"all": 0.2}}),
    ]
    rungs = ladder(table)
    assert [rung["rtp"] for rung in rungs] == [0.2, 0.3]
    assert rungs[0]["from_below"] is None and rungs[1]["from_below"]["weights"] == 2
    page = ladder_markdown("Toy", rungs)
    assert "wheels.money 1 20 to 19; wheels.money 5 8 to 9" in page
