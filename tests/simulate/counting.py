"""Counts of plain rounds, straight from their events: what the kernels' counts are compared with."""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.game import GameDefinition
from workbench.simulate import _shapes_kernels as at
from workbench.simulate.events import (
    BaseSpin,
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
from workbench.simulate.layout import codex_layout
from workbench.simulate.lines import LineWin


class Count:
    """The counts of rounds, by the names of the layout."""

    def __init__(self, game: GameDefinition) -> None:
        self.game = game
        self.layout = codex_layout(game)
        self.flat = np.zeros(self.layout.size, np.int64)
        self.part = self.layout.parts(self.flat)
        self.squares = dict.fromkeys(at.SQUARES, 0)
        self.wins: dict[int, int] = {}

    def add(self, name: str, amount: int) -> None:
        self.part["sums"][at.SUMS.index(name)] += amount

    def lines(self, table: str, lines: tuple[LineWin, ...]) -> None:
        columns = [*self.game.symbols.regular, self.game.symbols.wild]
        for line in lines:
            self.part[table][columns.index(line.symbol), line.length] += 1

    def round(self, played: Round) -> None:
        """Count one round."""
        self.add("rounds", 1)
        self.add("win", played.win)
        self.add("keys.banked", played.banked)
        for name, win in played.components.items():
            self.add(name, win)
            self.squares[name] += win**2
        self.squares["win"] += played.win**2
        for feature in ("re_spins", "free_spins"):
            won = played.components[f"{feature}.lines"] + played.components[f"{feature}.fortune_wins"]
            self.squares[feature] += won**2
        if played.win:
            self.wins[played.win] = self.wins.get(played.win, 0) + 1
        self.hold(played)
        at_most = self.game.free_spins.key.at_most if self.game.free_spins else 0
        keys = sum(event.keys for event in played.events if isinstance(event, FreeSpin))
        self.add("free_spins.keys", keys if at_most == "no-limit" else min(keys, at_most))
        for event in played.events:
            self.event(event)

    def hold(self, played: Round) -> None:
        """The joint counts of one hold-and-spin."""
        events = {type(event): event for event in played.events}
        if HoldStart not in events:
            return
        start, final = events[HoldStart], events[FinalBoard]
        respins = [event for event in played.events if isinstance(event, ReSpin)]
        keys = sum(event.keys for event in respins)
        step = min(5, 1 + len(final.held) // 5)
        place = (int(start.free_spins_follow), step - 1, min(keys, at.MOST_KEYS))
        self.part["re_spins"][place] += 1
        self.part["saves"][place] += SaveDecision in events and events[SaveDecision].saved
        self.part["start_held"][len(start.held)] += 1
        self.part["final_held"][len(final.held)] += 1
        self.add("re_spins", 1)
        self.add("re_spins.played", len(respins))
        self.add("keys.won", keys)

    def event(self, event: Any) -> None:
        match event:
            case BaseSpin(lines=lines, free_triggers=seen):
                self.lines("base_hits", lines)
                self.add("hits", bool(lines))
                self.part["scatters"][int(bool(lines)), min(seen, at.MOST_SCATTERS)] += 1
            case HoldStart(collectable=symbol):
                self.part["collectables"][self.game.symbols.regular.index(symbol)] += 1
            case FinalBoard(lines=lines):
                self.lines("final_hits", lines)
            case SaveDecision(keys=keys, saved=True):
                self.add("keys.saved", keys)
            case UseDecision(used=used):
                self.add("keys.used", used)
                self.add("free_spins", 1)
                self.part["free_used"][used] += 1
            case WheelStop(spins=spins, collectable=symbol, keys=keys):
                for tier, value in (("spins", str(spins)), ("collectable", symbol), ("keys", str(keys))):
                    values = self.game.wheel(f"free_spins.{tier}").values
                    self.part[f"wheel_{tier}"][values.index(value)] += 1
            case FreeSpin():
                self.lines("free_hits", event.lines)
                self.add("free_spins.played", 1)
                self.add("free_spins.hits", bool(event.lines))
                self.add("free_spins.added", event.added)
                self.add("free_spins.collected", event.collected)
                self.add("free_spins.bonus", event.bonus)
            case LadderWin(feature=feature, level=level, step=step):
                table = "re_fortune" if feature == "re_spins" else "free_fortune"
                self.part[table][level - 1, step - 1] += 1
            case _:
                pass
