"""What a round of a line game is worth: a paid spin and all the free games it leads to.

A spin wins W and awards N free games, jointly; a free game does so as (V, M), and each of its free games likewise. So the
worth F of one free game with all it leads to is V plus M independent copies of F, and the round is W plus N of them:

    q = E[M],    E[F] = E[V] / (1 - q),
    Var F = (Var V + 2 E[F] Cov(V, M) + E[F]^2 Var M) / (1 - q),
    E[round] = E[W] + E[N] E[F],    Var round = Var W + 2 E[F] Cov(W, N) + E[F]^2 Var N + E[N] Var F.

The covariances are those of a spin's win with its own award: a window full of Scatters both pays and triggers. q >= 1
is refused: such free games need never end. Means are fractions, exact. Second moments are fractions of sums of positive
terms, exact as long as these stay below 2^53, and what is subtracted from them is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import sqrt

from workbench.errors import EndlessFeatureError
from workbench.exact.line_rules import Award
from workbench.exact.line_spin import LineSpin
from workbench.game.definition import GameDefinition
from workbench.game.line_features import Bonus, FreeGames, ScatterPays
from workbench.reels.strip_set import StripSet


@dataclass(frozen=True)
class SpinValue:
    """The moments of one spin's win in total bets, and of the free games it awards."""

    spin: LineSpin

    @property
    def bet(self) -> int:
        """Coins of the total bet."""
        return self.spin.game.bet.coins

    @cached_property
    def components(self) -> dict[str, Fraction]:
        """The mean win by source: lines, each Scatter pay, each bonus."""
        spin = self.spin
        found = {"lines": spin.expected(lambda award: award.coins)}
        by_sight = {name: spin.by_sight(place, pays) for place, name, pays in spin.sight_pays}
        for feature in spin.game.features:
            if isinstance(feature, ScatterPays):
                found[feature.name] = by_sight[feature.name]
            elif isinstance(feature, Bonus):
                found[feature.name] = by_sight.get(feature.name, Fraction(0)) + self._line_bonus(feature)
        return {name: coins / self.bet for name, coins in found.items()}

    def _line_bonus(self, bonus: Bonus) -> Fraction:
        if bonus.name not in self.spin.bonuses:
            return Fraction(0)
        return self.starts(bonus) * self.spin.bonuses[bonus.name].mean if bonus.line else Fraction(0)

    def starts(self, bonus: Bonus) -> Fraction:
        """Expected number of lines of a spin that start a bonus."""
        return self.spin.expected(lambda award: int(bonus in self.spin.started(award)))

    @cached_property
    def mean(self) -> Fraction:
        """E[win]."""
        return sum(self.components.values(), Fraction(0))

    @cached_property
    def free_games(self) -> Fraction:
        """E[free games awarded]."""
        by_sight = self.spin.sight_spins
        lines = self.spin.expected(self.spin.spins)
        return lines + (self.spin.by_sight(*by_sight) if by_sight else 0)

    @cached_property
    def bonus_variance(self) -> Fraction:
        """What the bonuses add to E[win^2] beyond their means, in coins^2."""
        spin, total = self.spin, Fraction(0)
        for bonus in spin.game.features_of(Bonus):
            if bonus.name in spin.bonuses:
                total += self._started(bonus) * spin.bonuses[bonus.name].variance
        return total

    def _started(self, bonus: Bonus) -> Fraction:
        if bonus.in_sight is None:
            return self.starts(bonus)
        least = bonus.in_sight.least
        place = self.spin.mark_of(bonus.in_sight.symbol, bonus.in_sight.reels)
        return self.spin.by_sight(place, lambda k: int(k >= least))

    @cached_property
    def variance(self) -> Fraction:
        """Var(win)."""
        return self.square - self.mean**2

    def _sum(self, one: int, two: int) -> Fraction:
        """E[product of two sums over lines]; 0 is coins, 1 free games."""
        return Fraction(float(self.spin.sums.product(one, two)[0])) / self.spin.cycle

    @cached_property
    def square(self) -> Fraction:
        """E[win^2]."""
        spin = self.spin
        total = self._sum(0, 0) + self.bonus_variance
        for place, _, pays in spin.sight_pays:
            total += 2 * self._lines_and_sight(0, place, pays)
            for other, _, too in spin.sight_pays:
                total += spin.joint_by_sight((place, pays), (other, too))
        return total / self.bet**2

    @cached_property
    def sums_are_exact(self) -> bool:
        """Whether the sums behind the second moments are whole numbers that a double holds."""
        largest = float(self.spin.sums.product(0, 0)[0])
        return largest < 2**53 and all(
            self.spin.coins(award).denominator == 1 for award in self.spin.hits.hits
        )

    def _lines_and_sight(self, value: int, place: int, worth: Callable[[int], Fraction | int]) -> Fraction:
        """E[sum over lines of coins (0) or free games (1) x what a mark's number in sight is worth]."""
        key = (value, place)
        if key not in self._by_sight:
            self._by_sight[key] = self.spin.lines_by_sight(value, place)
        parts = self._by_sight[key]
        return sum((Fraction(worth(k)) * part for k, part in enumerate(parts)), Fraction(0))

    @cached_property
    def _by_sight(self) -> dict[tuple[int, int], list[Fraction]]:
        return {}

    @cached_property
    def awards_by_lines(self) -> bool:
        """Whether some line that can be won awards free games."""
        return any(self.spin.spins(award) for award in self.spin.hits.hits)

    @cached_property
    def win_and_free_games(self) -> Fraction:
        """E[win x free games awarded]."""
        spin, seen, total = self.spin, self.spin.sight_spins, Fraction(0)
        if seen:
            total += self._lines_and_sight(0, *seen)
            total += sum(
                (spin.joint_by_sight((place, pays), seen) for place, _, pays in spin.sight_pays), Fraction(0)
            )
        if self.awards_by_lines:
            total += self._sum(0, 1)
            for place, _, pays in spin.sight_pays:
                total += self._lines_and_sight(1, place, pays)
        return total / self.bet

    @cached_property
    def free_games_square(self) -> Fraction:
        """E[free games awarded^2]."""
        spin, seen, total = self.spin, self.spin.sight_spins, Fraction(0)
        if seen:
            total += spin.joint_by_sight(seen, seen)
        if self.awards_by_lines:
            total += self._sum(1, 1)
            if seen:
                total += 2 * self._lines_and_sight(1, *seen)
        return total

    @property
    def covariance(self) -> Fraction:
        """Cov(win, free games awarded)."""
        return self.win_and_free_games - self.mean * self.free_games

    @property
    def free_games_variance(self) -> Fraction:
        """Var(free games awarded)."""
        return self.free_games_square - self.free_games**2

    def pays(self, award: Award) -> bool:
        """Whether a line with this award pays coins or starts a bonus."""
        return bool(award.coins or self.spin.started(award))

    @cached_property
    def hit_frequency(self) -> Fraction:
        """P(a spin pays anything)."""
        return self.spin.some_line(self.pays, self._paying_sights())

    def _paying_sights(self) -> dict[int, Callable[[int], bool]]:
        """By mark: whether that number in sight pays or starts a bonus."""
        spin, found = self.spin, dict[int, set[int]]()
        for place, name, pays in spin.sight_pays:
            bonus = next((b for b in spin.game.features_of(Bonus) if b.name == name), None)
            least = bonus.in_sight.least if bonus and bonus.in_sight else None
            for k in range(sum(spin.game.grid.rows) + 1):
                if pays(k) or (least is not None and k >= least):
                    found.setdefault(place, set()).add(k)
        return {place: numbers.__contains__ for place, numbers in found.items()}

    @cached_property
    def line_hit_frequency(self) -> Fraction:
        """P(a spin wins a line)."""
        return self.spin.some_line(self.pays, {})

    @cached_property
    def award_frequency(self) -> Fraction:
        """P(a spin awards free games)."""
        seen = self.spin.sight_spins
        if not self.awards_by_lines:
            return self.spin.by_sight(seen[0], lambda k: int(seen[1](k) > 0)) if seen else Fraction(0)
        paying = {seen[0]: lambda k: seen[1](k) > 0} if seen else {}
        return self.spin.some_line(lambda award: self.spin.spins(award) > 0, paying)

    def bonus_frequency(self, bonus: Bonus) -> Fraction:
        """P(a spin starts a bonus at least once)."""
        if bonus.in_sight:
            return self._started(bonus)
        return self.spin.some_line(lambda award: bonus in self.spin.started(award), {})


