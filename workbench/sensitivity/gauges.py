"""The figures that sensitivities are about, of one strip set after another: the parts a change leaves alone are kept.

A gauge takes a strip set to its figures by their paths in the table of figures. It is the plain way, for games and changes
that no linear form covers; each kind of round has its own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from math import sqrt
from typing import Any, TypeVar

from workbench.exact.line_spin import LineSpin
from workbench.exact.start_law import StartLaw
from workbench.features.free_spins_moments import FreeSpinsMoments, line_moments, weighed_moments
from workbench.game.definition import GameDefinition
from workbench.game.features import HoldAndSpin, MoneyRespins
from workbench.game.line_consistency import FEATURE_ROUNDS
from workbench.reels.strip_set import StripSet, free_reels
from workbench.value import line_figures, modifier_round
from workbench.value.key_moments import (
    KeyMoments,
    SpinParts,
    deviation,
    hold_moments,
    moments_of,
    spin_moments,
    starts_of,
)
from workbench.value.line_round import LineRound, SpinValue
from workbench.value.modifier_round import ModifierRound
from workbench.value.round import Evaluator, RoundValue, default_strategy

Gauge = Callable[[StripSet], dict[str, float]]
_Part = TypeVar("_Part")
KEPT = 16


def gauge_of(game: GameDefinition, strategy: str | None = None) -> Gauge:
    """The gauge of a game's kind of round; ``strategy`` None is the game's default."""
    if game.only(MoneyRespins):
        return ModifierGauge(game)
    if any(isinstance(f, FEATURE_ROUNDS) for f in game.features):
        return KeyGauge(game, strategy)
    return LineGauge(game)


class _Kept:
    """Parts by what they depend on, the last few of each kind."""

    def __init__(self) -> None:
        self._parts: dict[str, dict[Hashable, Any]] = {}

    def __call__(self, kind: str, key: Hashable, make: Callable[[], _Part]) -> _Part:
        parts = self._parts.setdefault(kind, {})
        if key not in parts:
            while len(parts) >= KEPT:
                parts.pop(next(iter(parts)))
            parts[key] = make()
        found: _Part = parts[key]
        return found


class KeyGauge:
    """Games with hold-and-spin, free spins and banked Keys."""

    def __init__(self, game: GameDefinition, strategy: str | None = None) -> None:
        self.game, self.strategy = game, strategy or default_strategy(game)
        self._evaluate, self._kept = Evaluator(game), _Kept()

    def __call__(self, strips: StripSet) -> dict[str, float]:
        """The figures under the strategy, solved anew."""
        value = self.value(strips)
        return key_figures(value, self.moments(value), self.strategy)

    def value(self, strips: StripSet) -> RoundValue:
        """The worth of a set, parts that a change leaves alone kept."""
        return self._evaluate(strips)

    def spin_parts(self, value: RoundValue) -> SpinParts:
        """The moments of the paid spin's lines."""
        return self._kept("spin", value.strips.reels["base"], lambda: spin_moments(value))

    def starts(self, value: RoundValue, hold: HoldAndSpin) -> StartLaw:
        """The starts of the hold-and-spin with the coins of their lines."""
        return self._kept("starts", value.strips.reels["base"], lambda: starts_of(value, hold))

    def moments(self, value: RoundValue) -> KeyMoments | None:
        """The parts of the deviations; None where re-spins spin whole strips."""
        game, strips, hold = self.game, value.strips, self.game.hold_and_spin
        if hold and hold.spun == "strips":
            return None
        spin, ends = self.spin_parts(value), None
        if hold:
            starts = self.starts(value, hold)
            key = (strips.reels["base"], strips.position_reels[hold.name])
            ends = self._kept("hold", key, lambda: hold_moments(value, hold, starts))
        return moments_of(value, spin, ends, self._free(value) if game.free_spins else None)

    def _free(self, value: RoundValue) -> FreeSpinsMoments:
        game, feature, tables = self.game, self.game.free_spins, value.free_tables
        assert feature is not None and tables is not None
        lines = []
        for collectable in tables.collectables:
            reels = free_reels(value.strips, game, collectable)
            lines.append(
                self._kept(
                    f"free {collectable}",
                    reels,
                    lambda reels=reels, c=collectable: line_moments(game, feature, reels, c, tables),  # type: ignore[misc]
                )
            )
        used = value.key_game.most_used
        return weighed_moments(game, feature, value.strips, tables, lines, used)


