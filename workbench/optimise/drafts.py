"""From a study's proposal to strips and wheels: what a trial's numbers mean."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import pairwise

from workbench.game.definition import GameDefinition
from workbench.optimise.arrange import lay
from workbench.optimise.study import Parameter, Values
from workbench.reels.strip_set import Reels, Stage, StripSet, Weights

CELL_TOTAL = 10_000
WEDGE = 300
MOST_STACK = 3
COUNTS = {"high": (2, 5), "medium": (4, 7), "low": (6, 9)}


def _tier_of(game: GameDefinition, symbol: str) -> str:
    tiers = [tier for tier, members in game.symbols.tiers.items() if symbol in members]
    return tiers[0] if tiers and tiers[0] in COUNTS else "medium"


def base_space(game: GameDefinition) -> list[Parameter]:
    """Counts of every regular symbol on the left and the right reels, Wilds per reel, Scatters, stacking."""
    space = []
    for symbol in game.symbols.regular:
        low, high = COUNTS[_tier_of(game, symbol)]
        space += [Parameter(f"{side}.{symbol}", low, high) for side in ("left", "right")]
    if game.symbols.wild:
        space += [Parameter(f"wild.{r}", 1, 3) for r in range(game.reel_count)]
    space += [Parameter(f"scatter.{r}", 1, 3) for r in _trigger_reels(game)]
    space.append(Parameter("stacked", 0.3, 0.95, whole=False))
    return space


def _trigger_reels(game: GameDefinition) -> tuple[int, ...]:
    feature = game.free_spins or game.hold_and_spin
    return feature.trigger.reels if feature else ()


def base_reels(game: GameDefinition, values: Values, rng: random.Random) -> Reels:
    """The base strips of a proposal; each reel varies its low symbols by one, so that no two reels are alike."""
    counted, spaced = [], []
    symbol = (game.free_spins or game.hold_and_spin).trigger.symbol if _trigger_reels(game) else ""  # type: ignore[union-attr]
    for r in range(game.reel_count):
        side = "left" if r < (game.reel_count + 1) // 2 else "right"
        counts = {s: int(values[f"{side}.{s}"]) for s in game.symbols.regular}
        for s in game.symbols.tiers.get("low", ()):
            counts[s] += rng.choice((-1, 0, 0, 1))
        if game.symbols.wild:
            counts[game.symbols.wild] = int(values[f"wild.{r}"])
        counted.append(counts)
        spaced.append({symbol: int(values[f"scatter.{r}"])} if r in _trigger_reels(game) else {})
    keep_tiers(game, counted)
    return tuple(
        lay(counts, apart, values["stacked"], MOST_STACK, rng)
        for counts, apart in zip(counted, spaced, strict=True)
    )


def keep_tiers(game: GameDefinition, counted: Sequence[dict[str, int]]) -> None:
    """Move single stops until a symbol of a rarer tier never stands more often on average than one of the next tier."""
    tiers = [symbols for tier in COUNTS if (symbols := game.symbols.tiers.get(tier))]

    def stands(symbol: str) -> int:
        return sum(counts.get(symbol, 0) for counts in counted)

    def mean(symbols: Sequence[str]) -> float:
        return sum(map(stands, symbols)) / len(symbols)

    # each move brings two means nearer by at least a stop, and there is at least one stop of each symbol left
    for _ in range(sum(sum(counts.values()) for counts in counted)):
        broken = [(one, other) for one, other in pairwise(tiers) if mean(one) > mean(other)]
        if not broken:
            return
        rarer, next_tier = broken[0]
        most, least = max(rarer, key=stands), min(next_tier, key=stands)
        reel = max(counted, key=lambda counts: counts.get(most, 0))
        reel[most] -= 1
        reel[least] = reel.get(least, 0) + 1


def free_space(game: GameDefinition) -> list[Parameter]:
    """Counts of every regular symbol, Wilds, Scatters, bonus symbols and Keys on the free strips; the wheels' shape."""
    space = []
    for symbol in game.symbols.regular:
        low, high = COUNTS[_tier_of(game, symbol)]
        space.append(Parameter(f"free.{symbol}", low + 1, high + 4))
    space += [
        Parameter("free.wild", 1, 4),
        Parameter("free.scatter", 1, 2),
        Parameter("free.bonus", 1, 4),
        Parameter("free.key", 1, 5),
        Parameter("free.stacked", 0.0, 0.8, whole=False),
        Parameter("spins.tilt", -0.25, 0.35, whole=False),
        Parameter("keys.none", 45, 90),
        Parameter("keys.two", 1, 20),
        Parameter("collectable.tilt", -0.2, 0.2, whole=False),
    ]
    return space


