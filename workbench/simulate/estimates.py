"""A figure as an estimate: a mean with its standard error, its interval, and what it takes to test it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from workbench.simulate._shapes_kernels import SQ_WIN, WIN, WIN_CELLS
from workbench.simulate.intervals import clopper_pearson, student_quantile, wilson
from workbench.simulate.tally import Tally

LEVEL = 0.99
VOLATILITY_90 = 1.645
RARE = 10_000
"""Below so many counts intervals and tails are exact; beyond, the score's normal law is as good and far quicker."""


@dataclass(frozen=True)
class Estimate:
    """A mean and its standard error with the degrees of freedom behind it (infinite if that is known well).

    ``number`` is how many amounts were averaged, ``power`` which power of the amount they are (2 for a deviation, whose
    square is a mean of squares), ``skewness`` that of the estimate's own law where it was measured.
    """

    mean: float
    standard_error: float
    degrees: float = math.inf
    number: int = 0
    power: int = 1
    skewness: float = 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 99 % interval."""
        half = student_quantile(LEVEL, self.degrees) * self.standard_error
        return self.mean - half, self.mean + half

    def to_json(self) -> dict[str, Any]:
        """The figure as the contract prints it."""
        return {
            "mean": self.mean,
            "standard_error": self.standard_error,
            "interval_99": list(self.interval),
        }


@dataclass(frozen=True)
class Proportion(Estimate):
    """A probability from ``count`` of ``trials`` independent trials, times ``scale`` (an amount paid each time)."""

    count: int = 0
    trials: int = 1
    scale: float = 1.0

    @classmethod
    def of(cls, count: int, trials: int, scale: float = 1.0) -> Proportion:
        """From a count; a standard error of 0 means it was never, or always, seen."""
        p = count / trials
        error = scale * math.sqrt(p * (1 - p) / trials)
        return cls(scale * p, error, number=trials, count=count, trials=trials, scale=scale)

    @property
    def interval(self) -> tuple[float, float]:
        """The 99 % interval: exact for rare counts (of the event or its absence), Wilson's for others."""
        rare = min(self.count, self.trials - self.count) < RARE
        low, high = (clopper_pearson if rare else wilson)(self.count, self.trials, LEVEL)
        return self.scale * low, self.scale * high


def by_batches(tally: Tally, place: int, scale: float = 1.0) -> Estimate:
    """Mean per round of the count at a place, times ``scale``, with the standard error of batch means.

    For batches of n rounds with counts x and m = sum x / N: variance = B / (B - 1) sum (x - n m)^2 / N^2.
    """
    b, rounds, total = tally.batches, tally.rounds, tally.counts[place]
    # N^2 sum (x - n m)^2 in integers: no difference of large floats
    spread = b.squares[place] * rounds**2 - 2 * b.cross[place] * total * rounds + b.rounds_squared * total**2
    mean = scale * total / rounds
    if b.number < 2:
        return Estimate(mean, math.inf if spread or total else 0.0, number=rounds)
    variance = spread * b.number / ((b.number - 1) * rounds**4)
    return Estimate(mean, scale * math.sqrt(variance), b.number - 1, number=rounds)


def by_squares(total: int, squares: int, number: int, scale: float = 1.0) -> Estimate:
    """Mean of ``number`` independent amounts, times ``scale``, from their sum and sum of squares."""
    mean = scale * total / number
    if number < 2:
        return Estimate(mean, math.inf, number=number)
    variance = (squares * number - total**2) / (number * (number - 1))
    return Estimate(mean, scale * math.sqrt(variance / number), number=number)


def histogram(counted: Mapping[int, int], number: int, squares: int) -> dict[float, int]:
    """Rounds (or spins) by win in units, 0 included, from those counted; ``squares`` is the sum of all squares.

    Wins beyond the last place stand at the root of their mean square.
    """
    wins: dict[float, int] = {w: n for w, n in counted.items() if w < WIN_CELLS - 1}
    beyond = counted.get(WIN_CELLS - 1, 0)
    if beyond:
        square = squares - sum(n * int(w) ** 2 for w, n in wins.items())
        wins[math.sqrt(square / beyond)] = beyond
    wins[0] = number - sum(wins.values())
    return wins


