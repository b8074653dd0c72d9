"""How widely wins are spread: moments of a distribution of pays, volatility index, intervals of the RTP after N plays.

For pays x in bets with probabilities p: mean m = sum p x, variance = sum p (x - m)^2, volatility index at confidence c = z_c
times the standard deviation, and after N independent plays the RTP lies with probability c (in the normal limit) within
m +- VI / sqrt(N). Sheets differ in the z they use: 1.65 (older ones) or 1.645 for 90 %, 1.96 for 95 %, 2.576 for 99 %.

Where plays depend on each other (banked Keys), the variance that N plays have, over N, is the long-run variance, and only that
one belongs into an interval or a number of plays.

Source: Harrigan & Dixon 2009, PAR Sheets, probabilities, and slot machine play, Journal of Gambling Issues 23.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, sqrt
from typing import Any

QUANTILES = {"90": 1.645, "95": 1.96, "99": 2.576}
HALF_WIDTHS = ("0.01", "0.005", "0.001")
PLAYS = (1_000, 10_000, 100_000, 1_000_000, 10_000_000)


@dataclass(frozen=True)
class Spread:
    """Mean and variance of one play's win, in bets."""

    mean: Fraction | float
    variance: Fraction | float

    @classmethod
    def of(cls, hits: Mapping[int | Fraction, int], bet: int) -> Spread:
        """From the stop combinations that give each pay, in credits.

        >>> spread = Spread.of({0: 3, 4: 1}, 2)
        >>> spread.mean, spread.variance
        (Fraction(1, 2), Fraction(3, 4))
        """
        cycle = sum(hits.values())
        mean = sum((Fraction(pay) * n for pay, n in hits.items()), Fraction(0)) / (cycle * bet)
        square = sum((Fraction(pay) ** 2 * n for pay, n in hits.items()), Fraction(0)) / (cycle * bet**2)
        return cls(mean, square - mean**2)

    @property
    def standard_deviation(self) -> float:
        """Of one play's win."""
        return sqrt(max(float(self.variance), 0.0))

    def volatility_index(self, quantile: float = QUANTILES["90"]) -> float:
        """The standard deviation times a quantile of the normal law."""
        return quantile * self.standard_deviation

    def interval(self, plays: int, quantile: float = QUANTILES["90"]) -> tuple[float, float]:
        """Where the RTP after so many plays lies with that confidence, in the normal limit."""
        half = self.volatility_index(quantile) / sqrt(plays)
        return float(self.mean) - half, float(self.mean) + half

    def plays_for(self, half_width: float, quantile: float = QUANTILES["90"]) -> float:
        """Plays after which the interval is so wide to either side."""
        return (self.volatility_index(quantile) / half_width) ** 2

    def intervals(self, plays: Sequence[int] = PLAYS) -> dict[str, dict[str, list[float]]]:
        """By confidence in percent and plays: the interval of the RTP."""
        return {
            level: {str(n): list(self.interval(n, quantile)) for n in plays}
            for level, quantile in QUANTILES.items()
        }


def spread_figures(play: Spread, long_run: Spread | None = None) -> dict[str, Any]:
    """Deviation and volatility index of one play; where the RTP lies after N of them, and N for a half-width.

    ``long_run`` is given where plays depend on each other: its variance is that of the sum of N plays over N.
    """
    many = long_run or play
    found: dict[str, Any] = {
        "standard_deviation": play.standard_deviation,
        "volatility_index_90": play.volatility_index(),
    }
    if long_run:
        found["long_run_standard_deviation"] = long_run.standard_deviation
    return {
        **found,
        "rtp_intervals": many.intervals(),
        "rounds_for_half_width": {
            width: {level: ceil(many.plays_for(float(width), z)) for level, z in QUANTILES.items()}
            for width in HALF_WIDTHS
        },
    }
