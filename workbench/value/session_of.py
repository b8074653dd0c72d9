"""The one way from a strip set to its sessions, whatever kind of game it is of."""

from __future__ import annotations

from collections.abc import Callable

from workbench.errors import UsageError
from workbench.game.definition import GameDefinition
from workbench.game.features import FreeSpins, HoldAndSpin
from workbench.reels.strip_set import StripSet
from workbench.value.kept_laws import kept_key_law
from workbench.value.key_law import KeyRounds
from workbench.value.key_session import STARTS, KeySession
from workbench.value.round import default_strategy, evaluate
from workbench.value.round_law import law_of
from workbench.value.session import Session, SessionLaw, check_rounds


def session_of(
    game: GameDefinition,
    strips: StripSet,
    rounds: int,
    strategy: str | None = None,
    start: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> SessionLaw:
    """Sessions of so many rounds, under a strategy where there is a choice (None: the game's default).

    ``start`` says who plays a game with banked Keys (None: a new player). UsageError for what the game doesn't have.
    """
    check_rounds(rounds)
    if any(isinstance(f, HoldAndSpin | FreeSpins) for f in game.features):
        if start is not None and not game.banked_keys:
            raise UsageError(f"--start: must be left out, as the game banks nothing, but got {start!r}")
        value = evaluate(game, strips)
        solution = value.solution(strategy or default_strategy(game))
        laws = KeyRounds.of(value, kept_key_law(value))
        return KeySession(laws, solution, rounds, start or STARTS[0], progress)
    if start is not None:
        raise UsageError(
            f"--start: must be left out, as rounds don't depend on each other, but got {start!r}"
        )
    return Session(law_of(game, strips, strategy=strategy), rounds)
