"""What a round of a game with modifiers and Money respins is worth: components that sum to the whole.

A spin pays its lines, W, and may award a modifier set M; the respins under M pay R, or fill the grid, F, which pays
V in place of all else in the round. Given M, the respins don't depend on the lines, so with f_M = P(F | M)

    E[round]   = E[W] + sum over M of ( P(M) E[R; not F | M] - E[W; M] f_M + V P(M) f_M ),
    E[round^2] = E[W^2] + sum over M of ( 2 E[W; M] E[R; not F | M] + P(M) E[R^2; not F | M]
                                          - E[W^2; M] f_M + V^2 P(M) f_M ).

Nothing is cut at the win cap here; :mod:`workbench.value.cap` says what the cut takes.

An :class:`Evaluator` keeps each part with what it depends on: a wheel of the respins moves no line, a trigger wheel no
respins, and each modifier set has its own position reels.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.exact.line_hits import LineHits, line_hits
from workbench.exact.spin import SpinCounts, count_spins, spin_model
from workbench.features.modifier_law import ModifierLaw, Seen, modifier_law, orbs_seen
from workbench.features.money_chain import money_chain
from workbench.features.money_respins import RespinsValue, respins_value
from workbench.game.definition import GameDefinition
from workbench.game.features import ModifierTrigger, MoneyRespins
from workbench.reels.strip_set import Reels, StripSet
from workbench.value.kept_parts import KeptParts

PARTS = ("money", "charge", "multiply", "jackpots", "full_grid")
# Line figures are sums of positive terms of total size below 10, each of fewer than 100 factors rounded to 2^-53.
LINE_ROUNDING = 1e-13

Real = NDArray[np.float64]


@dataclass(frozen=True)
class ModifierRound:
    """One strip set's exact worth, a round, in total bets."""

    game: GameDefinition
    strips: StripSet
    lines: LineHits
    spins: SpinCounts
    law: ModifierLaw
    respins: Mapping[str, RespinsValue]

    def _each(self, of: Callable[[RespinsValue], float]) -> Real:
        return np.array([of(self.respins[m]) for m in self.law.sets])

    @cached_property
    def full(self) -> Real:
        """P(full grid) of the respins under each set."""
        return self._each(lambda r: r.full_grid)

    @cached_property
    def components(self) -> dict[str, float]:
        """The RTP by source; line wins that a full grid replaces are not among the lines."""
        law, name = self.law, self.feature.name
        chance = law.chance
        found = {"lines": float(self.lines.rtp) - float(law.win @ self.full)}
        for part in PARTS:
            found[f"{name}.{part}"] = float(
                chance @ np.array([parts_of(self.respins[m])[part] for m in law.sets])
            )
        return found

    @property
    def rtp(self) -> float:
        """Expected win of a round, without the cut at the cap."""
        return math.fsum(self.components.values())

    @cached_property
    def variance(self) -> float:
        """Variance of one round's win."""
        law, pays = self.law, self.feature.full_grid.pays
        second = (
            law.base_square
            + 2 * law.win @ self._each(lambda r: r.partial_mean)
            + law.chance @ self._each(lambda r: r.second_moment)
            - law.square @ self.full
            + pays**2 * (law.chance @ self.full)
        )
        return float(second) - self.rtp**2

    @cached_property
    def long_run_variance(self) -> float | None:
        """Variance a round in the long run; None where rounds are independent."""
        if self.law.levels is None:
            return None
        return self.law.levels.long_run_variance(self._each(lambda r: r.mean), self.full, self.variance)

    @property
    def full_grid(self) -> float:
        """P(full grid) a round."""
        return float(self.law.chance @ self.full)

    @property
    def error_bound(self) -> float:
        """Bound on |printed - true| of RTP, components and probabilities."""
        return LINE_ROUNDING + float(self.law.chance @ self._each(lambda r: r.error_bound))

    def mean_of(self, of: Callable[[RespinsValue], float]) -> float:
        """A figure of the respins, per round: over all modifier sets."""
        return float(self.law.chance @ self._each(of))

    @property
    def feature(self) -> MoneyRespins:
        """The game's Money respins."""
        feature = self.game.only(MoneyRespins)
        assert feature is not None
        return feature


def parts_of(respins: RespinsValue) -> dict[str, float]:
    """The mean win of the respins by source, the full grid among them."""
    parts = {part: float(getattr(respins, part)) for part in PARTS[:-1]}
    return {**parts, "full_grid": respins.full_grid * respins.full_grid_pays}


class Evaluator:
    """Evaluates strip sets of one game, keeping the parts that a change leaves alone."""

    def __init__(self, game: GameDefinition) -> None:
        self.game = game
        self._kept = KeptParts()

    def __call__(self, strips: StripSet) -> ModifierRound:
        """The exact worth of a strip set that fits the game."""
        trigger, feature = self.game.only(ModifierTrigger), self.game.only(MoneyRespins)
        assert trigger is not None and feature is not None
        base = strips.reels["base"]
        triggers = tuple(w for n, w in sorted(strips.wheels.items()) if n.startswith(f"{trigger.wheel}."))
        return ModifierRound(
            game=self.game,
            strips=strips,
            lines=self._kept.part(("lines", base), lambda: line_hits(self.game, base)),
            spins=self._kept.part(("spins", base), lambda: _spins(self.game, base)),
            law=self._kept.part(
                ("law", base, triggers), lambda: modifier_law(self.game, strips, self.seen(base))
            ),
            respins={m: self._respins(strips, feature, m) for m in trigger.modifier_sets},
        )

    def seen(self, base: Reels) -> Seen:
        """What the base strips show of Orbs, jointly with the line win."""
        return self._kept.part(("seen", base), lambda: orbs_seen(self.game, base))

    def _respins(self, strips: StripSet, feature: MoneyRespins, modifiers: str) -> RespinsValue:
        active = modifiers.split("+")
        names = [feature.money_wheel]
        names += [rule.wheel for rule in feature.rules if rule.modifier in active]
        if feature.multiply and feature.multiply.modifier in active:
            names.append(feature.multiply.count_wheel)
        own = [f"{n}.{modifiers}" if n in feature.wheels_per_set else n for n in names]
        stages = strips.position_reels[f"{feature.name}.{modifiers}"]
        key = (modifiers, stages, tuple(strips.wheels[n] for n in own))
        return self._kept.part(key, lambda: respins_value(money_chain(self.game, strips, modifiers)))


def _spins(game: GameDefinition, base: Reels) -> SpinCounts:
    windows = spin_model(game).windows(base)
    return count_spins(windows, np.zeros(windows.arrays.mask.shape[:2], dtype=np.int64), 1)


def evaluate(game: GameDefinition, strips: StripSet) -> ModifierRound:
    """The exact worth of one strip set that fits the game."""
    return Evaluator(game)(strips)


def figures(game: GameDefinition, strips: StripSet, sha256: str | None = None) -> dict[str, Any]:
    """All figures of a strip set as the contract names them, the cap's estimate among them."""
    from workbench.value.modifier_figures import modifier_figures

    return modifier_figures(evaluate(game, strips), sha256)
