"""Strip sets of Spellmaster to test on: made by hand, small, nothing tuned."""

from __future__ import annotations

import random

from workbench.game.definition import GameDefinition
from workbench.game.features import ModifierTrigger
from workbench.reels.strip_set import Stage, StripSet, Weights

VALUES = ("0.3", "0.6", "0.9", "1.2", "1.8", "2.4", "3", "4", "5", "6", "12.5", "25")
PAYING = ("Owl", "Book", "Wand", "Staff", "A", "K", "Q", "10", "9")


def weights(name: str, values: tuple[str, ...], numbers: tuple[int, ...]) -> Weights:
    return Weights(name, values, numbers)


def strip(rng: random.Random, length: int, wild: bool, orbs: tuple[str, ...]) -> tuple[str, ...]:
    """A shuffled strip with a Wild or two and Orbs at least three stops apart."""
    stops = [rng.choice(PAYING) for _ in range(length)]
    for i, orb in enumerate(orbs):
        stops[(i * length) // max(1, len(orbs))] = orb
    if wild:
        stops[1] = stops[2] = "Wild"
    return tuple(stops)


def stages(modifiers: str, respins_at: tuple[tuple[int, int, int, int], ...]) -> tuple[Stage, ...]:
    """One stage for each (from, blank, money, each Orb)."""
    orbs = {"charge": "Blue", "jackpots": "Golden", "multiply": "Red"}
    found = []
    for start, blank, money, orb in respins_at:
        values = ("Blank", "Money", *(orbs[m] for m in modifiers.split("+")))
        numbers = (blank, money, *([orb] * len(modifiers.split("+"))))
        found.append(Stage(start, (Weights(modifiers, values, numbers),)))
    return tuple(found)


def spellmaster_set(game: GameDefinition, seed: int = 1) -> StripSet:
    """Every modifier set occurs; full grids are frequent enough to be seen."""
    rng = random.Random(seed)
    trigger = game.only(ModifierTrigger)
    assert trigger is not None
    reels = tuple(strip(rng, 24 + r, r > 0, ("Blue", "Golden", "Red")) for r in range(5))
    tables = {
        f"trigger.{colours}": weights(
            colours, trigger.awards(colours), (20, *range(1, len(trigger.awards(colours))))
        )
        for colours in trigger.colour_sets
    }
    small = ((0, 84, 12, 2), (5, 80, 16, 1), (10, 70, 29, 1))
    large = ((0, 92, 6, 1), (8, 88, 11, 1), (20, 70, 29, 1))
    return StripSet(
        game=game.game,
        definition_sha256=game.sha256,
        name="by-hand",
        reels={"base": reels},
        position_reels={
            f"respins.{m}": stages(m, large if "jackpots" in m else small) for m in trigger.modifier_sets
        },
        wheels={
            "money": weights("money", VALUES, (300, 250, 150, 100, 60, 40, 30, 20, 15, 10, 3, 1)),
            "charge": weights("charge", VALUES, (300, 250, 150, 100, 60, 40, 30, 20, 15, 10, 3, 1)),
            "multiplier": weights("multiplier", ("2", "3", "4", "5", "10"), (60, 20, 10, 5, 1)),
            "multiplied_symbols": weights(
                "multiplied_symbols", tuple(str(k) for k in range(1, 11)), (30, 20, 12, 8, 5, 4, 3, 2, 1, 1)
            ),
            "jackpot": weights("jackpot", ("Mini", "Minor", "Major", "Mega", "Grand"), (60, 30, 10, 3, 2)),
            **tables,
        },
    )