def free_reels_of(game: GameDefinition, values: Values, rng: random.Random) -> Reels:
    """The free strips of a proposal."""
    feature = game.free_spins
    assert feature is not None
    bonus = feature.meter.bonus
    counted, every = [], []
    for r in range(game.reel_count):
        counts = {s: int(values[f"free.{s}"]) + rng.choice((-1, 0, 1)) for s in game.symbols.regular}
        if game.symbols.wild:
            counts[game.symbols.wild] = int(values["free.wild"])
        spaced = {}
        if r in feature.retrigger.reels:
            spaced[feature.retrigger.symbol] = int(values["free.scatter"])
        if r in feature.key.reels:
            spaced[feature.key.symbol] = int(values["free.key"])
        if bonus and r in bonus.reels:
            spaced[bonus.symbol] = int(values["free.bonus"])
        counted.append(counts)
        every.append(spaced)
    keep_tiers(game, counted)
    return tuple(
        lay(counts, apart, values["free.stacked"], MOST_STACK, rng)
        for counts, apart in zip(counted, every, strict=True)
    )


def wheels_of(game: GameDefinition, values: Values) -> dict[str, Weights]:
    """The three wheels that begin free spins: a tilt along the spins, the Keys' weights, a tilt along the symbols."""
    feature = game.free_spins
    assert feature is not None
    names = feature.wheels
    keys = game.wheel(names.keys).values
    two = int(values["keys.two"])
    by_keys = [int(values["keys.none"]), 100 - int(values["keys.none"]) - two, two]
    if len(keys) != 3 or by_keys[1] < 1:
        by_keys = [max(1, 60 // (4**i)) for i in range(len(keys))]
    return {
        names.spins: _tilted(names.spins, game.wheel(names.spins).values, -values["spins.tilt"]),
        names.keys: Weights(f"wheels.{names.keys}", keys, tuple(w * 10 for w in by_keys)),
        names.collectable: _tilted(
            names.collectable, game.wheel(names.collectable).values, values["collectable.tilt"]
        ),
    }


def _tilted(name: str, values: Sequence[str], tilt: float) -> Weights:
    middle = (len(values) - 1) / 2
    weights = tuple(max(1, round(WEDGE * math.exp(tilt * (i - middle)))) for i in range(len(values)))
    return Weights(f"wheels.{name}", tuple(values), weights)


def position_stage(game: GameDefinition, collectable: int, key: int) -> tuple[Stage, ...]:
    """One stage of position reels: the same weight of collectables on every reel, Keys on the key reels."""
    feature = game.hold_and_spin
    assert feature is not None
    cells = []
    for r in range(game.reel_count):
        names, weights = [feature.held_symbol], [collectable]
        if r in feature.key.reels:
            names.append(feature.key.symbol)
            weights.append(key)
        names.append(feature.blank_symbol)
        weights.append(CELL_TOTAL - sum(weights))
        cells.append(Weights(f"position_reels.{feature.name}", tuple(names), tuple(weights)))
    return (Stage(1, tuple(cells)),)


def assemble(
    game: GameDefinition,
    name: str,
    base: Reels,
    free: Reels,
    stages: tuple[Stage, ...],
    wheels: dict[str, Weights],
) -> StripSet:
    """A strip set of the parts."""
    assert game.free_spins and game.hold_and_spin
    return StripSet(
        game=game.game,
        definition_sha256=game.sha256,
        name=name,
        reels={"base": base, game.free_spins.reels: free},
        position_reels={game.hold_and_spin.name: stages},
        wheels=wheels,
    )
