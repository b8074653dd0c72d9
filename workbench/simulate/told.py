"""Events in words: reels, rows and lines count from 1."""

from __future__ import annotations

from typing import Any

from workbench.simulate.events import (
    BaseSpin,
    Event,
    FinalBoard,
    FreeSpin,
    HoldStart,
    LadderWin,
    ReSpin,
    SaveDecision,
    UseDecision,
    WheelStop,
)
from workbench.simulate.line_events import BonusWon, LineGameEvent, LineSpin
from workbench.simulate.line_told import tell_lines
from workbench.simulate.lines import LineWin, Window
from workbench.simulate.money_events import (
    Charged,
    MoneyEvent,
    Multiplied,
    OrbSpin,
    Respin,
    RespinsEnd,
    Revealed,
    Trigger,
)


def tell(event: Event | MoneyEvent | LineGameEvent) -> list[str]:
    """The lines that tell an event."""
    match event:
        case OrbSpin() | Trigger() | Respin() | Charged() | Multiplied() | Revealed() | RespinsEnd():
            return _tell_money(event)
        case LineSpin() | BonusWon():
            return tell_lines(event, _window(event.window) if isinstance(event, LineSpin) else [])
        case _:
            return _tell_codex(event)


def _tell_money(event: MoneyEvent) -> list[str]:
    match event:
        case OrbSpin():
            orbs = ", ".join(f"{n} {colour}" for colour, n in event.orbs.items() if n) or "none"
            head = f"base spin, stops {_stops(event.stops)}, Orbs in sight: {orbs}"
            return [head, *_window(event.window), *_lines(event.lines)]
        case Trigger():
            return [f"wheel {event.wheel}: {event.award}"]
        case Respin():
            landed = ", ".join(f"{n} {symbol}" for symbol, n in event.landed.items()) or "nothing"
            values = f" of {', '.join(event.money)} bets" if event.money else ""
            return [f"respin {event.number}: {landed}{values}; {event.filled} cells filled"]
        case Charged():
            return [f"  a blue Orb adds {event.value} to Money {event.cell + 1}"]
        case Multiplied():
            picks = ", ".join(f"{c + 1} by {by}{'' if took else ' (stays)'}" for c, by, took in event.picks)
            return [f"  a red Orb multiplies up to {event.count}: {picks or 'none in sight'}"]
        case Revealed():
            return [f"  a golden Orb reveals {event.name}{', awarded' if event.awarded else ''}"]
        case RespinsEnd():
            values = ", ".join(f"{value:g}" for value in event.values) or "none"
            return [f"respins end with {event.filled} of {event.cells} cells filled: {values}"]


def _tell_codex(event: Event) -> list[str]:
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
