"""Colours and line wins of a spin against full enumeration of the cycle, in integers."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest

from tests.oracles.lines import line_award
from workbench.exact.colours import colour_law, count_law
from workbench.exact.weighted_lines import weighted_lines
from workbench.game import GameDefinition, find_game, load_definition

MARKS = (("blue", "Blue"), ("golden", "Golden"), ("red", "Red"))


def enumerate_spins(game: GameDefinition, reels: Sequence[Sequence[str]], marks: Sequence[tuple[str, str]]):
    """(numbers of marks in sight) -> [spins, sum of coins, sum of squared coins], by showing every stop combination."""

    @cache
    def coins(cells: tuple[str, ...]) -> int:
        return line_award(game, cells).coins

    found: dict[tuple[int, ...], list[int]] = defaultdict(lambda: [0, 0, 0])
    rows = game.grid.rows
    for stops in itertools.product(*(range(len(strip)) for strip in reels)):
        window = [
            [strip[(stop + row) % len(strip)] for row in range(rows[r])]
            for r, (strip, stop) in enumerate(zip(reels, stops, strict=True))
        ]
        win = sum(coins(tuple(window[r][row] for r, row in enumerate(line))) for line in game.lines)
        numbers = tuple(sum(column.count(symbol) for column in window) for _, symbol in marks)
        entry = found[numbers]
        entry[0] += 1
        entry[1] += win
        entry[2] += win * win
    return found


def random_strips(symbols: Sequence[str], lengths: Sequence[int], seed: int) -> list[list[str]]:
    rng = random.Random(seed)
    return [[rng.choice(symbols) for _ in range(length)] for length in lengths]


@pytest.fixture(scope="module")
def game() -> GameDefinition:
    return load_definition(find_game("spellmaster"))


@pytest.mark.parametrize("seed", [1, 2])
def test_colours_against_the_whole_cycle(game: GameDefinition, seed: int) -> None:
    """Wilds anywhere, on reel 1 too: a set that breaks the strip rules is evaluated all the same."""
    symbols = ("Owl", "Book", "A", "A", "Wild", "Blue", "Golden", "Red")
    reels = random_strips(symbols, (5, 4, 5, 4, 3), seed)
    found = enumerate_spins(game, reels, MARKS)
    law = colour_law(game, reels, MARKS)
    cycle = 5 * 4 * 5 * 4 * 3
    for bits in range(8):
        exact = [
            sum(
                e[i] for n, e in found.items() if all((k > 0) == bool(bits >> j & 1) for j, k in enumerate(n))
            )
            for i in range(3)
        ]
        assert round(law.chance[bits] * cycle) == exact[0]
        assert law.chance[bits] * cycle == pytest.approx(exact[0], abs=1e-9)
        assert law.win[bits] * cycle * 50 == pytest.approx(exact[1], abs=1e-6)
        assert law.square[bits] * cycle * 2500 == pytest.approx(exact[2], abs=1e-4)


def test_counts_against_the_whole_cycle(game: GameDefinition) -> None:
    reels = random_strips(("Owl", "A", "A", "Wild", "Blue", "Red"), (5, 4, 5, 3, 3), 5)
    marks = (("blue", "Blue"), ("red", "Red"))
    found = enumerate_spins(game, reels, marks)
    chance, win, square = count_law(game, reels, marks)
    cycle = 5 * 4 * 5 * 3 * 3
    for numbers in np.ndindex(*chance.shape):
        exact = found.get(numbers, [0, 0, 0])
        assert chance[numbers] * cycle == pytest.approx(exact[0], abs=1e-9)
        assert win[numbers] * cycle * 50 == pytest.approx(exact[1], abs=1e-6)
        assert square[numbers] * cycle * 2500 == pytest.approx(exact[2], abs=1e-4)


def test_moments_of_a_game_whose_wilds_lead() -> None:
    """Codex: Wilds on every reel with a pay of their own and as the best symbol; counts below 2^53 come out exact."""
    game = load_definition(find_game("codex-of-fortune"))
    reels = random_strips(("Lion", "Owl", "J", "Wild", "Wild", "Scatter"), (5, 4, 5, 3, 3), 3)
    found = enumerate_spins(game, reels, ())[()]
    moments = weighted_lines(game, reels, [np.ones((len(strip), 1)) for strip in reels])
    assert [moments.total[0], moments.mean[0], moments.second[0]] == found
