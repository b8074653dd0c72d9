"""Choices that differ most against all choices; distances of sets by hand."""

import random
from itertools import combinations

import pytest

from tests.oracles.line_games import random_line_game
from workbench.optimise import diverse
from workbench.optimise.diverse import distances, farthest, greedy


def on_a_plane(rng, many):
    points = [(rng.randrange(40), rng.randrange(40)) for _ in range(many)]
    return [[abs(a - c) + abs(b - d) for c, d in points] for a, b in points]


def least(table, choice):
    return min((table[i][j] for i, j in combinations(choice, 2)), default=0)


def largest_least(table, k):
    """By taking places one after the other, a bound on the least distance lowered until ``k`` go together."""

    def go_together(bound, taken, first):
        if len(taken) == k:
            return True
        others = range(first, len(table))
        return any(
            all(table[i][j] >= bound for j in taken) and go_together(bound, [*taken, i], i + 1)
            for i in others
        )

    bounds = sorted({d for row in table for d in row}, reverse=True)
    return next(bound for bound in bounds if go_together(bound, [], 0))


@pytest.mark.parametrize("seed", range(12))
def test_the_least_distance_is_the_largest_there_is(seed):
    rng = random.Random(f"farthest {seed}")
    many = rng.randrange(3, 10)
    k = rng.randrange(2, many)
    table = on_a_plane(rng, many)
    chosen = farthest(table, k)
    assert len(set(chosen)) == k
    assert least(table, chosen) == largest_least(table, k)


@pytest.mark.parametrize("seed", range(8))
def test_one_after_the_other_gets_at_least_half_of_it(seed):
    table = on_a_plane(random.Random(f"greedy {seed}"), 9)
    chosen = greedy(table, 4)
    assert len(set(chosen)) == 4
    assert 2 * least(table, chosen) >= largest_least(table, 4)


def test_many_sets_are_chosen_one_after_the_other(monkeypatch):
    table = on_a_plane(random.Random("many"), 9)
    monkeypatch.setattr(diverse, "MOST_SUBSETS", 10)
    assert farthest(table, 4) == greedy(table, 4)


def test_fewer_than_asked_for_are_all_taken():
    assert farthest([[0, 3], [3, 0]], 5) == (0, 1)
    assert farthest([], 2) == ()


def test_distances_count_stops_up_to_rotation():
    _, strips = random_line_game(random.Random("distances"))
    reels = strips.reels["base"]
    turned = strips.with_reels("base", tuple((*strip[1:], strip[0]) for strip in reels))
    other = next(s for s in sorted({s for strip in reels for s in strip}) if s != reels[0][0])
    changed = strips.with_reels("base", ((other, *reels[0][1:]), *reels[1:]))
    found = distances([strips, turned, changed])
    assert [found[i][i] for i in range(3)] == [0, 0, 0]
    assert found[0][1] == found[1][0] == 0
    assert found[0][2] == found[2][0] == 1
