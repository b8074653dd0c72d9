"""The figures that a search judges by, for every kind of game that has a search: those of ``evaluate`` that come fast."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workbench.game.definition import GameDefinition
from workbench.game.features import MoneyRespins
from workbench.optimise.target import Target
from workbench.reels.strip_set import StripSet

Figures = dict[str, Any]
Gauge = Callable[[StripSet], Figures]


def gauge_of(game: GameDefinition, target: Target) -> Gauge:
    """Strips to figures under the names of ``evaluate``; parts that a change leaves alone are kept.

    The gauge raises what the evaluation raises (EndlessFeatureError, StripSetError).
    """
    if game.hold_and_spin and game.free_spins and game.banked_keys:
        return _with_keys(game)
    return _with_modifiers(game) if game.only(MoneyRespins) else _of_lines(game, target)


def _with_keys(game: GameDefinition) -> Gauge:
    from workbench.optimise.feature_strips import key_figures
    from workbench.value.round import Evaluator

    evaluator = Evaluator(game)
    return lambda strips: key_figures(evaluator(strips))


def _with_modifiers(game: GameDefinition) -> Gauge:
    from workbench.value.modifier_figures import modifier_figures
    from workbench.value.modifier_round import Evaluator

    evaluator = Evaluator(game)
    return lambda strips: modifier_figures(evaluator(strips), cap=False)


def _of_lines(game: GameDefinition, target: Target) -> Gauge:
    from workbench.optimise.line_score import asked_figures
    from workbench.value.line_round import line_round

    return lambda strips: asked_figures(line_round(game, strips), target)


def whole_gauge_of(game: GameDefinition) -> Gauge:
    """Like :func:`gauge_of`, with the deviation of a round where the game has one; it takes longer."""
    if game.hold_and_spin and game.free_spins and game.banked_keys:
        return _with_keys_whole(game)
    return _with_modifiers(game) if game.only(MoneyRespins) else _of_lines_whole(game)


def _with_keys_whole(game: GameDefinition) -> Gauge:
    from workbench.optimise.feature_strips import key_figures
    from workbench.value.figures import spread_of
    from workbench.value.round import Evaluator, default_strategy

    evaluator = Evaluator(game)

    def gauge(strips: StripSet) -> Figures:
        value = evaluator(strips)
        found = key_figures(value)
        return {**found, **spread_of(value, value.solution(default_strategy(game)), found["rtp"])}

    return gauge


def _of_lines_whole(game: GameDefinition) -> Gauge:
    from workbench.value.line_figures import line_figures
    from workbench.value.line_round import line_round

    return lambda strips: line_figures(line_round(game, strips))
