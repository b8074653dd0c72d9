"""One round of a run, found again: the kernel plays up to it, a plain player plays it and tells it event by event."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from workbench.errors import UsageError
from workbench.game import GameDefinition
from workbench.reels.strip_set import StripSet
from workbench.simulate.events import Event, Round
from workbench.simulate.line_events import LineGameEvent, LineRound
from workbench.simulate.line_player import LinePlayer
from workbench.simulate.line_rule import is_line_game
from workbench.simulate.machine import Buffers, machine_for
from workbench.simulate.money_events import MoneyEvent, MoneyRound
from workbench.simulate.money_player import MoneyPlayer
from workbench.simulate.player import Player
from workbench.simulate.run import BATCH_ROUNDS, MOST_ROUNDS, SESSION_ROUNDS
from workbench.simulate.source import Xoshiro, stream
from workbench.simulate.strategy import StrategyTable
from workbench.simulate.told import tell


@dataclass(frozen=True)
class Replay:
    """A round of a run: where it stands, what the player had before it, and what happened.

    ``kept`` is what outlives a round: banked Keys, the levels of the stashes, or nothing.
    """

    game: GameDefinition
    seed: int
    number: int
    units: int
    kept: tuple[int, ...]
    kept_after: tuple[int, ...]
    played: Round | MoneyRound | LineRound


def replay(
    game: GameDefinition, strips: StripSet, strategy: StrategyTable | None, seed: int, number: int
) -> Replay:
    """Round ``number`` (from 0) of a run: the kernel plays up to it, the plain player plays it."""
    if not 0 <= number < MOST_ROUNDS:
        raise UsageError(f"--round: must be 0 to {MOST_ROUNDS - 1}, but got {number}")
    machine = machine_for(game, strips, strategy)
    session, before = divmod(number, SESSION_ROUNDS)
    state, carry, buffers = stream(seed, session), machine.carry(), Buffers.empty(machine)
    skipped = -(-machine.burn_in() // BATCH_ROUNDS) * BATCH_ROUNDS + before
    for begun in range(0, skipped, BATCH_ROUNDS):
        machine.play(buffers, state, carry, min(BATCH_ROUNDS, skipped - begun))
    kept, source = tuple(map(int, carry)), Xoshiro.of(state)
    played: Round | MoneyRound | LineRound
    after: tuple[int, ...] = ()
    if is_line_game(game):
        played = LinePlayer(game, strips, machine.units, source).round()
    elif strategy is None:
        played = MoneyPlayer(game, strips, source).round(kept)
        after = played.levels
    else:
        played = Player(game, strips, strategy, source).round(kept[0])
        after = (played.banked,)
    return Replay(game, seed, number, machine.units, kept, after, played)


def round_json(found: Replay) -> dict[str, Any]:
    """The round as one JSON object; reels, rows, stops and lines count from 0."""
    units = found.units
    return {
        "game": found.game.game,
        "seed": found.seed,
        "round": found.number,
        "kept_before": list(found.kept),
        "kept_after": list(found.kept_after),
        "win": found.played.win / units,
        "components": {name: win / units for name, win in found.played.components.items()},
        "events": [{"event": type(event).__name__, **_plain(event)} for event in found.played.events],
    }


def _plain(event: Event | MoneyEvent | LineGameEvent) -> dict[str, Any]:
    """An event as JSON; sets of cells become sorted lists."""
    table = dataclasses.asdict(event)
    return {k: sorted(map(list, v)) if isinstance(v, frozenset) else v for k, v in table.items()}


def told(found: Replay) -> str:
    """The round in words."""
    units, coins = found.units, found.game.bet.coins
    lines = [
        ", ".join(
            [f"round {found.number} of seed {found.seed}", *_kept(found, found.kept), f"bet {coins} coins"]
        )
    ]
    for event in found.played.events:
        lines += tell(event)
    parts = ", ".join(f"{name} {win / units:g}" for name, win in found.played.components.items() if win)
    total = f"win {found.played.win / units:g} bets"
    return "\n".join([*lines, f"{total} ({parts})" if parts else total, *_kept(found, found.kept_after)])


def _kept(found: Replay, kept: tuple[int, ...]) -> list[str]:
    """What outlives the round, in words."""
    match found.played:
        case Round():
            return [f"{kept[0]} Keys banked"]
        case MoneyRound():
            return [f"stashes at {', '.join(map(str, kept))}"]
        case LineRound():
            return []
