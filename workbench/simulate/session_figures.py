"""Played sessions as figures in bets: each an estimate with its standard error and 99 % interval.

Where sessions are independent a share is a binomial proportion; where those of a block lean on each other the standard
error is that of block means: for blocks of n sessions with sums x and m = sum x / N, variance = B / (B - 1) sum (x - n m)^2 / N^2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.simulate.estimates import LEVEL, Estimate, Proportion
from workbench.simulate.intervals import student_quantile
from workbench.simulate.sessions import PlayedSessions

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Quantile:
    """The least net result that a share of sessions doesn't exceed, and the 99 % interval of the law's."""

    value: float
    low: float
    high: float

    def to_json(self) -> dict[str, Any]:
        """The quantile as a table."""
        return {"mean": self.value, "interval_99": [self.low, self.high]}


@dataclass(frozen=True)
class SessionFigures:
    """Figures of played sessions; amounts in bets."""

    played: PlayedSessions

    def mean_win(self) -> Estimate:
        """Of all wins of a session."""
        return self._mean((self.played.net + self.played.plan.rounds * self.played.units) / self.played.units)

    def standard_deviation(self) -> Estimate:
        """Of the net result."""
        net = self.played.net / self.played.units
        square = self._mean((net - net.mean()) ** 2)
        deviation = math.sqrt(square.mean)
        error = square.standard_error / (2 * deviation) if deviation else 0.0
        return Estimate(deviation, error, square.degrees, square.number, 2, square.skewness)

    def more_than(self, net: Fraction) -> Estimate:
        """P(net result > so many bets)."""
        return self._share(self.played.net > math.floor(net * self.played.units))

    def at_least(self, net: Fraction) -> Estimate:
        """P(net result >= so many bets)."""
        return self._share(self.played.net >= math.ceil(net * self.played.units))

    def less_than(self, net: Fraction) -> Estimate:
        """P(net result < so many bets)."""
        return self._share(self.played.net < math.ceil(net * self.played.units))

    def lasts(self, bankroll: Fraction) -> Estimate:
        """P(a bankroll of so many bets pays for every round)."""
        return self._share(self.played.need <= math.floor(bankroll * self.played.units))

    def dry_spell(self, rounds: int) -> Estimate:
        """P(so many rounds in a row win nothing)."""
        return self._share(self.played.dry >= rounds)

    def up_to(self, share: float, net: Fraction) -> Estimate:
        """What a share of sessions that is said to end no better than ``net`` is: ``share`` itself if ``net`` is their quantile.

        Else the nearer of the shares that end below it and not above it.
        """
        below = int((self.played.net < math.ceil(net * self.played.units)).sum())
        most = int((self.played.net <= math.floor(net * self.played.units)).sum())
        sessions = self.played.plan.sessions
        count = min(max(round(share * sessions), below), most)
        if not self.played.dependent:
            return Proportion.of(count, sessions)
        at = self._share(self.played.net <= math.floor(net * self.played.units))
        return Estimate(count / sessions, at.standard_error, at.degrees, at.number)

    def percentile(self, share: float) -> Quantile:
        """The net result of a share of sessions, between the results of the shares at the ends of its own interval."""
        ordered, sessions = np.sort(self.played.net), self.played.plan.sessions

        def result(part: float) -> float:
            place = math.ceil(part * sessions) - 1
            return float(ordered[min(max(place, 0), sessions - 1)]) / self.played.units

        value = result(share)
        error = self._share(self.played.net <= round(value * self.played.units)).standard_error
        half = student_quantile(LEVEL, math.inf) * error
        return Quantile(value, result(share - half), result(share + half))

    def _share(self, met: NDArray[np.bool_]) -> Estimate:
        if not self.played.dependent:
            return Proportion.of(int(met.sum()), len(met))
        return self._mean(met.astype(np.float64))

    def _mean(self, values: Floats) -> Estimate:
        """Of one number a session."""
        mean, number = float(values.mean()), len(values)
        if number < 2:
            return Estimate(mean, math.inf, number=number)
        away = values - mean
        spread = float((away**2).mean())
        skewness = float((away**3).mean()) / (spread**1.5 * math.sqrt(number)) if spread else 0.0
        if not self.played.dependent:
            return Estimate(mean, math.sqrt(spread / (number - 1)), number=number, skewness=skewness)
        sums = np.add.reduceat(away, np.arange(0, number, self.played.plan.block))
        blocks = len(sums)
        if blocks < 2:
            return Estimate(mean, math.inf, number=number)
        error = math.sqrt(blocks / (blocks - 1) * float((sums**2).sum())) / number
        return Estimate(mean, error, blocks - 1, number, skewness=skewness)
