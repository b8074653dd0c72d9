"""One spin, by looking at every stop combination of small strips. All figures are integers over the cycle."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from workbench.game.definition import GameDefinition
from workbench.game.features import HoldAndSpin, Trigger

from .lines import LineAward, line_award

Window = tuple[str, ...]
Screen = tuple[Window, ...]
Cell = tuple[int, int]
Board = frozenset[Cell]


@dataclass
class SpinCount:
    """What the cycle holds, in numbers of stop combinations unless said otherwise.

    ``hits``: (winner, run length) to the number of line wins, over all lines.
    ``hits_by_run``: (winner, run length, Wilds alone, coins) to the same.
    ``coins``: coins of a spin to the number of spins; ``total_coins`` and ``sum_squares`` are its sums.
    ``scatters``: (a line paid, Scatters in sight on the hold-and-spin trigger's reels) to the number of spins.
    ``triggers``: (collectable, start board, Scatters) to the number of spins that start the hold-and-spin.
    """

    cycle: int = 0
    total_coins: int = 0
    sum_squares: int = 0
    winning_spins: int = 0
    hits: Counter[tuple[str, int]] = field(default_factory=Counter)
    hits_by_run: Counter[tuple[str, int, bool, int]] = field(default_factory=Counter)
    coins: Counter[int] = field(default_factory=Counter)
    scatters: Counter[tuple[bool, int]] = field(default_factory=Counter)
    triggers: Counter[tuple[str, Board, int]] = field(default_factory=Counter)


def window(strip: Sequence[str], stop: int, rows: int) -> Window:
    """What a reel shows when ``stop`` stands in the top row; the strip is a circle."""
    return tuple(strip[(stop + row) % len(strip)] for row in range(rows))


def screens(game: GameDefinition, reels: Sequence[Sequence[str]]) -> Iterator[Screen]:
    """The screen of every stop combination, as ``screen[reel][row]``."""
    per_reel = [
        [window(strip, stop, rows) for stop in range(len(strip))]
        for strip, rows in zip(reels, game.grid.rows, strict=True)
    ]
    return itertools.product(*per_reel)


def visible(screen: Screen, symbol: str, reels: Sequence[int]) -> int:
    """How often a symbol is in sight on some reels."""
    return sum(screen[reel].count(symbol) for reel in reels)


class LineReader:
    """Reads the lines of a screen; remembers symbol sequences it has judged, as a table of awards."""

    def __init__(self, game: GameDefinition) -> None:
        self.game = game
        self.seen: dict[tuple[str, ...], LineAward] = {}

    def awards(self, screen: Screen) -> list[tuple[tuple[int, ...], LineAward]]:
        """The lines that pay, each with its award."""
        paid = []
        for line in self.game.lines:
            symbols = tuple(screen[reel][row] for reel, row in enumerate(line))
            if symbols not in self.seen:
                self.seen[symbols] = line_award(self.game, symbols)
            if self.seen[symbols].coins > 0:
                paid.append((line, self.seen[symbols]))
        return paid

    def coins(self, screen: Screen) -> int:
        """Coins of all lines together."""
        return sum(award.coins for _, award in self.awards(screen))


def start_of_hold(
    game: GameDefinition, screen: Screen, paid: list[tuple[tuple[int, ...], LineAward]]
) -> tuple[str, Board]:
    """The collectable and the start board of a spin with paid lines (C-6)."""
    feature = game.hold_and_spin
    assert feature is not None and paid
    counting = paid
    if feature.wild_only_lines == "last-resort":
        counting = [(line, award) for line, award in paid if not award.wilds_only] or paid
    winners = {award.winner for _, award in counting}
    collectable = next(symbol for symbol in game.symbols.regular if symbol in winners)
    board = {
        (reel, line[reel])
        for line, award in paid
        if award.winner == collectable
        for reel in range(award.length)
        if screen[reel][line[reel]] != game.symbols.wild
    }
    return collectable, frozenset(board)


def fires(trigger: Trigger, line_win: bool, in_sight: int) -> bool:
    """Whether a trigger fires, given whether a line paid and how many of its symbol are in sight."""
    return in_sight >= trigger.least and (line_win or trigger.line_win == "not-required")


def count_spins(game: GameDefinition, reels: Sequence[Sequence[str]]) -> SpinCount:
    """Every stop combination of ``reels`` judged by the rules of the base game."""
    count, reader, hold = SpinCount(), LineReader(game), game.hold_and_spin
    for screen in screens(game, reels):
        paid = reader.awards(screen)
        _count_lines(count, paid)
        if hold:
            _count_trigger(count, game, hold, screen, paid)
    return count


def _count_lines(count: SpinCount, paid: list[tuple[tuple[int, ...], LineAward]]) -> None:
    coins = sum(award.coins for _, award in paid)
    count.cycle += 1
    count.total_coins += coins
    count.sum_squares += coins * coins
    count.winning_spins += bool(paid)
    count.coins[coins] += 1
    for _, award in paid:
        assert award.winner is not None
        count.hits[award.winner, award.length] += 1
        count.hits_by_run[award.winner, award.length, award.wilds_only, award.coins] += 1


def _count_trigger(
    count: SpinCount,
    game: GameDefinition,
    hold: HoldAndSpin,
    screen: Screen,
    paid: list[tuple[tuple[int, ...], LineAward]],
) -> None:
    in_sight = visible(screen, hold.trigger.symbol, hold.trigger.reels)
    count.scatters[bool(paid), in_sight] += 1
    if paid and fires(hold.trigger, True, in_sight):
        collectable, board = start_of_hold(game, screen, paid)
        count.triggers[collectable, board, in_sight] += 1
