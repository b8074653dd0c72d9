"""The one way from a strip set to its figures, whatever kind of game it is of.

Each kind of round has a module of its own; the features of the definition tell which one serves. The canonical file of
the figures is :func:`workbench.reels.files.canonical_json` of them.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from workbench.errors import UsageError
from workbench.game.definition import GameDefinition
from workbench.game.features import MoneyRespins
from workbench.game.line_consistency import FEATURE_ROUNDS
from workbench.reels.strip_set import StripSet

Figures = dict[str, Any]


def figures_of(
    game: GameDefinition, strips: StripSet, strategy: str | None = None, sha256: str | None = None
) -> Figures:
    """The exact figures of a strip set under a strategy (None: the game's default).

    ``sha256`` is that of the file the set was read from; None: of its canonical file. Raises UsageError for an
    unknown strategy, and what the parts of the evaluation refuse (EndlessFeatureError, StripSetError).

    ``definition_sha256`` is that of the definition in use; where the set was made for another one, the figures carry
    that as ``strip_set_definition_sha256``.
    """
    kind = _kind(game)
    found = {**kind(game, strips, strategy, sha256), "definition_sha256": game.sha256}
    if strips.definition_sha256 != game.sha256:
        found["strip_set_definition_sha256"] = strips.definition_sha256
    return found


def _kind(game: GameDefinition) -> Callable[..., Figures]:
    if game.only(MoneyRespins):
        return _with_modifiers
    return _with_keys if any(isinstance(f, FEATURE_ROUNDS) for f in game.features) else _of_lines


def _of_lines(game: GameDefinition, strips: StripSet, strategy: str | None, sha256: str | None) -> Figures:
    """Lines, Scatter pays, bonuses and free games."""
    from workbench.value.line_figures import line_figures
    from workbench.value.line_round import line_round

    _refuse_strategy(strategy)
    return line_figures(line_round(game, strips), sha256)


def _refuse_strategy(strategy: str | None) -> None:
    if strategy is not None:
        raise UsageError(
            f"strategy: must be left out, as the game leaves the player no choice, but got {strategy!r}"
        )


def _with_keys(game: GameDefinition, strips: StripSet, strategy: str | None, sha256: str | None) -> Figures:
    """Lines, hold-and-spin, free spins and banked Keys, each if the game has it (Codex)."""
    from workbench.value.figures import figures
    from workbench.value.round import evaluate, strategies

    known = strategies(game)
    if strategy is not None and strategy not in known:
        allowed = (
            f"one of {', '.join(known)}" if known else "left out, as the game leaves the player no choice"
        )
        raise UsageError(f"strategy: must be {allowed}, but got {strategy!r}")
    return figures(evaluate(game, strips), strategy, sha256)


def _with_modifiers(
    game: GameDefinition, strips: StripSet, strategy: str | None, sha256: str | None
) -> Figures:
    """Lines and money respins under modifiers (Spellmaster): ``modifier_round.figures`` with the same arguments."""
    _refuse_strategy(strategy)
    try:
        module = import_module("workbench.value.modifier_round")
    except ModuleNotFoundError:
        raise UsageError(f"game: {game.game} can't be evaluated exactly by this version") from None
    found: Figures = module.figures(game, strips, sha256)
    return found