def root(variance: Fraction) -> float:
    """A standard deviation; rounding may have left a vanishing variance below 0."""
    return sqrt(max(float(variance), 0.0))


@dataclass(frozen=True)
class LineRound:
    """One strip set's exact worth, a round, in total bets. Raises EndlessFeatureError for free games without end."""

    game: GameDefinition
    strips: StripSet
    base: SpinValue
    free: SpinValue | None

    def __post_init__(self) -> None:
        if self.free is not None and self.free.free_games >= 1 - Fraction(1, 10**9):
            feature = self.feature
            assert feature is not None
            raise EndlessFeatureError(
                f"reels.{feature.reels}: a free game must award less than 1 free game on average,"
                f" but awards {float(self.free.free_games):.6g}"
            )

    @property
    def feature(self) -> FreeGames | None:
        """The game's free games."""
        return self.game.free_games

    @cached_property
    def free_mean(self) -> Fraction:
        """E[F]: a free game with all it leads to."""
        return self.free.mean / (1 - self.free.free_games) if self.free else Fraction(0)

    @cached_property
    def played(self) -> Fraction:
        """Expected free games a round."""
        return self.base.free_games / (1 - self.free.free_games) if self.free else Fraction(0)

    @cached_property
    def exact_components(self) -> dict[str, Fraction]:
        """The RTP by source, as fractions."""
        found = dict(self.base.components)
        if self.free and self.feature:
            for name, mean in self.free.components.items():
                found[f"{self.feature.name}.{name}"] = self.played * mean
        return found

    @cached_property
    def rtp(self) -> Fraction:
        """E[round]."""
        return sum(self.exact_components.values(), Fraction(0))

    @cached_property
    def free_variance(self) -> Fraction:
        """Var F."""
        if self.free is None:
            return Fraction(0)
        free, mean = self.free, self.free_mean
        own = free.variance + 2 * mean * free.covariance + mean**2 * free.free_games_variance
        return own / (1 - free.free_games)

    @cached_property
    def variance(self) -> Fraction:
        """Var of a round's win."""
        base, mean = self.base, self.free_mean
        if self.free is None:
            return base.variance
        with_awards = base.variance + 2 * mean * base.covariance + mean**2 * base.free_games_variance
        return with_awards + base.free_games * self.free_variance

    @property
    def standard_deviation(self) -> float:
        """Of a round's win."""
        return root(self.variance)


def line_round(game: GameDefinition, strips: StripSet) -> LineRound:
    """The exact worth of a strip set that fits a line game."""
    base = LineSpin(game, "base", strips.reels["base"], strips.weights_of("base"), strips.wheels)
    free = None
    if game.free_games:
        name = game.free_games.reels
        free = SpinValue(LineSpin(game, "free", strips.reels[name], strips.weights_of(name), strips.wheels))
    return LineRound(game, strips, SpinValue(base), free)
