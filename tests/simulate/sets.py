"""Strip sets the tests of the simulator play: a realistic one and random ones that break every rule."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from workbench.game import GameDefinition, find_game, load_definition
from workbench.reels.fit import check_fit
from workbench.reels.strip_set import Reels, Stage, StripSet, Weights

REGULAR = ("Lion", "Owl", "Turtle", "Koi", "Shell", "A", "K", "Q", "J")
BASE = (3, 4, 5, 6, 6, 7, 8, 9, 9)
FREE = (4, 5, 7, 8, 9, 10, 10, 11, 13)
WHEELS = ("free_spins.spins", "free_spins.collectable", "free_spins.keys")


@functools.cache
def codex() -> GameDefinition:
    return load_definition(find_game("codex-of-fortune"))


def changed(game: GameDefinition, feature: str, **settings: Any) -> GameDefinition:
    """The game with other settings of one feature."""
    features = tuple(f.model_copy(update=settings) if f.name == feature else f for f in game.features)
    return game.model_copy(update={"features": features})


def _spread(rng: np.random.Generator, fill: list[str], special: list[str]) -> tuple[str, ...]:
    """A shuffled strip of stacks of three, with the special symbols spread evenly."""
    stacks = [fill[i : i + 3] for i in range(0, len(fill), 3)]
    strip = [symbol for i in rng.permutation(len(stacks)) for symbol in stacks[i]]
    for i, symbol in enumerate(special):
        strip.insert(i * (len(fill) // len(special)) + i, symbol)
    return tuple(strip)


def _fill(counts: tuple[int, ...], wilds: int, length: int) -> list[str]:
    fill = [s for s, n in zip(REGULAR, counts, strict=True) for _ in range(n)] + ["Wild"] * wilds
    return (fill + ["J", "Q", "K", "A"] * length)[:length]


@functools.cache
def realistic() -> StripSet:
    """5 x 60 base stops and 5 x 80 free stops, Scatters on reels 1, 3, 5, features about as rare as the game's."""
    rng = np.random.default_rng(20)
    base, free = [], []
    for reel in range(5):
        scatters = ["Scatter"] * (2 if reel in (0, 2, 4) else 0)
        extra = {1: ["+10"], 4: ["Key"] * 3}.get(reel, [])
        base.append(
            _spread(rng, _fill(BASE, 3, 60 - len(scatters)), scatters)
            if scatters
            else _spread(rng, _fill(BASE, 3, 59), ["A"])
        )
        special = [*extra, *(["Scatter"] if reel in (0, 2, 4) else [])]
        free.append(
            _spread(rng, _fill(FREE, 3, 80 - len(special)), special or [])
            if special
            else _spread(rng, _fill(FREE, 3, 79), ["K"])
        )
    plain, last = {"Collectable": 7, "Blank": 93}, {"Collectable": 7, "Key": 4, "Blank": 89}
    wheels = {
        "free_spins.spins": dict(
            zip(["7", "8", "9", "10", "11", "12", "13"], (6, 5, 4, 3, 2, 1, 1), strict=True)
        ),
        "free_spins.collectable": dict(zip(REGULAR[2:], (1, 2, 3, 4, 5, 6, 7), strict=True)),
        "free_spins.keys": {"0": 5, "1": 3, "2": 1},
    }
    return _set(tuple(base), {"free": tuple(free)}, [[plain] * 4 + [last]], wheels)


def _set(base: Reels, others: dict[str, Reels], stages: list[list[dict[str, int]]], wheels: Any) -> StripSet:
    def weights(table: dict[str, int]) -> Weights:
        return Weights("test", tuple(table), tuple(table.values()))

    strips = StripSet(
        game="codex-of-fortune",
        definition_sha256=codex().sha256,
        name="test",
        reels={"base": base, **others},
        position_reels={
            "re_spins": tuple(Stage(i + 1, tuple(map(weights, cells))) for i, cells in enumerate(stages))
        },
        wheels={name: weights(wheel) for name, wheel in wheels.items()},
    )
    check_fit(strips, codex())
    return strips


def _random_reels(rng: np.random.Generator, symbols: list[str], likely: list[str]) -> Reels:
    """Strips of 1 to 60 stops with stacks, Scatters and Keys anywhere, and many of the likely symbols."""
    reels = []
    for _ in range(5):
        pool = likely * int(rng.integers(0, 4)) + symbols
        picks = rng.choice(pool, int(rng.integers(1, 25)))
        reels.append(tuple(str(s) for s in np.repeat(picks, rng.integers(1, 4, len(picks)))[:60]))
    return tuple(reels)


def _calmed(reels: Reels) -> Reels:
    """Free reels on which a spin adds at most 0.8 spins on average: Scatters beyond that become Jacks."""
    limit = 0.8 / 3 / 4
    kept = []
    for strip in reels:
        allowed = int(limit * len(strip))
        calm = []
        for symbol in strip:
            calm.append("J" if symbol == "Scatter" and calm.count("Scatter") >= allowed else symbol)
        kept.append(tuple(calm))
    return tuple(kept)


def wild_set(seed: int, base: tuple[str, ...] = ()) -> StripSet:
    """A random set that breaks the strip rules: any symbol anywhere, stacked; several stages and free strips.

    ``base`` are the symbols of the base reels, by default all.
    """
    rng = np.random.default_rng(seed)
    symbols = list(codex().symbols.all)
    reels = {"free": _calmed(_random_reels(rng, symbols, []))}
    for symbol in rng.choice(REGULAR[2:], 2, replace=False):
        reels[f"free.{symbol}"] = _calmed(_random_reels(rng, symbols, ["Wild"]))
    reels["re_spins"] = _random_reels(
        rng, ["Collectable", "Blank", "Blank", "Blank", "Key", "Lion"], ["Blank"]
    )
    stages = []
    for _ in range(int(rng.integers(1, 4))):
        cells = [
            {"Collectable": int(rng.integers(1, 9)), "Blank": int(rng.integers(1, 30))} for _ in range(5)
        ]
        cells[4]["Key"] = int(rng.integers(1, 20))
        stages.append(cells)
    wheels = {}
    for name in WHEELS:
        values = codex().wheel(name).values
        kept = [v for v in values if rng.random() < 0.7] or [values[0]]
        order = rng.permutation(len(kept))
        wheels[name] = {kept[i]: int(rng.integers(1, 9)) for i in order}
    likely = list(base) or ["Wild", "Scatter", "Lion"]
    return _set(_random_reels(rng, list(base) or symbols, likely), reels, stages, wheels)
