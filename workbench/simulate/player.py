"""A player of the rules in plain Python: one complete round of Codex of Fortune, told event by event.

Written from the rules and readings (C-n), not from the kernels; it draws random numbers in the order in which
a player sees them decided: the base stops from reel 1; each re-spin's open cells reel by reel from the top (or one
stop a reel, where re-spins run on strips); the wheel's spins, collectable, Keys; each free spin's stops.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.errors import EndlessFeatureError
from workbench.game import GameDefinition
from workbench.game.features import BankedKeys, FreeSpins, HoldAndSpin, Ladder
from workbench.reels.strip_set import Reels, Stage, StripSet, Weights, free_reels
from workbench.simulate.codex_tables import win_units
from workbench.simulate.events import (
    BaseSpin,
    Cell,
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
from workbench.simulate.lines import LineWin, Window, in_sight, lines_won
from workbench.simulate.source import Source
from workbench.simulate.strategy import StrategyTable
from workbench.simulate.units import exact

MOST_SPINS = 1 << 20


@dataclass(frozen=True)
class Player:
    """Plays rounds of a game on a strip set with a strategy, drawing from a source."""

    game: GameDefinition
    strips: StripSet
    strategy: StrategyTable
    source: Source

    def round(self, banked: int) -> Round:
        """One paid round, begun with ``banked`` Keys.

        Raises EndlessFeatureError if a feature reaches 2^20 spins.
        """
        bank = Bank(banked)
        events = tuple(self._round(bank))
        return Round(events, components(self.game, events), bank.keys)

    def _round(self, bank: Bank) -> Iterator[Event]:
        base = self._base_spin()
        yield base
        hold, free = self.game.hold_and_spin, self.game.free_spins
        follows = free is not None and base.free_triggers >= free.trigger.least
        if hold and base.lines and base.hold_triggers >= hold.trigger.least:
            yield from self._hold_and_spin(hold, base, follows, bank)
        if free and follows:
            yield from self._free_spins(free, bank)

    def _spin(self, reels: Reels) -> tuple[tuple[int, ...], Window]:
        """Halt every reel at a stop: the stops and the window."""
        stops = tuple(self.source.below(len(strip)) for strip in reels)
        window = tuple(
            tuple(strip[(stop + row) % len(strip)] for row in range(rows))
            for strip, stop, rows in zip(reels, stops, self.game.grid.rows, strict=True)
        )
        return stops, window

    def _base_spin(self) -> BaseSpin:
        stops, window = self._spin(self.strips.reels["base"])
        hold, free = self.game.hold_and_spin, self.game.free_spins
        return BaseSpin(
            stops,
            window,
            lines_won(self.game, window),
            in_sight(window, hold.trigger.symbol, hold.trigger.reels) if hold else 0,
            in_sight(window, free.trigger.symbol, free.trigger.reels) if free else 0,
        )

    # Re-Spins

    def _hold_and_spin(self, hold: HoldAndSpin, base: BaseSpin, follows: bool, bank: Bank) -> Iterator[Event]:
        collectable = chosen_collectable(self.game, hold, base.lines)
        held = start_cells(self.game, base.window, base.lines, collectable)
        yield HoldStart(collectable, frozenset(held), follows)
        keys = 0
        for spin in self._re_spins(hold, held):
            keys += spin.keys
            yield spin
        yield FinalBoard(collectable, frozenset(held), self._board_lines(held, collectable))
        ladder = self.game.ladder(hold.ladder)
        step = min(ladder.steps, 1 + len(held) // hold.meter.per_step)
        level = hold.start_level + keys
        if keys and self.game.banked_keys:
            saved = self.strategy.saves(follows, step, keys, bank.keys)
            yield SaveDecision(follows, step, keys, bank.keys, saved)
            if saved:
                bank.keys += keys
                level = self.game.banked_keys.saved_level
        yield _prize(ladder, hold.name, level, step)

    def _re_spins(self, hold: HoldAndSpin, held: set[Cell]) -> Iterator[ReSpin]:
        """Re-spin until nothing lands or every cell is held; ``held`` grows."""
        allowed = hold.key.at_most
        won = 0
        number = 0
        while len(held) < sum(self.game.grid.rows):
            number += 1
            if number >= MOST_SPINS:
                raise EndlessFeatureError(f"{hold.name}: still going after {number} re-spins")
            stops, shown = self._landing(hold, number, held)
            landed = tuple(cell for cell, symbol in shown.items() if symbol == hold.held_symbol)
            keys = sum(
                symbol == hold.key.symbol and reel in hold.key.reels for (reel, _), symbol in shown.items()
            )
            if allowed != "no-limit":
                keys = min(keys, allowed - won)
            won += keys
            held.update(landed)
            yield ReSpin(number, landed, keys, stops)
            if not landed and not keys:
                return

    def _landing(
        self, hold: HoldAndSpin, number: int, held: set[Cell]
    ) -> tuple[tuple[int, ...] | None, dict[Cell, str]]:
        """What each open cell shows after a re-spin, and the stops if there are any."""
        cells = [(reel, row) for reel, rows in enumerate(self.game.grid.rows) for row in range(rows)]
        open_cells = [cell for cell in cells if cell not in held]
        if hold.spun == "strips":
            stops, window = self._spin(self.strips.reels[hold.name])
            return stops, {(reel, row): window[reel][row] for reel, row in open_cells}
        stage = _stage(self.strips.position_reels[hold.name], number)
        order = (hold.held_symbol, hold.key.symbol, hold.blank_symbol)
        return None, {cell: self._draw(stage.cell(cell[0]), order) for cell in open_cells}

    def _draw(self, weights: Weights, order: tuple[str, ...]) -> str:
        """One value of a wheel or position reel; ``order`` is the order its values stand in."""
        drawn = self.source.below(weights.total)
        for value in order:
            if drawn < weights.weight(value):
                return value
            drawn -= weights.weight(value)
        raise AssertionError("weights outside the order")

    def _board_lines(self, held: set[Cell], collectable: str) -> tuple[LineWin, ...]:
        """Lines won where only held cells count, all of them the collectable."""
        window = tuple(
            tuple(collectable if (reel, row) in held else "" for row in range(rows))
            for reel, rows in enumerate(self.game.grid.rows)
        )
        return lines_won(self.game, window)

    # Free Spins

    def _free_spins(self, free: FreeSpins, bank: Bank) -> Iterator[Event]:
        used = self._used(self.game.banked_keys, bank)
        yield UseDecision(bank.keys, used)
        bank.keys -= used
        wheel = self._turn_wheel(free)
        yield wheel
        meter = keys = 0
        for spin in self._free_spin_run(free, wheel):
            meter += spin.collected + spin.bonus
            keys += spin.keys
            yield spin
        if free.key.at_most != "no-limit":
            keys = min(keys, free.key.at_most)
        ladder = self.game.ladder(free.ladder)
        step = min(ladder.steps, 1 + meter // free.meter.per_step)
        yield _prize(ladder, free.name, free.start_level + used + wheel.keys + keys, step)

    def _used(self, rule: BankedKeys | None, bank: Bank) -> int:
        if rule is None or bank.keys == 0 or not self.strategy.uses(bank.keys):
            return 0
        return min(bank.keys, rule.use_at_most)

    def _turn_wheel(self, free: FreeSpins) -> WheelStop:
        names = (free.wheels.spins, free.wheels.collectable, free.wheels.keys)
        spins, collectable, keys = (
            self._draw(self.strips.wheels[name], self.game.wheel(name).values) for name in names
        )
        return WheelStop(int(spins), collectable, int(keys))

    def _free_spin_run(self, free: FreeSpins, wheel: WheelStop) -> Iterator[FreeSpin]:
        reels = free_reels(self.strips, self.game, wheel.collectable)
        bonus = free.meter.bonus
        left, number = wheel.spins, 0
        while left > 0:
            number += 1
            if number > MOST_SPINS:
                raise EndlessFeatureError(f"{free.name}: still going after {MOST_SPINS} spins")
            stops, window = self._spin(reels)
            added = in_sight(window, free.retrigger.symbol, free.retrigger.reels) * free.retrigger.spins_each
            left += added - 1
            yield FreeSpin(
                number,
                stops,
                window,
                lines_won(self.game, window),
                in_sight(window, wheel.collectable, range(len(reels))),
                in_sight(window, bonus.symbol, bonus.reels) * bonus.adds if bonus else 0,
                in_sight(window, free.key.symbol, free.key.reels),
                added,
            )


@dataclass
class Bank:
    """The Keys saved so far."""

    keys: int


def _stage(stages: tuple[Stage, ...], number: int) -> Stage:
    """The stage in force at a re-spin, counted from 1."""
    return [stage for stage in stages if stage.start <= number][-1]


def _prize(ladder: Ladder, feature: str, level: int, step: int) -> LadderWin:
    level = min(level, ladder.levels)
    return LadderWin(feature, level, step, ladder.table[level - 1][step - 1])


def counted_symbol(game: GameDefinition, line: LineWin) -> str:
    """The symbol a line's win counts for: the Wilds' own run counts as the symbol the definition names."""
    if game.wild and game.wild.counts_as and line.symbol == game.symbols.wild:
        return game.wild.counts_as
    return line.symbol


def chosen_collectable(game: GameDefinition, hold: HoldAndSpin, lines: tuple[LineWin, ...]) -> str:
    """The best symbol that won a line; lines won by Wilds alone may count only as a last resort (C-6)."""
    last_resort = hold.wild_only_lines == "last-resort"
    counting = [line for line in lines if not (last_resort and line.wild_only)] or list(lines)
    return min((counted_symbol(game, line) for line in counting), key=game.symbols.regular.index)


def start_cells(
    game: GameDefinition, window: Window, lines: tuple[LineWin, ...], collectable: str
) -> set[Cell]:
    """The non-wild cells of the collectable in the winning runs of the lines it won (C-6)."""
    return {
        (reel, row)
        for line in lines
        if counted_symbol(game, line) == collectable
        for reel, row in enumerate(game.lines[line.line][: line.length])
        if window[reel][row] == collectable
    }


def components(game: GameDefinition, events: tuple[Event, ...]) -> dict[str, int]:
    """The round's win by component, in units."""
    units = win_units(game)
    names = [
        "lines",
        *(
            f"{f.name}.{part}"
            for f in (game.hold_and_spin, game.free_spins)
            if f
            for part in ("lines", "fortune_wins")
        ),
    ]
    found = dict.fromkeys(names, 0)
    for event in events:
        match event:
            case BaseSpin(lines=lines):
                found["lines"] += _units(game, lines, units)
            case FinalBoard(lines=lines) if game.hold_and_spin:
                found[f"{game.hold_and_spin.name}.lines"] += _units(game, lines, units)
            case FreeSpin(lines=lines) if game.free_spins:
                found[f"{game.free_spins.name}.lines"] += _units(game, lines, units)
            case LadderWin(feature=feature, prize=prize):
                found[f"{feature}.fortune_wins"] += int(exact(prize) * units)
            case _:
                pass
    return found


def _units(game: GameDefinition, lines: tuple[LineWin, ...], units: int) -> int:
    return sum(line.coins for line in lines) * units // game.bet.coins
