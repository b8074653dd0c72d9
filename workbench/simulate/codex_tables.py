"""A game of lines, hold-and-spin, free spins and banked Keys, as the arrays its kernel reads.

A part the game lacks is switched off by a trigger that asks for more symbols than there are cells.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from workbench.game import GameDefinition
from workbench.game.features import KeyRule, Ladder
from workbench.reels.strip_set import StripSet, Weights, free_reels
from workbench.simulate._shapes_kernels import (
    FIELD,
    NEVER,
    ChoiceTables,
    CodexTables,
    FreeTables,
    HoldTables,
    Ints,
    ReelTables,
    Words,
)
from workbench.simulate.reel_tables import first_cells, line_tables, reel_tables, window
from workbench.simulate.strategy import StrategyTable
from workbench.simulate.units import exact, units_per_bet

NO_LIMIT = 1 << 40


def win_units(game: GameDefinition) -> int:
    """Units in one total bet (see :mod:`workbench.simulate.units`)."""
    coins = game.bet.coins
    pays = [Fraction(pay, coins) for pays in game.paytable.values() for pay in pays.values()]
    prizes = [exact(v) for ladder in game.features_of(Ladder) for row in ladder.table for v in row]
    return units_per_bet([*pays, *prizes])


def codex_tables(game: GameDefinition, strips: StripSet, strategy: StrategyTable) -> CodexTables:
    """The tables of a game, a strip set that fits it and a strategy."""
    units = win_units(game)
    sets, set_of = _free_sets(game, strips)
    reels = reel_tables(game, [strips.reels["base"], *sets])
    shown = np.bitwise_count(reels.cells_of).astype(np.int64)
    banked = game.banked_keys
    return CodexTables(
        lines=line_tables(game, units),
        reels=reels,
        trigger=_triggers(game, reels, shown),
        hold=_hold_tables(game, strips, units),
        free=_free_tables(game, strips, units, reels, shown, set_of),
        choice=ChoiceTables(
            save=strategy.save.copy() if banked else np.zeros_like(strategy.save),
            use=strategy.use.copy() if banked else np.zeros_like(strategy.use),
            most_used=banked.use_at_most if banked else 0,
        ),
    )


def _free_sets(game: GameDefinition, strips: StripSet) -> tuple[list[tuple[tuple[str, ...], ...]], list[int]]:
    """The different sets of free reels, and which of them (from 1) each collectable of the wheel runs on."""
    sets: list[tuple[tuple[str, ...], ...]] = []
    set_of = []
    if game.free_spins:
        for symbol in game.wheel(game.free_spins.wheels.collectable).values:
            reels = free_reels(strips, game, symbol)
            if reels not in sets:
                sets.append(reels)
            set_of.append(1 + sets.index(reels))
    return sets, set_of


def _in_sight(
    game: GameDefinition, tables: ReelTables, shown: Ints, symbol: str, reels: tuple[int, ...]
) -> Ints:
    """[row]: how many cells show a symbol, on the given reels only."""
    counts = np.zeros(len(shown), np.int64)
    for k in range(len(tables.first)):
        for reel in reels:
            first = int(tables.first[k, reel])
            rows = slice(first, first + int(tables.length[k, reel]))
            counts[rows] = shown[rows, game.symbol_index[symbol]]
    return counts


def _triggers(game: GameDefinition, tables: ReelTables, shown: Ints) -> Ints:
    table = np.zeros(len(shown), np.int64)
    if game.hold_and_spin:
        trigger = game.hold_and_spin.trigger
        table += _in_sight(game, tables, shown, trigger.symbol, trigger.reels)
    if game.free_spins:
        trigger = game.free_spins.trigger
        table += _in_sight(game, tables, shown, trigger.symbol, trigger.reels) << FIELD
    return table


def _limit(rule: KeyRule) -> int:
    return NO_LIMIT if rule.at_most == "no-limit" else int(rule.at_most)


def _ladder(ladder: Ladder, units: int) -> Ints:
    return np.array([[int(exact(value) * units) for value in row] for row in ladder.table], np.int64)


def _hold_tables(game: GameDefinition, strips: StripSet, units: int) -> HoldTables:
    hold, reels = game.hold_and_spin, game.reel_count
    nothing = np.zeros((1, reels), np.uint64)
    if hold is None:
        one = np.ones((1, 1), np.int64)
        start = np.ones(1, np.int64)
        return HoldTables(
            NEVER, 0, 0, start, nothing, nothing, nothing, nothing[0], nothing, nothing, 0, 1, one, 1, 1
        )
    by_strips = hold.spun == "strips"
    stages = () if by_strips else strips.position_reels[hold.name]
    weights = [[_cell_weights(game, stage.cell(r), r) for r in range(reels)] for stage in stages]
    table = np.array(weights, np.uint64) if stages else np.zeros((1, reels, 3), np.uint64)
    length, collectable, key = _strip_cells(game, strips) if by_strips else (nothing[0], nothing, nothing)
    return HoldTables(
        least=hold.trigger.least,
        last_resort=int(hold.wild_only_lines == "last-resort"),
        by_strips=int(by_strips),
        stage_start=np.array([stage.start for stage in stages] or [1], np.int64),
        collectable=np.ascontiguousarray(table[..., 0]),
        collectable_or_key=np.ascontiguousarray(table[..., 1]),
        total=np.ascontiguousarray(table[..., 2]),
        strip_length=length,
        strip_collectable=collectable,
        strip_key=key,
        most_keys=_limit(hold.key),
        per_step=hold.meter.per_step,
        ladder=_ladder(game.ladder(hold.ladder), units),
        start_level=hold.start_level,
        saved_level=game.banked_keys.saved_level if game.banked_keys else 1,
    )


def _cell_weights(game: GameDefinition, cell: Weights, reel: int) -> tuple[int, int, int]:
    """Weight of the collectable, of it or a Key, and the total, of a position reel."""
    hold = game.hold_and_spin
    assert hold is not None
    collectable = cell.weight(hold.held_symbol)
    key = cell.weight(hold.key.symbol) if reel in hold.key.reels else 0
    return collectable, collectable + key, cell.total


def _strip_cells(game: GameDefinition, strips: StripSet) -> tuple[Words, Words, Words]:
    """Strip lengths, and by [reel][stop] the cells that show the collectable and a Key."""
    hold = game.hold_and_spin
    assert hold is not None
    reels = strips.reels[hold.name]
    shape = (len(reels), max(len(strip) for strip in reels))
    collectable, key = np.zeros(shape, np.uint64), np.zeros(shape, np.uint64)
    first = first_cells(game)
    for reel, strip in enumerate(reels):
        for stop in range(len(strip)):
            for row, symbol in enumerate(window(strip, stop, game.grid.rows[reel])):
                bit = np.uint64(1 << (first[reel] + row))
                if symbol == hold.held_symbol:
                    collectable[reel, stop] |= bit
                elif symbol == hold.key.symbol and reel in hold.key.reels:
                    key[reel, stop] |= bit
    return np.array([len(strip) for strip in reels], np.uint64), collectable, key


def _free_tables(
    game: GameDefinition, strips: StripSet, units: int, reels: ReelTables, shown: Ints, set_of: list[int]
) -> FreeTables:
    free = game.free_spins
    if free is None:
        nothing, one = np.zeros_like(shown[:, 0]), np.ones((3, 1), np.uint64)
        zeros = np.zeros(1, np.int64)
        return FreeTables(
            NEVER, one, one[:, 0].copy(), zeros, zeros, zeros, zeros, nothing, shown,
            0, 1, np.ones((1, 1), np.int64), 1,
        )  # fmt: skip
    names = (free.wheels.spins, free.wheels.collectable, free.wheels.keys)
    spins, symbols, keys = (game.wheel(name).values for name in names)
    cumulative = _cumulative(game, strips, names)
    return FreeTables(
        least=free.trigger.least,
        cumulative=cumulative,
        total=cumulative[:, -1].copy(),
        spins=np.array([int(value) for value in spins], np.int64),
        collectable=np.array([game.symbol_index[value] for value in symbols], np.int64),
        keys=np.array([int(value) for value in keys], np.int64),
        set_of=np.array(set_of, np.int64),
        extra=_extras(game, reels, shown),
        shown=shown,
        most_keys=_limit(free.key),
        per_step=free.meter.per_step,
        ladder=_ladder(game.ladder(free.ladder), units),
        start_level=free.start_level,
    )


def _extras(game: GameDefinition, tables: ReelTables, shown: Ints) -> Ints:
    """[row]: Keys, spins added and meter added in sight, each in a field of its own."""
    free = game.free_spins
    assert free is not None
    table = _in_sight(game, tables, shown, free.key.symbol, free.key.reels)
    added = (
        _in_sight(game, tables, shown, free.retrigger.symbol, free.retrigger.reels)
        * free.retrigger.spins_each
    )
    table += added << FIELD
    if free.meter.bonus:
        bonus = free.meter.bonus
        table += _in_sight(game, tables, shown, bonus.symbol, bonus.reels) * bonus.adds << (2 * FIELD)
    return table


def _cumulative(game: GameDefinition, strips: StripSet, names: tuple[str, ...]) -> Words:
    """[tier][value]: cumulative weights, the last one repeated to the longest tier."""
    weights = [[strips.wheels[name].weight(value) for value in game.wheel(name).values] for name in names]
    longest = max(len(row) for row in weights)
    return np.array([np.cumsum(row + [0] * (longest - len(row))) for row in weights], np.uint64)
