"""The means of one kind of spin of a line game in formulas, and the parts of the strip set that each depends on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from workbench.game.line_features import Bonus, ScatterPays
from workbench.report.xlsx.figures_sheet import Formula
from workbench.report.xlsx.formula import Expr, product, total
from workbench.report.xlsx.lines import NOTHING, LineCells
from workbench.report.xlsx.plain import Live
from workbench.report.xlsx.sight import Law
from workbench.value.line_round import SpinValue


def _plain(amount: Fraction | int) -> int | float:
    """An amount of the rules as a number: whole where it is."""
    exact = Fraction(amount)
    return exact.numerator if exact.denominator == 1 else float(exact)


@dataclass(frozen=True)
class SpinLive:
    """The means of one kind of spin, in formulas."""

    live: Live
    value: SpinValue
    name: str
    lines: LineCells

    def law(self, place: int) -> Law:
        """Stop combinations by the number of a mark in sight."""
        symbol, reels = self.value.spin.marks[place]
        return self.live.sight.numbers(self.live.reels(self.name), symbol, reels)

    def by_sight(self, place: int, worth: Callable[[int], Fraction | int]) -> Expr:
        """Expected worth of a mark's number in sight."""
        parts = [ways * _plain(worth(k)) for k, ways in self.law(place).items() if worth(k)]
        return total(parts) / self.lines.cycle if parts else NOTHING

    def bonus_mean(self, bonus: Bonus) -> Expr:
        """The mean of a bonus in coins."""
        wheels = self.live.wheels
        means = [wheels[bonus.prizes].mean, wheels[bonus.draws].mean if bonus.draws else None]
        return product([*(m for m in means if m), self.value.spin.factor_of(bonus.name)])

    def components(self) -> dict[str, Formula]:
        """The mean win by source."""
        spin, bet = self.value.spin, self.value.bet
        found: dict[str, Formula] = {"lines": lambda: self.lines.expected(lambda a: a.coins) / bet}
        for feature in spin.game.features:
            if isinstance(feature, ScatterPays):
                found[feature.name] = partial(self._scatter, feature)
            elif isinstance(feature, Bonus):
                found[feature.name] = partial(self._bonus, feature)
        return found

    def _scatter(self, feature: ScatterPays) -> Expr:
        place = self.value.spin.mark_of(feature.symbol, feature.reels)
        return self.by_sight(place, self.value.spin.scatter_pays(feature)) / self.value.bet

    def _bonus(self, bonus: Bonus) -> Expr:
        if bonus.name not in self.value.spin.bonuses:
            return NOTHING
        starts = self.frequency(bonus) if bonus.in_sight else self._starts(bonus)
        return starts * self.bonus_mean(bonus) / self.value.bet

    def _starts(self, bonus: Bonus) -> Expr:
        return self.lines.expected(lambda award: int(bonus in self.value.spin.started(award)))

    def frequency(self, bonus: Bonus) -> Expr:
        """P(a bonus starts by what is in sight)."""
        assert bonus.in_sight is not None
        least = bonus.in_sight.least
        place = self.value.spin.mark_of(bonus.in_sight.symbol, bonus.in_sight.reels)
        return self.by_sight(place, lambda k: int(k >= least))

    def free_games(self) -> Expr:
        """Expected free games awarded by one spin."""
        spin = self.value.spin
        parts = [self.lines.expected(spin.spins)] if self.may_award() else []
        if spin.sight_spins:
            parts.append(self.by_sight(*spin.sight_spins))
        return total(parts) if parts else NOTHING

    def may_award(self) -> bool:
        """Whether some line may award free games."""
        return any(self.value.spin.spins(award) for award in self.lines.hits)

    def awards(self) -> Expr | None:
        """P(a spin awards free games), where only what is in sight does."""
        seen = self.value.spin.sight_spins
        if self.may_award() or not seen:
            return None
        return self.by_sight(seen[0], lambda k: int(seen[1](k) > 0))


def counts(spin: SpinLive) -> list[str]:
    """What the hits of a spin's lines depend on."""
    kind = "stops" if spin.live.reels(spin.name).weighted else "counts"
    return [f"{kind}:{spin.name}"]


def seen(spin: SpinLive, symbol: str, reels: Sequence[int]) -> str:
    """The law of a mark in sight."""
    return f"sight:{spin.name}:{symbol}:{','.join(str(r + 1) for r in sorted(reels))}"


def drawn_from(bonus: Bonus) -> list[str]:
    """The wheels of a bonus."""
    return [f"wheel:{name}" for name in (bonus.prizes, bonus.draws) if name]


def wheels_of(spin: SpinLive) -> list[str]:
    """The wheels of the bonuses that a kind of spin gives."""
    bonuses = [b for b in spin.live.game.features_of(Bonus) if b.name in spin.value.spin.bonuses]
    return list(dict.fromkeys(wheel for b in bonuses for wheel in drawn_from(b)))


def means(spin: SpinLive, source: str) -> list[str]:
    """What the mean win of a source depends on; nothing where the source never gives any."""
    for feature in spin.live.game.features:
        if isinstance(feature, ScatterPays) and feature.name == source:
            return [seen(spin, feature.symbol, feature.reels)]
        if isinstance(feature, Bonus) and feature.name == source:
            if source not in spin.value.spin.bonuses:
                return []
            sight = feature.in_sight
            starts = [seen(spin, sight.symbol, sight.reels)] if sight else counts(spin)
            return [*starts, *drawn_from(feature)]
    return counts(spin)


def awards_of(spin: SpinLive) -> list[str]:
    """What the expected free games of a spin depend on."""
    by_sight = spin.value.spin.sight_spins
    found = [seen(spin, *spin.value.spin.marks[by_sight[0]])] if by_sight else []
    return [*found, *(counts(spin) if spin.may_award() else [])]
