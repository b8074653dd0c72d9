"""A line game as the arrays its kernel reads: lines, units, wheels, what is counted in sight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from workbench.game import GameDefinition
from workbench.game.line_consistency import combination_names, counted_in_sight
from workbench.game.line_features import Bonus, ScatterPays, at_count
from workbench.reels.strip_set import Reels, StripSet
from workbench.simulate._line_game_shapes_kernels import (
    NOT_COUNTED,
    SQ_PARTS,
    SUMS,
    BonusWheels,
    LineCounts,
    LineGameTables,
    LineRules,
    SightRules,
)
from workbench.simulate._shapes_kernels import Words
from workbench.simulate.layout import Layout
from workbench.simulate.line_reading import LineReader, StateTable, StateTableBuilder, symbol_classes
from workbench.simulate.line_reels import WORD, column_count, least_anywhere, spin_reels
from workbench.simulate.line_rule import BASE, FREE, component_names
from workbench.simulate.units import exact, units_per_bet

KINDS = (BASE, FREE)


@dataclass(frozen=True)
class LineGame:
    """A line game with a strip set that fits it, and the states its lines are read by."""

    game: GameDefinition
    strips: StripSet
    states: StateTable

    @classmethod
    def of(cls, game: GameDefinition, strips: StripSet) -> LineGame:
        """The game with the states that its reels can reach."""
        builder = StateTableBuilder(symbol_classes(game))
        for kind, name in zip(KINDS, set_names(game), strict=True):
            builder.add(LineReader(game, kind), strips.reels[name])
        return cls(game, strips, builder.table())

    @property
    def reels(self) -> tuple[Reels, Reels]:
        """The reels of both kinds of spin."""
        base, free = (self.strips.reels[name] for name in set_names(self.game))
        return base, free

    @property
    def units(self) -> int:
        """Units in one total bet (see :mod:`workbench.simulate.units`): of every award these reels can give."""
        coins = self.game.bet.coins
        lines = (Fraction(award.coins, coins) for award in self.states.awards)
        scatters = (pay for f in self.game.features_of(ScatterPays) for k in KINDS for pay in self.pays(f, k))
        prizes = (win for b in self.game.features_of(Bonus) for k in KINDS for win in self.prizes(b, k))
        return units_per_bet([*lines, *scatters, *prizes])

    def pays(self, scatter: ScatterPays, kind: int) -> Iterator[Fraction]:
        """What a Scatter pays in bets, by number in sight from 0 to all cells."""
        free = self.game.free_games
        factor = free.scatter_factor if free and kind == FREE else 1
        for number in range(sum(self.game.grid.rows) + 1):
            yield exact(at_count(scatter.pays, number, scatter.beyond)) * factor * self._bets(scatter.per)

    def prizes(self, bonus: Bonus, kind: int) -> Iterator[Fraction]:
        """Prizes of a bonus in bets, by value of its wheel."""
        free = self.game.free_games
        multiplied = free and kind == FREE and bonus.in_free_games == "multiplied"
        factor = free.multiplier if free and multiplied else 1
        for value in self.game.wheel(bonus.prizes).values:
            yield exact(value) * factor * self._bets(bonus.per)

    def _bets(self, per: str) -> Fraction:
        return Fraction(1, self.game.bet.coins) if per == "line-bet" else Fraction(1)


def set_names(game: GameDefinition) -> tuple[str, str]:
    """Names of the reels of both kinds of spin; those of free games stand idle in a game without any."""
    return "base", game.free_games.reels if game.free_games else "base"


def hit_names(game: GameDefinition) -> tuple[str, ...]:
    """Names of what a line may win: combinations that pay, and symbols whose runs trigger a bonus."""
    triggers = (bonus.line.symbol for bonus in game.features_of(Bonus) if bonus.line)
    return tuple(dict.fromkeys((*combination_names(game), *triggers)))


def line_layout(game: GameDefinition) -> Layout:
    """The counts of a line game."""
    components, cells = len(component_names(game)), sum(game.grid.rows)
    shapes: dict[str, tuple[int, ...]] = {
        "sums": (len(SUMS),),
        "parts": (len(KINDS), components),
        "paid": (components,),
        "in_sight": (len(KINDS), len(counted_in_sight(game)), cells + 1),
        "hits": (len(KINDS), len(hit_names(game)), game.reel_count + 1),
    }
    return Layout(tuple((name, shapes[name]) for name in LineCounts._fields))


def line_squares(game: GameDefinition) -> tuple[str, ...]:
    """Names of the sums of squares, those of free games by the words ``free`` and ``free.``."""
    names = component_names(game)
    found = ("win", "spin", "free.spin", "free", "free.played", *names, *(f"free.{name}" for name in names))
    assert len(found) == SQ_PARTS + 2 * len(names)
    return found


def line_game_tables(line_game: LineGame) -> LineGameTables:
    """The tables of a line game."""
    game, units = line_game.game, line_game.units
    return LineGameTables(
        reels=spin_reels(game, line_game.strips, set_names(game)),
        rules=_rules(line_game, units),
        sight=_sight(line_game, units),
        wheels=_wheels(line_game, units),
        top=line_game.states.most[BASE] * units // game.bet.coins,
    )


def _rules(line_game: LineGame, units: int) -> LineRules:
    game, states = line_game.game, line_game.states
    names, bonuses, free = hit_names(game), [b.name for b in game.features_of(Bonus)], game.free_games
    by_kind = (free.lines.spins, free.lines.spins_in_free_games) if free and free.lines else ({}, {})
    spins = [[0, *(by.get(a.combination, {}).get(a.length, 0) for a in states.awards)] for by in by_kind]
    given = [[0] * len(bonuses), *([int(b in a.bonuses) for b in bonuses] for a in states.awards)]
    return LineRules(
        words=-(-len(game.lines) // WORD),
        columns=column_count(game),
        least_anywhere=np.array(least_anywhere(game), np.int64),
        line_rows=np.array(game.lines, np.uint64),
        next=states.next,
        starts=np.array(states.starts, np.uint64),
        pay=np.array([0, *(a.coins * units // game.bet.coins for a in states.awards)], np.int64),
        combination=np.array([0, *(names.index(a.combination) for a in states.awards)], np.uint64),
        length=np.array([0, *(a.length for a in states.awards)], np.uint64),
        pays=np.array([0, *(int(bool(a.coins or a.bonuses)) for a in states.awards)], np.int64),
        spins=np.array(spins, np.int64),
        bonuses=np.array(given, np.int64).reshape(len(given), len(bonuses)),
    )


def _sight(line_game: LineGame, units: int) -> SightRules:
    game = line_game.game
    marks = counted_in_sight(game)
    scatters, bonuses = game.features_of(ScatterPays), game.features_of(Bonus)
    cells = sum(game.grid.rows)

    def mark(symbol: str, reels: Sequence[int]) -> int:
        return marks.index((symbol, tuple(sorted(reels))))

    seen = [b.in_sight for b in bonuses]
    pays = [[[int(pay * units) for pay in line_game.pays(f, k)] for f in scatters] for k in KINDS]
    awards = game.free_games.scatter if game.free_games else None
    listed = (awards.spins, awards.spins_in_free_games) if awards else ()
    spins = [[at_count(t, n, awards.beyond) if awards else 0 for n in range(cells + 1)] for t in listed]
    return SightRules(
        marks=len(marks),
        scatter_mark=np.array([mark(f.symbol, f.reels) for f in scatters], np.int64),
        scatter_pay=np.array(pays, np.int64).reshape(len(KINDS), len(scatters), cells + 1),
        bonus_mark=np.array([mark(s.symbol, s.reels) if s else NOT_COUNTED for s in seen], np.int64),
        bonus_least=np.array([s.least if s else 0 for s in seen], np.int64),
        free_mark=mark(awards.symbol, awards.reels) if awards else NOT_COUNTED,
        free_spins=np.array(spins or [[0]] * len(KINDS), np.int64),
    )


def _wheels(line_game: LineGame, units: int) -> BonusWheels:
    game = line_game.game
    bonuses = game.features_of(Bonus)
    draws, draws_total = _cumulative(line_game, [b.draws for b in bonuses])
    prizes, prizes_total = _cumulative(line_game, [b.prizes for b in bonuses])
    numbers, wins = np.zeros(draws.shape, np.int64), np.zeros((len(KINDS), *prizes.shape), np.int64)
    for i, bonus in enumerate(bonuses):
        if bonus.draws:
            values = game.wheel(bonus.draws).values
            numbers[i, : len(values)] = [int(value) for value in values]
        for kind in KINDS:
            worth = [int(win * units) for win in line_game.prizes(bonus, kind)]
            wins[kind, i, : len(worth)] = worth
    given = [[1] * len(bonuses), [int(b.in_free_games != "never") for b in bonuses]]
    return BonusWheels(np.array(given, np.int64), draws, draws_total, numbers, prizes, prizes_total, wins)


def _cumulative(line_game: LineGame, names: Sequence[str | None]) -> tuple[Words, Words]:
    """[wheel][value] cumulative weights, the last one repeated, and the totals; 0 where there is no wheel."""
    values = [line_game.game.wheel(name).values if name else () for name in names]
    table = np.zeros((len(names), max(map(len, values), default=0) or 1), np.uint64)
    for i, name in enumerate(names):
        if name:
            weights = [line_game.strips.wheels[name].weight(value) for value in values[i]]
            table[i, : len(weights)] = np.cumsum(weights)
            table[i, len(weights) :] = sum(weights)
    return table, table[:, -1].copy()
