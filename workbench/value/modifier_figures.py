"""The figures of a round with modifiers as the contract names them: fractions, wins in total bets, plain JSON values.

Figures under ``modifier_sets`` are per start of the respins, all others per round. ``filled``, ``awards``, ``landed``
and ``per_round`` are laws and frequencies of the process that goes on beyond the win cap.
"""

from __future__ import annotations

import math
from typing import Any

from workbench.features.money_respins import RespinsValue
from workbench.value.figures import combinations, one_in
from workbench.value.heading import heading
from workbench.value.modifier_round import ModifierRound, parts_of
from workbench.value.spread import Spread, spread_figures

Figures = dict[str, Any]


def modifier_figures(value: ModifierRound, sha256: str | None = None, cap: bool = True) -> Figures:
    """All figures; ``sha256`` is that of the file the set was read from (None: of its canonical file).

    ``cap`` False leaves out ``estimates``, which take longer than all the rest.
    """
    game = value.game
    found: Figures = {
        **heading(game, value.strips, sha256),
        "rtp": value.rtp,
        "strategy": None,
        "components": value.components,
        "lines_rtp_exact": f"{value.lines.rtp.numerator}/{value.lines.rtp.denominator}",
        "cycle": value.lines.cycle,
        "hit_frequency": value.spins.hit_frequency,
        "hits": value.spins.hits,
        "combinations": combinations(game, value.lines),
        "features": _features(value),
        "colours": dict(value.law.colours),
        "modifier_sets": {m: _modifier_set(value, m) for m in value.law.sets},
        **_laws(value),
        **_spread(value),
        "top_prize": _top_prize(value),
    }
    if game.win_cap != "none":
        found["max_win"] = {"value": game.win_cap}
        if cap:
            from workbench.value.cap import cap_figures

            found["estimates"] = {"cap": cap_figures(value)}
    found["error_bound"] = value.error_bound
    return found


def _chance(value: ModifierRound, modifiers: str) -> float:
    return float(value.law.chance[value.law.sets.index(modifiers)])


def _features(value: ModifierRound) -> Figures:
    chance = float(value.law.chance.sum())
    name = value.feature.name
    won = math.fsum(part for source, part in value.components.items() if source.startswith(f"{name}."))
    return {
        name: {
            "probability": chance,
            "one_in": one_in(chance),
            "mean_win": won / chance if chance else 0.0,
            "played": value.mean_of(lambda r: r.respins) / chance if chance else 0.0,
        }
    }


def _modifier_set(value: ModifierRound, modifiers: str) -> Figures:
    respins, chance = value.respins[modifiers], _chance(value, modifiers)
    return {
        "probability": chance,
        "one_in": one_in(chance),
        "mean_win": respins.mean,
        "standard_deviation": math.sqrt(max(respins.variance, 0.0)),
        "full_grid": respins.full_grid,
        "parts": parts_of(respins),
        "respins": respins.respins,
        "cells_filled": _cells_filled(respins),
    }


def _cells_filled(respins: RespinsValue) -> float:
    return math.fsum(n * chance for n, chance in enumerate(respins.filled))


def _laws(value: ModifierRound) -> Figures:
    """Cells filled and jackpots by set, what lands, jackpots and respins a round."""
    sets = {m: value.respins[m] for m in value.law.sets}
    name = value.feature.name
    played = {f"played.{m}": _chance(value, m) * r.respins for m, r in sets.items()}
    landed = {m: {"money": _cells_filled(r), **r.orbs} for m, r in sets.items()}
    return {
        "filled": {m: {str(n): p for n, p in enumerate(r.filled)} for m, r in sets.items()},
        "awards": {
            m: {n: _chance(value, m) * a for n, a in r.awards.items()} for m, r in sets.items() if r.awards
        },
        "landed": {m: {n: _chance(value, m) * x for n, x in row.items()} for m, row in landed.items()},
        "jackpots": _jackpots(value),
        "per_round": {f"{name}.played": value.mean_of(lambda r: r.respins), **played},
    }


def _jackpots(value: ModifierRound) -> Figures:
    """How often each jackpot is awarded, per round."""
    rule = value.feature.jackpots
    if rule is None:
        return {}
    found = {}
    for name, prize in rule.prizes.items():
        rate = value.mean_of(lambda r, name=name: r.awards.get(name, 0.0))  # type: ignore[misc]
        found[name] = {"value": prize, "per_round": rate, "one_in": one_in(rate)}
    return found


def _spread(value: ModifierRound) -> Figures:
    long_run = None if value.long_run_variance is None else Spread(value.rtp, value.long_run_variance)
    return spread_figures(Spread(value.rtp, value.variance), long_run)


def _top_prize(value: ModifierRound) -> Figures:
    chance = value.full_grid
    return {"value": value.feature.full_grid.pays, "probability": chance, "one_in": one_in(chance)}
