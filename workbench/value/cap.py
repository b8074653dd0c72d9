"""What the cut at the win cap takes from a round, printed apart: an estimate with its interval, never mixed into figures.

``rtp`` is E[(W - K)+] a round, ``standard_deviation`` how much lower the standard deviation is with the cut, ``interval_99``
holds the first, ``at_most`` is its upper end; ``bound`` bounds it where every modifier set has a rigorous bound. The plays are drawn from a fixed
seed, so the same strip set has the same figures anywhere.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from workbench.features.money_cap import CapCut, cut_bound, cut_estimate
from workbench.features.money_chain import money_chain, money_wheels
from workbench.value.modifier_round import ModifierRound

PLAYS = 40_000
SEED = 20_261_130


def cap_figures(value: ModifierRound, plays: int = PLAYS, seed: int = SEED) -> dict[str, Any]:
    """``estimates.cap`` of a game with a win cap."""
    cuts = _cuts(value, plays, seed)
    chance = value.law.chance
    rtp, low, high = (float(chance @ np.array([c.mean[i] for c in cuts])) for i in range(3))
    square = float(chance @ np.array([c.square[0] for c in cuts]))
    deviation = math.sqrt(value.variance)
    # var' = E[W^2] - square - (E[W] - rtp)^2
    with_cut = math.sqrt(max(value.variance - square + 2 * rtp * value.rtp - rtp**2, 0.0))
    found: dict[str, Any] = {"rtp": rtp, "standard_deviation": deviation - with_cut, "at_most": high}
    drawn = sum(c.plays for c in cuts)
    if drawn:
        return {**found, "interval_99": [low, high], "plays": drawn, "seed": seed}
    return {**found, "bound": high}


def _cuts(value: ModifierRound, plays: int, seed: int) -> list[CapCut]:
    game, cap = value.game, value.game.win_cap
    assert cap != "none"
    most_lines = len(game.lines) * max(max(p.values()) for p in game.paytable.values()) / game.bet.coins
    streams = np.random.SeedSequence(seed).spawn(len(value.law.sets))
    found = []
    for modifiers, stream in zip(value.law.sets, streams, strict=True):
        chain = money_chain(game, value.strips, modifiers)
        wheels = money_wheels(game, value.strips, modifiers)
        bound = cut_bound(chain, wheels, cap, most_lines)
        if bound is None:
            second = value.respins[modifiers].second_moment
            rng = np.random.default_rng(stream)
            bound = cut_estimate(chain, wheels, cap, most_lines, second, plays, rng)
        found.append(bound)
    return found
