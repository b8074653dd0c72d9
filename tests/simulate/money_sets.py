"""Strip sets of Spellmaster for the tests of the simulator: a likely one and random ones where much happens."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from workbench.game import GameDefinition, find_game, load_definition
from workbench.game.features import ModifierTrigger, MoneyRespins
from workbench.reels.fit import check_fit
from workbench.reels.strip_set import Stage, StripSet, Weights


@functools.cache
def spellmaster() -> GameDefinition:
    return load_definition(find_game("spellmaster"))


def changed_respins(**settings: Any) -> GameDefinition:
    """The game with other settings of its respins; ``charge`` and ``multiply`` take tables of settings."""
    game = spellmaster()
    feature = game.only(MoneyRespins)
    assert feature
    for rule in ("charge", "multiply"):
        if rule in settings:
            settings[rule] = getattr(feature, rule).model_copy(update=settings[rule])
    new = feature.model_copy(update=settings)
    return game.model_copy(update={"features": tuple(new if f is feature else f for f in game.features)})


def with_levels(full: int) -> GameDefinition:
    """The game with stashes of levels."""
    game = spellmaster()
    features = tuple(
        f.model_copy(update={"stash_levels": full}) if isinstance(f, ModifierTrigger) else f
        for f in game.features
    )
    return game.model_copy(update={"features": features})


def _weights(table: dict[str, int]) -> Weights:
    return Weights("test", tuple(table), tuple(table.values()))


def _base(rng: np.random.Generator, length: int, orbs: int, wilds: int) -> tuple[tuple[str, ...], ...]:
    regular = spellmaster().symbols.regular
    reels = []
    for reel in range(5):
        special = ["Golden", "Red", "Blue"] * orbs + ["Wild"] * (wilds if reel else 0)
        strip = [*special, *rng.choice(regular, length - len(special))]
        reels.append(tuple(str(symbol) for symbol in rng.permutation(strip)))
    return tuple(reels)


def lively_set(seed: int, game: GameDefinition | None = None, often: float = 0.5, fill: int = 6) -> StripSet:
    """Short strips with many Orbs; respins follow a fraction ``often`` of spins and fill quickly with ``fill``."""
    game = game or spellmaster()
    rng = np.random.default_rng(seed)
    trigger, respins = game.only(ModifierTrigger), game.only(MoneyRespins)
    assert trigger and respins
    wheels: dict[str, Weights] = {}
    for wheel in game.wheels:
        own = [f".{s}" for s in trigger.modifier_sets] if wheel.name in respins.wheels_per_set else [""]
        for suffix in own:
            order = [str(v) for v in rng.permutation(wheel.values)]
            wheels[wheel.name + suffix] = _weights({v: int(rng.integers(1, 9)) for v in order})
    for colours in trigger.colour_sets:
        awards = trigger.awards(colours)
        table = {award: int(rng.integers(1, 20)) for award in awards[1:]}
        wheels[f"{trigger.wheel}.{colours}"] = _weights(
            {**table, "none": int(sum(table.values()) * (1 / often - 1)) + 1}
        )
    positions = {}
    for modifiers in trigger.modifier_sets:
        orbs = [trigger.colours[trigger.modifiers[m]] for m in modifiers.split("+")]
        stages = []
        for start in (0, 4, 9)[: int(rng.integers(1, 4))]:
            cell = {"Money": int(rng.integers(1, fill)), "Blank": int(rng.integers(40, 80))}
            cell |= {orb: int(rng.integers(1, 4)) for orb in orbs}
            stages.append(Stage(start, (_weights(cell),)))
        positions[f"{respins.name}.{modifiers}"] = tuple(stages)
    strips = StripSet(game.game, game.sha256, "test", {"base": _base(rng, 25, 2, 3)}, positions, wheels)
    check_fit(strips, game)
    return strips


@functools.cache
def likely_set() -> StripSet:
    """Strips of 50 stops; respins about as rare as the game's."""
    strips = lively_set(1, often=0.011, fill=4)
    rng = np.random.default_rng(4)
    return strips.with_reels("base", _base(rng, 50, 1, 2))