def key_figures(value: RoundValue, moments: KeyMoments | None, strategy: str | None) -> dict[str, float]:
    """The figures of a round with Keys by path."""
    components = value.components(strategy)
    found = {"rtp": sum(components.values())}
    found |= {f"components.{name}": part for name, part in components.items()}
    found["hit_frequency"] = value.spins.hit_frequency
    if value.game.hold_and_spin and value.hold:
        found[f"features.{value.game.hold_and_spin.name}.probability"] = value.hold.probability
    if value.game.free_spins:
        found[f"features.{value.game.free_spins.name}.probability"] = value.free_probability
    if moments is not None:
        spread = deviation(value, moments, value.solution(strategy))
        found["standard_deviation"] = spread.round
        if value.game.banked_keys:
            found["long_run_standard_deviation"] = spread.long_run
    return found


class ModifierGauge:
    """Games with modifiers and Money respins."""

    def __init__(self, game: GameDefinition) -> None:
        self._evaluate = modifier_round.Evaluator(game)

    def __call__(self, strips: StripSet) -> dict[str, float]:
        """The figures, nothing cut at the cap."""
        return modifier_sensitive(self._evaluate(strips))


def modifier_sensitive(value: ModifierRound) -> dict[str, float]:
    """The figures of a round with modifiers by path."""
    law = value.law
    found = {"rtp": value.rtp}
    found |= {f"components.{name}": part for name, part in value.components.items()}
    found["hit_frequency"] = value.spins.hit_frequency
    found[f"features.{value.feature.name}.probability"] = float(law.chance.sum())
    found |= {f"modifier_sets.{m}.probability": float(p) for m, p in zip(law.sets, law.chance, strict=True)}
    found["standard_deviation"] = sqrt(max(value.variance, 0.0))
    if value.long_run_variance is not None:
        found["long_run_standard_deviation"] = sqrt(max(value.long_run_variance, 0.0))
    return found


class LineGauge:
    """Games of lines, Scatters, bonuses and free games."""

    def __init__(self, game: GameDefinition) -> None:
        self.game, self._kept = game, _Kept()

    def __call__(self, strips: StripSet) -> dict[str, float]:
        """The figures of a paid spin and all it leads to."""
        base = self._spin("base", "base", strips)
        feature = self.game.free_games
        free = self._spin("free", feature.reels, strips) if feature else None
        value = LineRound(self.game, strips, base, free)
        found = {"rtp": float(value.rtp)}
        found |= {f"components.{name}": float(part) for name, part in value.exact_components.items()}
        found["hit_frequency"] = float(base.hit_frequency)
        found["line_hit_frequency"] = float(base.line_hit_frequency)
        table = line_figures.features(value)["features"]
        found |= {f"features.{name}.probability": part["probability"] for name, part in table.items()}
        found["standard_deviation"] = value.standard_deviation
        return found

    def _spin(self, mode: Any, name: str, strips: StripSet) -> SpinValue:
        reels, weights = strips.reels[name], strips.weights_of(name)
        kept = self._kept(
            mode,
            (reels, weights),
            lambda: SpinValue(LineSpin(self.game, mode, reels, weights, strips.wheels)),
        )
        if kept.spin.wheels == strips.wheels:
            return kept
        spin = replace(kept.spin, wheels=strips.wheels)
        for part in ("law", "ways", "hits", "marks", "in_sight"):
            spin.__dict__[part] = getattr(kept.spin, part)
        return SpinValue(spin)
