"""One round of a run, found again and told step by step: for people reels count from 1, in JSON from 0."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from workbench.errors import UsageError
from workbench.game import GameDefinition
from workbench.reels.strip_set import StripSet
from workbench.simulate.events import (
    BaseSpin,
    Event,
    FinalBoard,
    FreeSpin,
    HoldStart,
    LadderWin,
    ReSpin,
    Round,
    SaveDecision,
    UseDecision,
    WheelStop,
)
from workbench.simulate.lines import LineWin, Window
from workbench.simulate.machine import Buffers, machine_for
from workbench.simulate.player import Player
from workbench.simulate.run import BATCH_ROUNDS, MOST_ROUNDS, SESSION_ROUNDS
from workbench.simulate.source import Xoshiro, stream
from workbench.simulate.strategy import StrategyTable


@dataclass(frozen=True)
class Replay:
    """A round of a run: where it stands, what was banked before it, and what happened."""

    game: GameDefinition
    seed: int
    number: int
    units: int
    banked: int
    played: Round


def replay(
    game: GameDefinition, strips: StripSet, strategy: StrategyTable | None, seed: int, number: int
) -> Replay:
    """Round ``number`` (from 0) of a run: the kernel plays up to it, the plain player plays it."""
    if not 0 <= number < MOST_ROUNDS:
        raise UsageError(f"--round: must be 0 to {MOST_ROUNDS - 1}, but got {number}")
    machine = machine_for(game, strips, strategy)
    assert strategy is not None
    session, before = divmod(number, SESSION_ROUNDS)
    state, carry, buffers = stream(seed, session), machine.carry(), Buffers.empty(machine)
    skipped = -(-machine.burn_in() // BATCH_ROUNDS) * BATCH_ROUNDS + before
    for begun in range(0, skipped, BATCH_ROUNDS):
        machine.play(buffers, state, carry, min(BATCH_ROUNDS, skipped - begun))
    banked = int(carry[0])
    player = Player(game, strips, strategy, Xoshiro.of(state))
    return Replay(game, seed, number, machine.units, banked, player.round(banked))


def round_json(found: Replay) -> dict[str, Any]:
    """The round as one JSON object; reels, rows, stops and lines count from 0."""
    units = found.units
    return {
        "game": found.game.game,
        "seed": found.seed,
        "round": found.number,
        "banked_before": found.banked,
        "banked_after": found.played.banked,
        "win": found.played.win / units,
        "components": {name: win / units for name, win in found.played.components.items()},
        "events": [{"event": type(event).__name__, **_plain(event)} for event in found.played.events],
    }


def _plain(event: Event) -> dict[str, Any]:
    """An event as JSON; sets of cells become sorted lists."""
    table = dataclasses.asdict(event)
    return {k: sorted(map(list, v)) if isinstance(v, frozenset) else v for k, v in table.items()}


def told(found: Replay) -> str:
    """The round in words."""
    coins = found.game.bet.coins
    lines = [f"round {found.number} of seed {found.seed}, {found.banked} Keys banked, bet {coins} coins"]
    for event in found.played.events:
        lines += _tell(event)
    units = found.units
    parts = ", ".join(f"{name} {win / units:g}" for name, win in found.played.components.items() if win)
    total = f"win {found.played.win / units:g} bets"
    return "\n".join([*lines, f"{total} ({parts})" if parts else total, f"{found.played.banked} Keys banked"])


def _tell(event: Event) -> list[str]:
    match event:
        case BaseSpin():
            seen = f"triggers in sight: {event.free_triggers}"
            return [
                f"base spin, stops {_stops(event.stops)}, {seen}",
                *_window(event.window),
                *_lines(event.lines),
            ]
        case HoldStart():
            follow = ", Free Spins follow" if event.free_spins_follow else ""
            return [f"Re-Spins collect {event.collectable}, held {_cells(event.held)}{follow}"]
        case ReSpin():
            what = [f"lands on {_cells(event.landed)}"] if event.landed else []
            what += [f"{event.keys} Key{'s' if event.keys > 1 else ''}"] if event.keys else []
            return [f"re-spin {event.number}: {', '.join(what) or 'nothing'}"]
        case FinalBoard():
            return [f"{len(event.held)} {event.collectable} held", *_lines(event.lines)]
        case SaveDecision():
            did = "saves" if event.saved else "does not save"
            return [f"decision: {did} {event.keys} Keys at step {event.step} with {event.banked} banked"]
        case UseDecision():
            return [f"decision: uses {event.used} of {event.banked} banked Keys"]
        case WheelStop():
            return [f"wheel: {event.spins} spins, {event.collectable}, {event.keys} Keys"]
        case FreeSpin():
            adds = f"collects {event.collected} + {event.bonus}, {event.keys} Keys, {event.added} spins added"
            head = f"free spin {event.number}, stops {_stops(event.stops)}: {adds}"
            return [head, *_window(event.window), *_lines(event.lines)]
        case LadderWin():
            return [f"{event.feature} ends at level {event.level}, step {event.step}: {event.prize:g} bets"]


def _stops(stops: tuple[int, ...]) -> str:
    return " ".join(map(str, stops))


def _cells(cells: Any) -> str:
    """Cells for people: reel.row, both from 1."""
    return " ".join(f"{reel + 1}.{row + 1}" for reel, row in sorted(cells)) or "nothing"


def _window(window: Window) -> list[str]:
    width = max(len(symbol) for reel in window for symbol in reel)
    rows = max(len(reel) for reel in window)
    return [
        "  " + " ".join((reel[row] if row < len(reel) else "").ljust(width) for reel in window).rstrip()
        for row in range(rows)
    ]


def _lines(lines: tuple[LineWin, ...]) -> list[str]:
    return [f"  line {w.line + 1}: {w.length} {w.symbol}, {w.coins} coins" for w in lines]
