"""Small strip sets of line games, and their cycles enumerated."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from workbench.game.definition import GameDefinition
from workbench.game.line_features import at_count
from workbench.reels.strip_set import StripSet, Weights

from .line_rule import line_award
from .spin import Screen, visible, window

Rng = random.Random

MOST_CYCLE = 2500


def line_strips(rng: Rng, game: GameDefinition) -> StripSet:
    """Strips of 3 to 7 stops with a cycle of at most ``MOST_CYCLE``, some with stop weights."""
    names = ["base"]
    if game.free_games and game.free_games.reels != "base":
        names.append(game.free_games.reels)
    reels = {
        name: tuple(_strip(rng, game, stops) for stops in _lengths(rng, game.reel_count)) for name in names
    }
    weights = {
        name: tuple(tuple(rng.randint(1, 6) for _ in strip) for strip in reels[name])
        for name in names
        if rng.random() < 0.4
    }
    wheels = {}
    for wheel in game.wheels:
        kept = rng.sample(wheel.values, rng.randint(1, len(wheel.values)))
        wheels[wheel.name] = Weights(wheel.name, tuple(kept), tuple(rng.randint(1, 5) for _ in kept))
    return StripSet(
        game=game.game,
        definition_sha256=game.sha256,
        name="small",
        reels=reels,
        position_reels={},
        wheels=wheels,
        stop_weights=weights,
    )


def _lengths(rng: Rng, reels: int) -> list[int]:
    lengths = [3] * reels
    for reel in range(reels):
        others = 1
        for r in range(reels):
            others *= lengths[r] if r != reel else 1
        lengths[reel] = rng.randint(3, max(3, min(7, MOST_CYCLE // others)))
    return lengths


def _strip(rng: Rng, game: GameDefinition, stops: int) -> tuple[str, ...]:
    """Regular symbols, often the Wild, seldom a special one; a stop repeats its neighbour one time in five."""
    pool = [*game.symbols.regular * 3, *game.symbols.special]
    if game.symbols.wild:
        pool += [game.symbols.wild] * rng.choice((0, 2, 4))
    strip: list[str] = []
    for _ in range(stops):
        strip.append(strip[-1] if strip and rng.random() < 0.2 else rng.choice(pool))
    return tuple(strip)


def weighted_screens(game: GameDefinition, strips: StripSet, name: str) -> Iterator[tuple[int, Screen]]:
    """Every screen of a reel set with its weight, the product of its stops' weights."""
    reels = strips.reels[name]
    weights = strips.weights_of(name) or tuple((1,) * len(strip) for strip in reels)
    per_reel = [
        [(weights[r][stop], window(strip, stop, game.grid.rows[r])) for stop in range(len(strip))]
        for r, strip in enumerate(reels)
    ]
    for stops in itertools.product(*per_reel):
        weight = 1
        for factor, _ in stops:
            weight *= factor
        yield weight, tuple(shown for _, shown in stops)


def expected_awards(game: GameDefinition, strips: StripSet) -> Fraction:
    """Free games that one free game awards on average, by enumeration; 0 without free games."""
    free = game.free_games
    if free is None:
        return Fraction(0)
    judged = cache(lambda line: line_award(game, line, free=True))
    by_line = free.lines.spins_in_free_games if free.lines else {}
    total = awarded = 0
    for weight, screen in weighted_screens(game, strips, free.reels):
        spins = 0
        if free.scatter:
            seen = visible(screen, free.scatter.symbol, free.scatter.reels)
            spins += at_count(free.scatter.spins_in_free_games, seen, free.scatter.beyond)
        for line in game.lines if by_line else ():
            won = judged(tuple(screen[reel][row] for reel, row in enumerate(line)))
            spins += by_line.get(won.name, {}).get(won.length, 0) if won else 0
        total += weight
        awarded += weight * spins
    return Fraction(awarded, total)
