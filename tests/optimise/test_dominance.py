"""Fronts against comparing all with all; a spread that keeps the best by each cost."""

import random

import pytest

from workbench.optimise import dominance
from workbench.optimise.dominance import Archive, dominates, front_of, spread


def random_costs(rng, many, levels):
    return [tuple(float(rng.randrange(levels)) for _ in range(4)) for _ in range(many)]


def compared(costs):
    """Places of the tuples that no other beats everywhere or equals earlier; straight from the definition."""
    kept = []
    for i, one in enumerate(costs):
        beaten = False
        for j, other in enumerate(costs):
            no_worse = sum(b <= a for a, b in zip(one, other, strict=True)) == len(one)
            better = sum(b < a for a, b in zip(one, other, strict=True)) > 0
            beaten |= no_worse and (better or (other == one and j < i))
        if not beaten:
            kept.append(i)
    return kept


@pytest.mark.parametrize("seed", range(40))
def test_filter_and_archive_keep_what_comparing_all_keeps(seed):
    rng = random.Random(f"front {seed}")
    costs = random_costs(rng, rng.randrange(80), rng.choice((2, 4, 20)))
    wanted = compared(costs)
    assert front_of(costs) == wanted
    archive = Archive()
    for i, one in enumerate(costs):
        takes = archive.takes(one)
        assert archive.offer(one, i) == takes
    assert sorted(archive.items) == wanted
    assert archive.costs == [costs[i] for i in archive.items]


def test_a_tuple_does_not_dominate_itself():
    assert not dominates((1.0, 2.0), (1.0, 2.0))
    assert dominates((1.0, 2.0), (1.0, 2.5))
    assert not dominates((1.0, 2.5), (2.0, 2.0))


def test_what_is_dropped_is_gone():
    archive = Archive()
    for i, one in enumerate([(1.0, 2.0), (2.0, 1.0)]):
        archive.offer(one, i)
    archive.drop(archive.items[0])
    assert (archive.costs, archive.items) == ([(2.0, 1.0)], [1])


@pytest.mark.parametrize("most", [1, 2, 4, 9, 30])
def test_a_spread_has_the_best_by_each_cost_and_those_at_zero_first(most):
    rng = random.Random(f"spread {most}")
    costs = [(rng.choice((0.0, 0.0, 0.5)), rng.random(), rng.random()) for _ in range(30)]
    chosen = spread(costs, most, 0)
    at_zero = [i for i, one in enumerate(costs) if one[0] == 0.0]
    assert len(chosen) == len(set(chosen)) == most and chosen == sorted(chosen)
    assert sum(costs[i][0] == 0.0 for i in chosen) == min(most, len(at_zero))
    if most >= 4:
        for k in (1, 2):
            assert min(at_zero, key=lambda i, k=k: costs[i][k]) in chosen


def test_the_next_of_a_spread_is_the_farthest():
    costs = [(0.0, 10.0), (0.5, 9.5), (4.0, 6.0), (9.0, 1.0), (10.0, 0.0)]
    assert spread(costs, 3) == [0, 2, 4]


def test_an_archive_is_bounded(monkeypatch):
    monkeypatch.setattr(dominance, "MOST_KEPT", 20)
    monkeypatch.setattr(dominance, "THINNED", 10)
    archive = Archive(at_zero=0)
    for i in range(200):
        archive.offer((0.0, float(i), float(-i)), i)
    assert 10 <= len(archive.items) <= 20
    assert {0, 199} <= set(archive.items)
