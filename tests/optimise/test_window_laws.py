"""Window laws and placements against every strip there is."""

import itertools
import random

import numpy as np
import pytest

from workbench.optimise.placement import Place, Wish, place
from workbench.optimise.window_laws import window_laws


def law_of(strip, rows):
    shown = [sum(strip[(i + k) % len(strip)] for k in range(rows)) for i in range(len(strip))]
    return tuple(shown.count(k) for k in range(rows + 1))


def has_gap(strip, rows):
    """Whether rows - 1 empty stops follow each other somewhere."""
    stops = len(strip)
    return any(not any(strip[(i + k) % stops] for k in range(rows - 1)) for i in range(stops))


@pytest.mark.parametrize(("stops", "rows"), [(7, 1), (9, 2), (11, 3), (10, 4)])
def test_every_law_there_is(stops, rows):
    strips = itertools.product((0, 1), repeat=stops)
    every = {law_of(strip, rows) for strip in strips if has_gap(strip, rows)}
    for most in range(1, rows + 1):
        expected = {law[: most + 1] for law in every if not any(law[most + 1 :])}
        assert set(map(tuple, window_laws(stops, rows, most).windows.tolist())) == expected


@pytest.mark.parametrize(("stops", "rows", "most"), [(12, 3, 3), (30, 3, 2), (21, 4, 4), (9, 1, 1)])
def test_a_strip_has_its_law(stops, rows, most):
    rng = random.Random(5)
    table = window_laws(stops, rows, most)
    for law in rng.sample(range(len(table.windows)), min(30, len(table.windows))):
        found = law_of([int(held) for held in table.strip(law, rng)], rows)
        assert found[: most + 1] == tuple(table.windows[law].tolist())


def chance_in_sight(strips, rows, number):
    law = np.ones(1)
    for strip in strips:
        law = np.convolve(law, np.array(law_of(strip, rows)) / len(strip))
    return law[number]


@pytest.mark.parametrize("most", [2, 3, None])
def test_the_placement_is_the_best_there_is(most):
    stops, rows, number = 6, 2, 2
    wish = Wish(tuple(float(k == number) for k in range(5)), 0.2137, 0.2137, 1.0)
    found = place([Place(r, stops, rows) for r in range(2)], [wish], most, random.Random(1))
    strips = [s for s in itertools.product((0, 1), repeat=stops) if has_gap(s, rows)]
    fullest = [max(k for k, n in enumerate(law_of(s, rows)) if n) for s in strips]
    least = min(
        abs(chance_in_sight((a, b), rows, number) - 0.2137)
        for (a, x), (b, y) in itertools.product(zip(strips, fullest, strict=True), repeat=2)
        if most is None or x + y <= most
    )
    assert found.miss == pytest.approx(least, abs=1e-12)
    rng = random.Random(2)
    held = [[int(h) for h in found.strip(r, rng)] if r in found.laws else [0] * stops for r in range(2)]
    assert abs(chance_in_sight(held, rows, number) - 0.2137) == pytest.approx(least, abs=1e-12)
