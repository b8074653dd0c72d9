"""The whole law of what a round of a line game wins, on the lattice of its smallest step.

A spin's outcomes (:mod:`workbench.exact.win_law`) are what its lines win and award, the bonuses they start, and what is in
sight; that gives the steps won, the free games and the bonuses it leads to. The round is a paid spin and all its free games
(:mod:`workbench.prob.win_series`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from workbench.errors import UsageError
from workbench.exact.line_spin import LineSpin
from workbench.exact.marks import marks_on
from workbench.exact.win_law import win_law
from workbench.game.definition import GameDefinition
from workbench.game.features import FreeSpins, HoldAndSpin, MoneyRespins
from workbench.game.line_features import Bonus
from workbench.prob.lattice import largest_step
from workbench.prob.win_series import Extra, Part, Spins, sum_law
from workbench.reels.strip_set import StripSet, Weights
from workbench.value.estimated import Estimated
from workbench.value.line_round import LineRound, line_round

Array = NDArray[np.float64]
LEFT_OUT = 1e-13
MOST_SIZE = 1 << 24
# a transform of 2^25 entries, MOST_SIZE doubled, rounds once a level
ENTRY_ERROR = 25 * 2.0**-52


@dataclass(frozen=True)
class RoundLaw:
    """``chances[k]`` = P(a round wins k steps of ``step`` bets); what is beyond the last is less than ``left_out``.

    ``error`` bounds the rounding of one entry. ``estimated`` is the part of the chances that is drawn, None where all are
    exact. Where rounds are ``dependent`` the law is that of one round in the long run, under the player's ``strategy``.
    """

    step: Fraction
    chances: Array
    left_out: float
    error: float
    estimated: Estimated | None = None
    dependent: bool = False
    strategy: str | None = None

    @cached_property
    def wins(self) -> Array:
        """The wins in bets."""
        return np.asarray(np.arange(len(self.chances)) * self.step.numerator / self.step.denominator)

    @property
    def mean(self) -> float:
        """E[win]."""
        return float(self.chances @ self.wins)

    def central_moment(self, order: int) -> float:
        """E[(win - mean)^order]."""
        return float(self.chances @ (self.wins - self.mean) ** order)

    @property
    def standard_deviation(self) -> float:
        """Of the win; 0 where rounded chances alone could make as much of E[win^2]: a certain win."""
        variance = self.central_moment(2)
        return sqrt(variance) if variance > self.error * float(self.chances @ self.wins**2) else 0.0

    @property
    def skewness(self) -> float:
        """Third central moment over the deviation cubed; 0 for a certain win."""
        deviation = self.standard_deviation
        return self.central_moment(3) / deviation**3 if deviation else 0.0

    @cached_property
    def from_above(self) -> Array:
        """P(win >= k steps)."""
        found: Array = np.cumsum(self.chances[::-1])[::-1]
        return found

    def first(self, win: float | Fraction) -> int:
        """The first step at which a win is so many bets or more."""
        return -int(-Fraction(win) // self.step)

    def at_least(self, win: float | Fraction) -> float:
        """P(win >= so many bets)."""
        first = self.first(win)
        if first <= 0:
            return 1.0
        return min(float(self.from_above[first]), 1.0) if first < len(self.chances) else 0.0

    def percentile(self, share: float) -> float:
        """The least win that at least this share of rounds doesn't exceed."""
        place = int(np.searchsorted(np.cumsum(self.chances), share - 1e-14))
        return float(self.wins[min(place, len(self.chances) - 1)])

    def likeliest(self, number: int) -> list[tuple[float, float]]:
        """The likeliest wins with their chances, likeliest first."""
        order = np.argsort(-self.chances, kind="stable")[:number]
        return [(float(self.wins[k]), float(self.chances[k])) for k in order if self.chances[k] > self.error]


def law_of(
    game: GameDefinition, strips: StripSet, quick: bool = False, strategy: str | None = None
) -> RoundLaw:
    """The law of a round of a strip set, under a strategy where the player has a choice (None: the game's default).

    ``quick`` asks for an answer within seconds; laws that are exact within that are the same. UsageError for a strategy the
    game doesn't have, and where a law can't be had.
    """
    if any(isinstance(f, HoldAndSpin | FreeSpins) for f in game.features):
        from workbench.value.kept_laws import key_round_law

        return key_round_law(game, strips, strategy, quick)
    if strategy is not None:
        raise UsageError(
            f"strategy: must be left out, as the game leaves the player no choice, but got {strategy!r}"
        )
    if game.only(MoneyRespins):
        from workbench.value.kept_laws import kept_modifier_law

        return kept_modifier_law(game, strips, quick)
    return round_law(line_round(game, strips))


