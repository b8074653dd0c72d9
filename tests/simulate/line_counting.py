"""Counts of plain rounds of line games, straight from their events: what the kernel's counts are compared with."""

from __future__ import annotations

import numpy as np

from workbench.game import GameDefinition
from workbench.game.line_features import Bonus, ScatterPays
from workbench.simulate import _line_game_shapes_kernels as line_at
from workbench.simulate.line_events import BonusWon, LineRound, LineSpin
from workbench.simulate.line_tables import hit_names, line_layout, line_squares


class LineCount:
    """The counts of rounds, by the names of the layout; ``top`` is the largest win of a line in coins."""

    def __init__(self, game: GameDefinition, units: int, top: int) -> None:
        self.game, self.units, self.top = game, units, top
        self.layout = line_layout(game)
        self.flat = np.zeros(self.layout.size, np.int64)
        self.part = self.layout.parts(self.flat)
        self.squares = dict.fromkeys(line_squares(game), 0)
        self.wins: dict[int, int] = {}
        self.spins: tuple[dict[int, int], dict[int, int]] = ({}, {})
        self.largest = 0
        self.names = [
            "lines",
            *(f.name for f in game.features_of(ScatterPays)),
            *(f.name for f in game.features_of(Bonus)),
        ]

    def add(self, name: str, amount: int) -> None:
        self.part["sums"][line_at.SUMS.index(name)] += amount

    def round(self, played: LineRound) -> None:
        """Count one round."""
        free = self.game.free_games
        self.add("rounds", 1)
        self.add("win", played.win)
        self.add("top_prize", self.top * self.units // self.game.bet.coins)
        self.squares["win"] += played.win**2
        self.largest = max(self.largest, played.win)
        if played.win:
            self.wins[played.win] = self.wins.get(played.win, 0) + 1
        for kind, prefix in ((0, ""), (1, f"{free.name}." if free else "free.")):
            for place, name in enumerate(self.names):
                win = played.components.get(f"{prefix}{name}", 0)
                self.part["parts"][kind, place] += win
                self.squares[f"free.{name}" if kind else name] += win**2
        self._free_games(played)
        for i, spin in enumerate(played.events):
            if isinstance(spin, LineSpin):
                after = played.events[i + 1 :]
                ends = [j for j, event in enumerate(after) if isinstance(event, LineSpin)]
                bonuses = after[: ends[0]] if ends else after
                self._spin(spin, [event for event in bonuses if isinstance(event, BonusWon)])

    def _free_games(self, played: LineRound) -> None:
        number = sum(isinstance(event, LineSpin) for event in played.events) - 1
        free = self.game.free_games
        within = (win for name, win in played.components.items() if free and name.startswith(f"{free.name}."))
        self.add("features", number > 0)
        self.add("played", number)
        self.squares["free"] += sum(within) ** 2
        self.squares["free.played"] += number**2

    def _spin(self, spin: LineSpin, bonuses: list[BonusWon]) -> None:
        kind = int(spin.number > 0)
        coins = sum(line.coins for line in spin.lines)
        win = coins * self.units // self.game.bet.coins
        win += sum(round(bets * self.units) for bets in spin.scatters.values())
        win += sum(round(bonus.win * self.units) for bonus in bonuses)
        self.squares["free.spin" if kind else "spin"] += win**2
        if win:
            self.spins[kind][win] = self.spins[kind].get(win, 0) + 1
        for line in spin.lines:
            place = hit_names(self.game).index(line.combination)
            self.part["hits"][kind, place, line.length] += 1
        self.add("retriggers", kind == 1 and spin.awarded > 0)
        for mark, seen in enumerate(spin.in_sight.values()):
            self.part["in_sight"][kind, mark, seen] += 1
        paying = [line for line in spin.lines if line.coins or line.bonuses]
        self.add("free_hits" if kind else "hits", bool(paying or spin.scatters or bonuses))
        if kind == 0:
            self.add("line_hits", bool(spin.lines))
            self.add("top_prizes", any(line.coins == self.top for line in spin.lines))
            for name in {*spin.scatters, *(bonus.bonus for bonus in bonuses)}:
                self.part["paid"][self.names.index(name)] += 1