def square_without(tally: Tally, amount: int, count: int, scale: float) -> Estimate:
    """Mean square of a round's win times ``scale`` squared, without the ``count`` rounds that won just ``amount`` units.

    What is left when a win is taken out that is too large and too rare for a sample's spread to tell of it.
    """
    rounds = tally.rounds
    wins = histogram(tally.wins, rounds, tally.squares[SQ_WIN])
    if count and amount >= WIN_CELLS - 1:
        largest = max(wins)
        others = wins.pop(largest) - count
        square = largest**2 * (others + count) - float(amount) ** 2 * count
        wins |= {math.sqrt(max(square, 0.0) / others): others} if others else {}
    elif count:
        wins[amount] -= count
    wins[0] += count
    mean = (tally.squares[SQ_WIN] - count * amount**2) / rounds
    spread, third = (sum(n * (w**2 - mean) ** power for w, n in wins.items()) / rounds for power in (2, 3))
    skewness = third / (spread**1.5 * math.sqrt(rounds)) if spread else 0.0
    return Estimate(scale**2 * mean, scale**2 * math.sqrt(spread / rounds), number=rounds, skewness=skewness)


def deviation(tally: Tally, scale: float) -> Estimate:
    """Standard deviation of a round's win, times ``scale``; see :func:`deviation_of`."""
    return deviation_of(tally.wins, tally.rounds, tally.counts[WIN], tally.squares[SQ_WIN], scale)


def deviation_of(counted: Mapping[int, int], rounds: int, total: int, squares: int, scale: float) -> Estimate:
    """Standard deviation of the win of a round (or spin), times ``scale``, from the histogram of wins.

    Its standard error is that of independent rounds: sqrt((m4 - s^4) / N) / (2 s) with m4 the fourth central moment; its
    skewness that of the mean of the squared distances from the mean.
    """
    if rounds < 2:
        return Estimate(0.0, math.inf, number=rounds, power=2)
    mean = total / rounds
    variance = (squares * rounds - total**2) / (rounds * (rounds - 1))
    wins = histogram(counted, rounds, squares)
    spread, third = (
        sum(n * ((w - mean) ** 2 - variance) ** power for w, n in wins.items()) / rounds for power in (2, 3)
    )
    s = math.sqrt(variance)
    error = math.sqrt(spread / rounds) / (2 * s) if s else 0.0
    skewness = third / (spread**1.5 * math.sqrt(rounds)) if spread else 0.0
    return Estimate(scale * s, scale * error, number=rounds, power=2, skewness=skewness)


def long_run_deviation(rtp: Estimate, tally: Tally) -> Estimate:
    """Standard deviation a round of long sums, from the spread of the batches: standard error x sqrt(rounds)."""
    value = rtp.standard_error * math.sqrt(tally.rounds)
    error = value / math.sqrt(2 * rtp.degrees) if not math.isinf(rtp.degrees) else 0.0
    return Estimate(value, error, rtp.degrees)


def spread_of(tally: Tally, rtp: Estimate, dependent: bool) -> Iterator[tuple[str, Estimate]]:
    """The figures of a round's spread, in bets."""
    spread = deviation(tally, 1 / tally.identity.units)
    yield "standard_deviation", spread
    yield (
        "volatility_index_90",
        replace(
            spread, mean=VOLATILITY_90 * spread.mean, standard_error=VOLATILITY_90 * spread.standard_error
        ),
    )
    if dependent:
        yield "long_run_standard_deviation", long_run_deviation(rtp, tally)


def inverse(proportion: Proportion) -> dict[str, Any]:
    """One in how many: the inverse of a probability and of its interval (None where that has no end)."""
    low, high = proportion.interval
    p = proportion.mean
    return {
        "mean": 1 / p if p else None,
        "standard_error": proportion.standard_error / p**2 if p else None,
        "interval_99": [1 / high, 1 / low if low else None],
    }
