"""A line game's round by enumeration of the cycle, in fractions; the moments of free games by their own recursion.

Per outcome (v, m) of a free game, with f = E[F] and s = E[F^2] of one free game and all it leads to,

    f = E[v + m f],    s = E[v^2 + 2 v m f + m s + m (m - 1) f^2],

both linear in the unknown; a round's square likewise with a paid spin's outcome. Wins in total bets.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

from workbench.game.definition import GameDefinition
from workbench.game.line_features import Bonus, ScatterPays, at_count
from workbench.reels.strip_set import StripSet, Weights

from .line_rule import LineAward, line_award
from .line_strips import weighted_screens
from .spin import Screen, visible


@dataclass
class SpinSums:
    """Weighted sums over a cycle; ``outcomes`` counts (mean win given the screen, variance of it, free games)."""

    cycle: int = 0
    components: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[tuple[Fraction, Fraction, int]] = field(default_factory=Counter)
    hits: Counter[tuple[str, int, int]] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    in_sight: Counter[tuple[str, tuple[int, ...], int]] = field(default_factory=Counter)
    top: Counter[int] = field(default_factory=Counter)

    def mean(self, of: str) -> Fraction:
        """A component of the win."""
        return Fraction(self.components[of]) / self.cycle

    def chance(self, event: str) -> Fraction:
        """P(event)."""
        return Fraction(self.events[event], self.cycle)

    def expected(self, value) -> Fraction:
        """Expected value of a function of the outcome."""
        return sum((n * Fraction(value(*o)) for o, n in self.outcomes.items()), Fraction(0)) / self.cycle


def _moments(wheel: Weights) -> tuple[Fraction, Fraction]:
    mean = sum(Fraction(v) * w for v, w in wheel.items()) / Fraction(wheel.total)
    return mean, sum((Fraction(v) - mean) ** 2 * w for v, w in wheel.items()) / Fraction(wheel.total)


def bonus_moments(
    game: GameDefinition, strips: StripSet, bonus: Bonus, free: bool
) -> tuple[Fraction, Fraction] | None:
    """Mean and variance of one bonus in bets; None where it isn't given. By conditioning on the number of draws."""
    factor = Fraction(1) if bonus.per == "total-bet" else Fraction(1, game.bet.coins)
    if free and bonus.in_free_games == "never":
        return None
    if free and bonus.in_free_games == "multiplied":
        factor *= game.free_games.multiplier
    mean, variance = _moments(strips.wheels[bonus.prizes])
    draws = strips.wheels[bonus.draws] if bonus.draws else Weights("one", ("1",), (1,))
    first = sum(w * int(n) * mean for n, w in draws.items()) / draws.total
    square = sum(w * (int(n) * variance + (int(n) * mean) ** 2) for n, w in draws.items()) / draws.total
    return first * factor, (square - first**2) * factor**2


def spin_sums(game: GameDefinition, strips: StripSet, free: bool) -> SpinSums:
    """Everything of one kind of spin, screen by screen."""
    name = game.free_games.reels if free else "base"
    found = SpinSums()
    judged = cache(lambda line: line_award(game, line, free))
    for weight, screen in weighted_screens(game, strips, name):
        found.cycle += weight
        won = [judged(tuple(screen[r][row] for r, row in enumerate(line))) for line in game.lines]
        _screen(game, strips, free, found, weight, screen, [award for award in won if award])
    return found


def _screen(
    game: GameDefinition,
    strips: StripSet,
    free: bool,
    found: SpinSums,
    weight: int,
    screen: Screen,
    won: list[LineAward],
) -> None:
    bet, feature = game.bet.coins, game.free_games
    parts: Counter[str] = Counter()
    parts["lines"] = Fraction(sum(award.coins for award in won), bet)
    variance, spins = Fraction(0), 0
    events: set[str] = set()
    for award in won:
        found.hits[(award.name, award.length, award.coins)] += weight
    for part in game.features_of(ScatterPays):
        seen = visible(screen, part.symbol, part.reels)
        paid = Fraction(str(at_count(part.pays, seen, part.beyond)))
        paid *= 1 if part.per == "total-bet" else Fraction(1, bet)
        paid *= feature.scatter_factor if free else 1
        parts[part.name] += paid
        events |= {part.name, "hit"} if paid else set()
    for bonus in game.features_of(Bonus):
        law = bonus_moments(game, strips, bonus, free)
        if law is None:
            continue
        starts = sum(bonus.name in award.bonuses for award in won)
        if bonus.in_sight:
            starts = int(visible(screen, bonus.in_sight.symbol, bonus.in_sight.reels) >= bonus.in_sight.least)
        parts[bonus.name] += starts * law[0]
        variance += starts * law[1]
        events |= {bonus.name, "hit"} if starts else set()
        events |= {"line"} if starts and bonus.line else set()
    if any(award.coins for award in won):
        events |= {"line", "hit"}
    if feature:
        spins = _awarded(game, free, screen, won)
        events |= {"award"} if spins else set()
    for mark in {(p.symbol, tuple(sorted(p.reels))) for p in _counted(game)}:
        found.in_sight[(*mark, visible(screen, *mark))] += weight
    for event in events:
        found.events[event] += weight
    for part_name, amount in parts.items():
        found.components[part_name] += amount * weight
    found.outcomes[(sum(parts.values(), Fraction(0)), variance, spins)] += weight
    found.top[max((award.coins for award in won), default=0)] += weight


def _counted(game: GameDefinition):
    for part in game.features:
        listed = [part, getattr(part, "scatter", None), getattr(part, "in_sight", None)]
        yield from (p for p in listed if p is not None and hasattr(p, "symbol") and hasattr(p, "reels"))


def _awarded(game: GameDefinition, free: bool, screen: Screen, won: list[LineAward]) -> int:
    feature, spins = game.free_games, 0
    if feature.scatter:
        table = feature.scatter.spins_in_free_games if free else feature.scatter.spins
        spins += at_count(
            table, visible(screen, feature.scatter.symbol, feature.scatter.reels), feature.scatter.beyond
        )
    if feature.lines:
        by_line = feature.lines.spins_in_free_games if free else feature.lines.spins
        spins += sum(by_line.get(award.name, {}).get(award.length, 0) for award in won)
    return spins


@dataclass(frozen=True)
class RoundMoments:
    """Mean and variance of a round, and of a free game with all it leads to."""

    mean: Fraction
    variance: Fraction
    free_mean: Fraction
    played: Fraction


def round_moments(base: SpinSums, free: SpinSums | None) -> RoundMoments:
    """The recursion of the module's head."""
    f = s = q = Fraction(0)
    if free:
        q = free.expected(lambda v, x, m: m)
        f = free.expected(lambda v, x, m: v) / (1 - q)
        s = free.expected(lambda v, x, m: v**2 + x + 2 * v * m * f + m * (m - 1) * f**2) / (1 - q)
    mean = base.expected(lambda w, x, n: w + n * f)
    square = base.expected(lambda w, x, n: w**2 + x + 2 * w * n * f + n * s + n * (n - 1) * f**2)
    return RoundMoments(mean, square - mean**2, f, base.expected(lambda w, x, n: n) / (1 - q))
