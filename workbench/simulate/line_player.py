"""A player of line games in plain Python: one complete round, told event by event.

It draws random numbers in the order in which a player sees them decided: the paid spin's stops from reel 1; its bonuses
in the definition's order, each time the number of prizes (if a wheel says it) and then each prize; then free game
after free game in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from workbench.errors import EndlessFeatureError
from workbench.game import GameDefinition
from workbench.game.line_features import Bonus, FreeGames, ScatterPays, at_count
from workbench.reels.strip_set import StripSet
from workbench.simulate.line_events import BonusWon, LineGameEvent, LineRound, LineSpin
from workbench.simulate.line_rule import BASE, FREE, LineRule, LineWon, component_names, mark_names
from workbench.simulate.lines import Window, in_sight
from workbench.simulate.source import Source
from workbench.simulate.units import exact

MOST_SPINS = 1 << 20


@dataclass(frozen=True)
class LinePlayer:
    """Plays rounds of a line game on a strip set, drawing from a source; wins are told in units of 1/``units`` bet."""

    game: GameDefinition
    strips: StripSet
    units: int
    source: Source

    @cached_property
    def _rule(self) -> LineRule:
        return LineRule(self.game)

    def round(self) -> LineRound:
        """One paid round. Raises EndlessFeatureError if its free games reach 2^20."""
        names = component_names(self.game)
        free = self.game.free_games
        wins: dict[str, Fraction] = dict.fromkeys(names, Fraction(0))
        events = list(self._spin(0, "base", wins))
        spin = events[0]
        assert isinstance(spin, LineSpin)
        if free:
            within = dict.fromkeys(names, Fraction(0))
            events += self._free_games(free, spin.awarded, within)
            wins |= {f"{free.name}.{name}": win for name, win in within.items()}
        return LineRound(tuple(events), {name: _whole(win * self.units) for name, win in wins.items()})

    def _free_games(
        self, free: FreeGames, awarded: int, wins: dict[str, Fraction]
    ) -> Iterator[LineGameEvent]:
        left, number = awarded, 0
        while left > 0:
            number += 1
            if number > MOST_SPINS:
                raise EndlessFeatureError(f"{free.name}: still going after {MOST_SPINS} spins")
            for event in self._spin(number, free.reels, wins):
                left += event.awarded - 1 if isinstance(event, LineSpin) else 0
                yield event

    def _spin(self, number: int, reels: str, wins: dict[str, Fraction]) -> Iterator[LineGameEvent]:
        """One spin and its bonuses; ``wins`` [component] in bets grows."""
        kind = FREE if number else BASE
        stops, window = self._halt(reels)
        shown = ([window[r][row] for r, row in enumerate(line)] for line in self.game.lines)
        won = (self._rule.won(i, symbols, kind) for i, symbols in enumerate(shown))
        lines = tuple(line for line in won if line)
        seen = {name: in_sight(window, *mark) for mark, name in mark_names(self.game).items()}
        scatters = dict(self._scatters(window, kind))
        wins["lines"] += Fraction(sum(line.coins for line in lines), self.game.bet.coins)
        for name, win in scatters.items():
            wins[name] += win
        pays = {name: float(win) for name, win in scatters.items() if win}
        yield LineSpin(number, stops, window, lines, seen, pays, self._awarded(window, lines, kind))
        for bonus in self.game.features_of(Bonus):
            for _ in range(self._times(bonus, window, lines, kind)):
                prizes, factor, win = self._bonus(bonus, kind)
                wins[bonus.name] += win
                yield BonusWon(bonus.name, prizes, factor, float(win))

    def _halt(self, name: str) -> tuple[tuple[int, ...], Window]:
        """Halt every reel at a stop, each as likely as its weight: the stops and the window."""
        reels, weights = self.strips.reels[name], self.strips.weights_of(name)
        stops = tuple(
            self._weighted(weights[r]) if weights else self.source.below(len(strip))
            for r, strip in enumerate(reels)
        )
        window = tuple(
            tuple(strip[(stop + row) % len(strip)] for row in range(rows))
            for strip, stop, rows in zip(reels, stops, self.game.grid.rows, strict=True)
        )
        return stops, window

    def _weighted(self, weights: tuple[int, ...]) -> int:
        drawn = self.source.below(sum(weights))
        for place, weight in enumerate(weights):
            if drawn < weight:
                return place
            drawn -= weight
        raise AssertionError("a number drawn beyond the weights")

    def _turn(self, wheel: str) -> str:
        """One value of a wheel, in the order of the definition."""
        values, weights = self.game.wheel(wheel).values, self.strips.wheels[wheel]
        return values[self._weighted(tuple(weights.weight(value) for value in values))]

    def _scatters(self, window: Window, kind: int) -> Iterator[tuple[str, Fraction]]:
        """What each Scatter pays, in bets."""
        for scatter in self.game.features_of(ScatterPays):
            seen = in_sight(window, scatter.symbol, scatter.reels)
            pay = exact(at_count(scatter.pays, seen, scatter.beyond)) * _bets(self.game, scatter.per)
            free = self.game.free_games
            yield scatter.name, pay * (free.scatter_factor if free and kind == FREE else 1)

    def _awarded(self, window: Window, lines: tuple[LineWon, ...], kind: int) -> int:
        """Free games awarded by what is in sight and by every line won."""
        free, awarded = self.game.free_games, 0
        if free and free.scatter:
            listed = free.scatter.spins_in_free_games if kind == FREE else free.scatter.spins
            seen = in_sight(window, free.scatter.symbol, free.scatter.reels)
            awarded += at_count(listed, seen, free.scatter.beyond)
        if free and free.lines:
            by_line = free.lines.spins_in_free_games if kind == FREE else free.lines.spins
            awarded += sum(by_line.get(line.combination, {}).get(line.length, 0) for line in lines)
        return awarded

    def _times(self, bonus: Bonus, window: Window, lines: tuple[LineWon, ...], kind: int) -> int:
        """How often a spin gives a bonus."""
        if bonus.in_sight is None:
            return sum(bonus.name in line.bonuses for line in lines)
        if kind == FREE and bonus.in_free_games == "never":
            return 0
        return int(in_sight(window, bonus.in_sight.symbol, bonus.in_sight.reels) >= bonus.in_sight.least)

    def _bonus(self, bonus: Bonus, kind: int) -> tuple[tuple[str, ...], int, Fraction]:
        """The prizes drawn, what they are multiplied by, and their win in bets."""
        number = int(self._turn(bonus.draws)) if bonus.draws else 1
        prizes = tuple(self._turn(bonus.prizes) for _ in range(number))
        free = self.game.free_games
        multiplied = free is not None and kind == FREE and bonus.in_free_games == "multiplied"
        factor = free.multiplier if free and multiplied else 1
        return prizes, factor, factor * sum(map(exact, prizes), Fraction(0)) * _bets(self.game, bonus.per)


def _bets(game: GameDefinition, per: str) -> Fraction:
    """The unit of an amount in total bets."""
    return Fraction(1, game.bet.coins) if per == "line-bet" else Fraction(1)


def _whole(units: Fraction) -> int:
    assert units.denominator == 1, "a win is no whole number of units"
    return units.numerator