def round_law(value: LineRound) -> RoundLaw:
    """The law of a round's win; UsageError where the lattice would be too fine for the memory."""
    kinds = [value.base, *([value.free] if value.free else [])]
    step = _step([kind.spin for kind in kinds])
    later = _spins(value.free.spin, step) if value.free else None
    try:
        law, left_out = sum_law(_spins(value.base.spin, step), later, MOST_SIZE, LEFT_OUT)
    except ValueError as error:
        raise UsageError(f"law: with steps of {float(step):.3g} bets, {error}") from None
    return RoundLaw(step, law, left_out, ENTRY_ERROR)


def _step(spins: list[LineSpin]) -> Fraction:
    """The largest part of a bet that every award is a whole number of."""
    amounts = set[Fraction]()
    for spin in spins:
        amounts |= {Fraction(award.coins) for award in spin.law.award if award}
        cells = range(sum(spin.game.grid.rows) + 1)
        for _, name, pays in spin.sight_pays:
            amounts |= {pays(k) for k in cells} if name not in spin.bonuses else set()
        for name in spin.bonuses:
            amounts |= {Fraction(text) * spin.factor_of(name) for text in _prizes(spin, name).values}
    return largest_step(amounts) / spins[0].game.bet.coins


def _bonus(spin: LineSpin, name: str) -> Bonus:
    return next(b for b in spin.game.features_of(Bonus) if b.name == name)


def _prizes(spin: LineSpin, name: str) -> Weights:
    return spin.wheels[_bonus(spin, name).prizes]


def _extras(spin: LineSpin, step: Fraction) -> list[Extra]:
    """One for each bonus of the spin."""
    found = []
    for name in spin.bonuses:
        prizes, bonus = _prizes(spin, name), _bonus(spin, name)
        unit = Fraction(spin.factor_of(name), spin.game.bet.coins) / step
        steps = np.array([int(Fraction(text) * unit) for text in prizes.values], dtype=np.int64)
        chances = np.array(prizes.weights) / prizes.total
        draws = np.array([0.0, 1.0])
        if bonus.draws:
            wheel = spin.wheels[bonus.draws]
            draws = np.zeros(max(map(int, wheel.values)) + 1)
            for text, weight in wheel.items():
                draws[int(text)] += weight / wheel.total
        found.append(Extra(steps, chances, draws))
    return found


def _spins(spin: LineSpin, step: Fraction) -> Spins:
    """A spin's outcomes by what they lead to, and the bonuses."""
    names = list(spin.bonuses)
    starts = [lambda a, n=n: sum(b.name == n for b in spin.started(a)) for n in names]
    gains = spin.gains(lambda award: award.coins, spin.spins, *starts)
    most = [sum(spin.game.grid.rows)] * len(spin.marks)
    marks = marks_on(spin.game, spin.reels, list(spin.marks), most)
    law = win_law(spin.game, spin.reels, spin.ways, gains, marks)
    numbers = marks.numbers
    sight = [_by_sight(spin, tuple(int(k) for k in row), names) for row in numbers]
    unit = 1 / (step * spin.game.bet.coins)
    steps = law.values[:, 0] * unit.numerator // unit.denominator
    steps = steps + np.array([int(coins * unit) for coins, _, _ in sight])[law.marks]
    further = law.values[:, 1] + np.array([n for _, n, _ in sight])[law.marks]
    begun = law.values[:, 2:] + np.array([b for _, _, b in sight]).reshape(len(sight), len(names))[law.marks]
    leads = np.concatenate([further[:, None], begun], axis=1)
    kinds, place = np.unique(leads, axis=0, return_inverse=True)
    found = []
    for i, kind in enumerate(kinds.tolist()):
        here = place.ravel() == i
        found.append(Part(steps[here], law.counts[here] / law.cycle, int(kind[0]), tuple(kind[1:])))
    return Spins(tuple(found), tuple(_extras(spin, step)))


def _by_sight(
    spin: LineSpin, numbers: tuple[int, ...], names: list[str]
) -> tuple[Fraction, int, tuple[int, ...]]:
    """(coins of Scatter pays, free games, starts of each bonus) for numbers in sight."""
    coins = sum(
        (pays(numbers[place]) for place, name, pays in spin.sight_pays if name not in spin.bonuses),
        Fraction(0),
    )
    seen = spin.sight_spins
    starts = dict.fromkeys(names, 0)
    for name in names:
        trigger = _bonus(spin, name).in_sight
        if trigger and numbers[spin.mark_of(trigger.symbol, trigger.reels)] >= trigger.least:
            starts[name] = 1
    return coins, int(seen[1](numbers[seen[0]])) if seen else 0, tuple(starts.values())
