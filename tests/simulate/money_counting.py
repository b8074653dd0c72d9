"""Counts of plain rounds with Money respins, straight from their events."""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.game import GameDefinition
from workbench.simulate import _money_shapes_kernels as at
from workbench.simulate.money_events import (
    Charged,
    MoneyRound,
    Multiplied,
    OrbSpin,
    Respin,
    RespinsEnd,
    Revealed,
    Trigger,
)
from workbench.simulate.money_tables import MoneyGame, money_layout, money_squares, money_units

PARTS = ("money", "charge", "multiply", "jackpots", "full_grid")


class MoneyCount:
    """The counts of rounds, by the names of the layout."""

    def __init__(self, game: GameDefinition) -> None:
        self.money = MoneyGame.of(game)
        self.layout = money_layout(self.money)
        self.flat = np.zeros(self.layout.size, np.int64)
        self.part = self.layout.parts(self.flat)
        self.squares = dict.fromkeys(money_squares(self.money), 0)
        self.cap = 40_000 * money_units(self.money)
        self.wins: dict[int, int] = {}

    def add(self, name: str, amount: int) -> None:
        self.part["sums"][at.SUMS.index(name)] += amount

    def round(self, played: MoneyRound) -> None:
        """Count one round."""
        self.add("rounds", 1)
        self.add("win", played.win)
        for name, win in played.components.items():
            self.add(name, win)
            self.squares[name] += win**2
        self.squares["win"] += played.win**2
        if played.win:
            self.wins[played.win] = self.wins.get(played.win, 0) + 1
        if played.win >= self.cap:
            self.add("capped", 1)
            self.add("cut", played.win - self.cap)
            self.squares["cut"] += (played.win - self.cap) ** 2
        awards = [event.award for event in played.events if isinstance(event, Trigger)]
        spin = played.events[0]
        assert isinstance(spin, OrbSpin)
        self.spin(spin, awards)
        if self.money.trigger.stash_levels != "shows-only":
            for colour, level in enumerate(played.levels):
                self.part["levels"][colour, level] += 1
        if awards and awards[0] != "none":
            self.respins(played, awards[0])

    def spin(self, spin: OrbSpin, awards: list[str]) -> None:
        columns = [*self.money.game.symbols.regular, "Wild"]
        for line in spin.lines:
            self.part["base_hits"][columns.index(line.symbol), line.length] += 1
        self.add("hits", bool(spin.lines))
        mask = sum(1 << i for i, colour in enumerate(sorted(spin.orbs)) if spin.orbs[colour])
        place = 0 if awards in ([], ["none"]) else 1 + self.money.sets.index(awards[0])
        self.part["triggers"][mask, place] += 1

    def respins(self, played: MoneyRound, modifiers: str) -> None:
        chosen = self.money.sets.index(modifiers)
        wins = [played.components[f"respins.{part}"] for part in PARTS]
        self.part["parts"][chosen] += wins
        self.add("respins", 1)
        self.squares["respins"] += sum(wins) ** 2
        self.squares[modifiers] += sum(wins) ** 2
        for part, win in zip(PARTS, wins, strict=True):
            self.squares[f"{modifiers}.{part}"] += win**2
        for event in played.events:
            self.event(chosen, event)

    def value(self, table: str, chosen: int, value: str) -> None:
        self.part[table][chosen, self.money.values(self.money.wheels[table]).index(value)] += 1

    def event(self, chosen: int, event: Any) -> None:
        match event:
            case Respin(landed=landed, money=money):
                self.add("respins.played", 1)
                self.part["played"][chosen] += 1
                for outcome, symbol in enumerate(("Money", "Blue", "Red", "Golden")):
                    self.part["landed"][chosen, outcome] += landed.get(symbol, 0)
                for value in money:
                    self.value("money", chosen, value)
            case Charged(value=value):
                self.value("charge", chosen, value)
            case Multiplied(count=count, picks=picks):
                self.value("multiplied", chosen, str(count))
                one_for_all = self.money.respins.multiply.multipliers == "one-for-all"  # type: ignore[union-attr]
                for _, by, _ in picks[:1] if one_for_all else picks:
                    self.value("multiplier", chosen, by)
            case Revealed(name=name, awarded=awarded):
                self.value("names", chosen, name)
                names = self.money.values(self.money.wheels["names"])
                self.part["awards"][chosen, names.index(name)] += awarded
            case RespinsEnd(filled=filled):
                self.part["filled"][chosen, filled] += 1
            case _:
                pass
