"""One spin of a line game: what it wins, and how many free games it awards, as far as first and second moments go.

A spin wins L over its lines, S by what is in sight, and awards N = N_s + N_l free games by sight and by lines. L and N_l
are sums over lines; S and N_s are functions of the marks in sight (:mod:`workbench.exact.marks`), S a sum over marks. So

    E[L S] = sum over marks i and numbers k of S_i(k) E[L; number_i = k],

and likewise for the other products. A bonus is independent of all else once it starts: with mean b and variance v it
counts b where it starts, and v times its expected number of starts comes on top of the second moment. Wins in coins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from workbench.exact.gains import Gains, gains_of
from workbench.exact.hit_law import HitLaw, hit_law
from workbench.exact.line_hits import LineHits, line_hits
from workbench.exact.line_law import Identity, LineLaw, line_law
from workbench.exact.line_rules import Award, Mode
from workbench.exact.marks import Mark, Marks, marks_on
from workbench.exact.weighted_lines import LineSums, line_sums
from workbench.game.definition import GameDefinition
from workbench.game.line_consistency import counted_in_sight
from workbench.game.line_features import Bonus, ScatterPays, at_count
from workbench.reels.strip_set import Reels, StopWeights, Weights

Table = dict[int, Fraction]


@dataclass(frozen=True)
class BonusLaw:
    """Mean and variance of one bonus, in coins."""

    mean: Fraction
    variance: Fraction


def bonus_law(bonus: Bonus, prizes: Weights, draws: Weights | None, factor: int) -> BonusLaw:
    """The law of n independent prizes, n drawn from ``draws`` (one without it), each times ``factor`` coins.

    >>> law = bonus_law(Bonus.model_validate({"kind": "bonus", "name": "b", "line": {"symbol": "x", "least": 3},
    ...     "prizes": "p", "per": "line-bet"}), Weights("p", ("1", "3"), (1, 1)), Weights("d", ("2",), (1,)), 1)
    >>> law.mean, law.variance
    (Fraction(4, 1), Fraction(2, 1))
    """
    mean, variance = _moments(prizes)
    number, spread = _moments(draws) if draws else (Fraction(1), Fraction(0))
    return BonusLaw(number * mean * factor, (number * variance + spread * mean**2) * factor**2)


def _moments(wheel: Weights) -> tuple[Fraction, Fraction]:
    mean = sum((Fraction(v) * w for v, w in wheel.items()), Fraction(0)) / wheel.total
    square = sum((Fraction(v) ** 2 * w for v, w in wheel.items()), Fraction(0)) / wheel.total
    return mean, square - mean**2


@lru_cache(maxsize=256)
def _gains(holder: Identity, mode: Mode, values: tuple[tuple[tuple[Award, float], ...], ...]) -> Gains:
    tables = [dict(value) for value in values]
    return gains_of(line_law(holder.game, mode), [lambda a, t=t: t.get(a, 0.0) for t in tables])  # type: ignore[misc]


@dataclass(frozen=True)
class LineSpin:
    """A kind of spin ("base" or "free") on some strips: everything the round needs of it.

    ``weights`` are None where stops are equally likely; ``wheels`` those of the strip set.
    """

    game: GameDefinition
    mode: Mode
    reels: Reels
    weights: StopWeights | None
    wheels: Mapping[str, Weights]

    @cached_property
    def law(self) -> LineLaw:
        """The law of one line."""
        return line_law(self.game, self.mode)

    @cached_property
    def ways(self) -> list[NDArray[np.int64]]:
        """(stops,) of each reel: the weight of each stop, 1 where none is given."""
        if self.weights is None:
            return [np.ones(len(strip), dtype=np.int64) for strip in self.reels]
        return [np.array(w, dtype=np.int64) for w in self.weights]

    @cached_property
    def hits(self) -> LineHits:
        """Hits of every award."""
        return line_hits(self.game, self.reels, self.ways if self.weights else None, self.mode)

    @property
    def cycle(self) -> int:
        """Number of stop combinations, or the product of the reels' total weights."""
        return self.hits.cycle

    def expected(self, value: Callable[[Award], Fraction | int]) -> Fraction:
        """Expected sum of a value over the lines of a spin."""
        total = sum((count * Fraction(value(award)) for award, count in self.hits.hits.items()), Fraction(0))
        return total * self.hits.lines / self.cycle

    # what awards and numbers in sight are worth

    @cached_property
    def bonuses(self) -> dict[str, BonusLaw]:
        """The law of each bonus in this kind of spin; those that are never given here are left out."""
        found = {}
        for bonus in self.game.features_of(Bonus):
            if self.mode == "free" and bonus.in_free_games == "never":
                continue
            draws = self.wheels[bonus.draws] if bonus.draws else None
            factor = self.factor_of(bonus.name)
            found[bonus.name] = bonus_law(bonus, self.wheels[bonus.prizes], draws, factor)
        return found

    def factor_of(self, name: str) -> int:
        """Coins that one unit of a bonus's prizes is worth in this kind of spin."""
        bonus = next(b for b in self.game.features_of(Bonus) if b.name == name)
        factor = 1 if bonus.per == "line-bet" else self.game.bet.coins
        if self.mode == "free" and bonus.in_free_games == "multiplied" and self.game.free_games:
            factor *= self.game.free_games.multiplier
        return factor

    def started(self, award: Award) -> list[Bonus]:
        """The bonuses a line with this award starts in this kind of spin."""
        name = self.law.names[award.symbol]
        return [
            b
            for b in self.game.features_of(Bonus)
            if b.name in self.bonuses
            and b.line
            and award.bonus
            and b.line.symbol == name
            and award.length >= b.line.least
        ]

    def coins(self, award: Award) -> Fraction:
        """What an award is worth, the means of its bonuses included."""
        return award.coins + sum((self.bonuses[b.name].mean for b in self.started(award)), Fraction(0))

    def spins(self, award: Award) -> int:
        """Free games an award of a line adds."""
        free = self.game.free_games
        if free is None or free.lines is None:
            return 0
        table = free.lines.spins if self.mode == "base" else free.lines.spins_in_free_games
        return table.get(self.combination(award), {}).get(award.length, 0)

    def combination(self, award: Award) -> str:
        """The name of an award's combination."""
        return self.law.names[award.symbol]

    @cached_property
    def marks(self) -> tuple[Mark, ...]:
        """What is counted in sight."""
        return counted_in_sight(self.game)

    def scatter_pays(self, feature: ScatterPays) -> Callable[[int], Fraction]:
        """Coins a Scatter pays by the number in sight."""
        factor = 1 if feature.per == "line-bet" else self.game.bet.coins
        if self.mode == "free" and self.game.free_games:
            factor *= self.game.free_games.scatter_factor
        return lambda k: Fraction(str(at_count(feature.pays, k, feature.beyond))) * factor

    def mark_of(self, symbol: str, reels: Sequence[int]) -> int:
        """The place of a mark."""
        return self.marks.index((symbol, tuple(sorted(reels))))

    @cached_property
    def sight_pays(self) -> list[tuple[int, str, Callable[[int], Fraction]]]:
        """What pays by sight: (mark, feature, coins by number), bonuses by their mean."""
        found: list[tuple[int, str, Callable[[int], Fraction]]] = []
        for feature in self.game.features_of(ScatterPays):
            found.append(
                (self.mark_of(feature.symbol, feature.reels), feature.name, self.scatter_pays(feature))
            )
        for bonus in self.game.features_of(Bonus):
            if bonus.in_sight and bonus.name in self.bonuses:
                mean, least = self.bonuses[bonus.name].mean, bonus.in_sight.least
                place = self.mark_of(bonus.in_sight.symbol, bonus.in_sight.reels)
                found.append(
                    (place, bonus.name, lambda k, m=mean, n=least: m if k >= n else Fraction(0))  # type: ignore[misc]
                )
        return found

    @cached_property
    def sight_spins(self) -> tuple[int, Callable[[int], int]] | None:
        """(mark, free games by number in sight), or None."""
        free = self.game.free_games
        if free is None or free.scatter is None:
            return None
        awards = free.scatter
        table = awards.spins if self.mode == "base" else awards.spins_in_free_games
        return self.mark_of(awards.symbol, awards.reels), lambda k: at_count(table, k, awards.beyond)

    # laws

    @cached_property
    def in_sight(self) -> tuple[list[int], ...]:
        """For each mark the stop combinations by number in sight, from 0 to the most there can be."""
        return tuple(self._one_mark(i).law(self.ways) for i in range(len(self.marks)))

    def _one_mark(self, place: int) -> Marks:
        return marks_on(self.game, self.reels, [self.marks[place]], [sum(self.game.grid.rows)])

    def by_sight(self, place: int, value: Callable[[int], Fraction | int]) -> Fraction:
        """Expected value of a function of the number of a mark in sight."""
        law = self.in_sight[place]
        return sum((n * Fraction(value(k)) for k, n in enumerate(law)), Fraction(0)) / self.cycle

    def joint_by_sight(
        self,
        one: tuple[int, Callable[[int], Fraction | int]],
        two: tuple[int, Callable[[int], Fraction | int]],
    ) -> Fraction:
        """Expected product of functions of two marks."""
        if one[0] == two[0]:
            return self.by_sight(one[0], lambda k: one[1](k) * two[1](k))
        both = self._joint_marks(one[0], two[0])
        law = both.law(self.ways)
        total = sum(
            (
                n * Fraction(one[1](int(a))) * two[1](int(b))
                for n, (a, b) in zip(law, both.numbers, strict=True)
            ),
            Fraction(0),
        )
        return total / self.cycle

    def _joint_marks(self, one: int, two: int) -> Marks:
        most = sum(self.game.grid.rows)
        return marks_on(self.game, self.reels, [self.marks[one], self.marks[two]], [most, most])

    def gains(self, *values: Callable[[Award], Fraction | int]) -> Gains:
        """The edges for some values of this kind of spin's awards, compiled once per values."""
        awards = [award for award in self.law.award if award is not None]
        tables = tuple(tuple((a, float(value(a))) for a in awards) for value in values)
        return _gains(Identity(self.game), self.mode, tables)

    @cached_property
    def sums(self) -> LineSums:
        """Sums over lines of coins (bonus means included) and of free games."""
        weights = [w[:, None].astype(np.float64) for w in self.ways]
        return line_sums(self.game, self.gains(self.coins, self.spins), self.reels, weights)

    def lines_by_sight(self, value: int, place: int) -> list[Fraction]:
        """E[sum over lines of coins (0) or free games (1); number of a mark in sight]."""
        marks = self._one_mark(place)
        found = self.sums.marked(value, marks.codes, marks.plus)
        return [Fraction(float(x)) / self.cycle for x in found]

    def some_line(
        self, value: Callable[[Award], bool], paying: Mapping[int, Callable[[int], bool]]
    ) -> Fraction:
        """P(some line has an award of that kind, or the number of some mark in sight is one that pays)."""
        places = list(paying)
        caps = [self._cap(paying[i]) for i in places]
        marks = marks_on(self.game, self.reels, [self.marks[i] for i in places], caps)
        law: HitLaw = hit_law(self.game, self.reels, self.ways, self.gains(lambda a: int(value(a))), marks)
        seen = [any(paying[i](int(k)) for i, k in zip(places, row, strict=True)) for row in marks.numbers]
        missed = sum(count for count, pays in zip(law.counts[0], seen, strict=True) if not pays)
        return Fraction(law.cycle - missed, law.cycle)

    def _cap(self, pays: Callable[[int], bool]) -> int:
        """The number in sight from which on more make no difference."""
        cap = sum(self.game.grid.rows)
        while cap and pays(cap - 1) == pays(cap):
            cap -= 1
        return cap
