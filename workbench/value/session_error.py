"""What the draws of an estimated law of a round leave open in the figures of N rounds.

A share s of the rounds has its law from n draws (:mod:`workbench.value.estimated`). The chance P(S_N >= y) that the sum of N wins
reaches y is a smooth functional of the law of one of them: a little more chance of the win x moves it, to the first order, by

    I(x) = N T(y - x),    T the tail of the sum of N - 1 wins,

times that chance. So the draws leave a standard error of s sd(I) / sqrt(n), sd that of I over the draws, and the interval is
2.576 of them to either side: a normal one, of first order. What it leaves out is of the relative order N s / sqrt(n), the
rounds of that part that a session has, over the root of the draws.

Where only few draws count, or none, such an interval is too narrow on one side. By Clopper and Pearson a win that none of the
draws showed has a chance of up to e = 1 - 0.005^(1/n) in that part, so the interval is wider by s e (N - mean of I) above and
by s e (mean of I - I(0)) below: what wins above all bounds, or no win at all, could do that often.

A percentile's interval ends where the share of sessions that end no better, with its own interval, passes the percentile's
share. Mean and deviation are those of a round times N and its root; so are their intervals. A dry spell is the likelier the
likelier a round without a win, so its interval comes from the ends of that chance's.

How a bankroll lasts follows every round in turn, and its influence isn't known in closed form. Here the draws are drawn anew
some times, from their own shares; the spread of what comes out, times Student's quantile of so many laws, is the half-width.
For the spread alone long sessions are followed on a coarser lattice, each win split between its two neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.prob.sessions import chance_to_last, power_law
from workbench.value.estimated import LEVEL, NORMAL_99, Estimated
from workbench.value.law_figures import chance_interval, deviation_interval
from workbench.value.round_law import RoundLaw
from workbench.value.session import LEFT_OUT, LEVELS, MOST_STEPS, SHARES, Session, SessionLaw

Array = NDArray[np.float64]
Interval = list[float]
# laws drawn anew for a bankroll, rounds of all of them, and steps of a lattice on which they are followed
MOST_REDRAWN, LEAST_REDRAWN = 12, 6
REDRAWN_ROUNDS = 12_000
BANKROLL_STEPS = 10_000


class SessionError:
    """The 99 % intervals of a session of rounds with a partly estimated law."""

    def __init__(self, session: Session) -> None:
        if session.law.estimated is None:
            raise ValueError("the law of a round must be partly estimated, but is exact")
        self.session, self.part = session, session.law.estimated
        self._places = np.flatnonzero(self.part.counts)
        self._chances = self.part.counts[self._places] / self.part.draws
        self._unseen = 1 - ((1 - LEVEL) / 2) ** (1 / self.part.draws)

    @cached_property
    def _tail(self) -> Array:
        """P(all wins together come to k steps or more)."""
        return _tail_of(self.session.total[0])

    @cached_property
    def _one_less(self) -> Array:
        """The same of one round less."""
        if self.session.rounds == 1:
            return np.ones(1)
        law, _ = power_law(self.session.lattice_law, self.session.rounds - 1, LEFT_OUT, MOST_STEPS)
        return _tail_of(law)

    def at_least(self, first: int) -> Interval:
        """Of P(all wins together come to ``first`` steps or more)."""
        session, share = self.session, self.part.share
        won = self._places * session.steps_each
        influence = session.rounds * _at(self._one_less, first - won)
        least = session.rounds * float(_at(self._one_less, np.array([first]))[0])
        mean = float(self._chances @ influence)
        variance = float(self._chances @ (influence - mean) ** 2)
        half = NORMAL_99 * share * sqrt(variance / self.part.draws)
        chance = float(_at(self._tail, np.array([first]))[0])
        low = chance - half - share * self._unseen * (mean - least)
        high = chance + half + share * self._unseen * (session.rounds - mean)
        return [max(low, 0.0), min(high, 1.0)]

    def up_to(self, place: int) -> Interval:
        """Of P(all wins together come to ``place`` steps at most)."""
        low, high = self.at_least(place + 1)
        return [1 - high, 1 - low]

    def percentile(self, share: float) -> Interval:
        """Of the least net result that at least this share of sessions doesn't exceed."""
        value = self.session.percentile(share)
        low, high = (self._passes(share, end) for end in (1, 0))
        return [min(low, value), max(high, value)]

    def _passes(self, share: float, end: int) -> float:
        """The net result from which on one end of the interval of P(no better) is at least a share."""
        low, high = 0, len(self._tail) - 1
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self.up_to(middle)[end] >= share else (middle + 1, high)
        return float(low * self.session.step - self.session.rounds)

    def share_up_to(self, net: float) -> Interval:
        """Of the share of sessions that end no better than a net result."""
        place = round((Fraction(net) + self.session.rounds) / self.session.step)
        return self.up_to(place)

    @property
    def mean(self) -> Interval:
        """Of the mean net result."""
        half = self.session.rounds * self.part.half_width(self.session.law.wins)
        return [self.session.mean - half, self.session.mean + half]

    @property
    def standard_deviation(self) -> Interval:
        """Of the deviation of the net result."""
        return [sqrt(self.session.rounds) * end for end in deviation_interval(self.session.law)]

    def dry_spells(self, lengths: Sequence[int]) -> list[Interval]:
        """Of P(some k rounds in a row win nothing), for each k."""
        ends = [self.session.dry_spells(lengths, none) for none in chance_interval(self.session.law, 0, 1)]
        ends.append(self.session.dry_spells(lengths))
        return [[min(row), max(row)] for row in zip(*ends, strict=True)]

    def lasts(
        self, bankroll: Fraction | int, lasts: float, progress: Callable[[int], None] | None = None
    ) -> Interval:
        """Of P(a bankroll of so many bets pays for every round), which is ``lasts``."""
        from scipy.special import stdtrit

        found = self.redrawn_lasts(bankroll, progress)
        half = float(stdtrit(len(found) - 1, (1 + LEVEL) / 2)) * float(np.std(found, ddof=1))
        return [max(lasts - half, 0.0), min(lasts + half, 1.0)]

    @property
    def redrawn(self) -> int:
        """How many laws are drawn anew for a bankroll."""
        return _redrawn(self.session.rounds)

    def redrawn_lasts(
        self, bankroll: Fraction | int, progress: Callable[[int], None] | None = None
    ) -> list[float]:
        """How a bankroll lasts under laws drawn anew."""
        rounds = self.session.rounds
        stake = min(self.session.step.denominator, max(1, BANKROLL_STEPS // rounds))
        rng, found = np.random.default_rng([self.part.seed, self.part.draws]), []
        for _ in range(self.redrawn):
            law = _on_lattice(redrawn(self.session.law, rng), stake)
            found.append(chance_to_last(law, stake, int(bankroll * stake), rounds, progress))
        return found


def _redrawn(rounds: int) -> int:
    return min(MOST_REDRAWN, max(LEAST_REDRAWN, REDRAWN_ROUNDS // rounds))


def rounds_followed(session: SessionLaw) -> int:
    """How many rounds are followed for a bankroll, those of laws drawn anew among them."""
    drawn = isinstance(session, Session) and session.law.estimated
    return session.rounds * (1 + _redrawn(session.rounds)) if drawn else session.rounds


def redrawn(law: RoundLaw, rng: np.random.Generator) -> RoundLaw:
    """The law with the draws of its estimated part drawn anew, from their own shares."""
    part = law.estimated
    assert part is not None
    known = np.maximum(law.chances - _padded(part, len(law.chances)), 0.0)
    places = np.flatnonzero(part.counts)
    counts = np.zeros_like(part.counts)
    counts[places] = rng.multinomial(part.draws, part.counts[places] / part.draws)
    again = replace(part, counts=counts)
    return replace(law, chances=known + _padded(again, len(known)), estimated=again)


def _padded(part: Estimated, size: int) -> Array:
    return np.pad(part.chances, (0, size - len(part.counts)))


def _on_lattice(law: RoundLaw, stake: int) -> Array:
    """The law of a win on a lattice with so many steps a bet, each win split so that its mean stays.

    >>> _on_lattice(RoundLaw(Fraction(1, 4), np.array([0.5, 0.5]), 0.0, 0.0), 1).tolist()
    [0.875, 0.125]
    """
    places = np.flatnonzero(law.chances)
    wins = places * law.step.numerator * stake
    below, beyond = np.divmod(wins, law.step.denominator)
    upper = law.chances[places] * (beyond / law.step.denominator)
    lower = law.chances[places] - upper
    found: Array = np.bincount(below, lower, int(below[-1]) + 2).astype(np.float64)
    np.add.at(found, below + 1, upper)
    return found[: int(np.flatnonzero(found)[-1]) + 1]


def _tail_of(law: Array) -> Array:
    found: Array = np.cumsum(law[::-1])[::-1]
    return found


def _at(tail: Array, places: NDArray[np.int64]) -> Array:
    """A tail at any places: that of the first at those before it, 0 after the last."""
    found = tail[np.clip(places, 0, len(tail) - 1)]
    return np.asarray(np.where(places < len(tail), found, 0.0))


def session_intervals(
    session: Session, figures: dict[str, Any], progress: Callable[[int], None] | None = None
) -> dict[str, Any]:
    """The entries that go with the figures of a session: what is estimated, and the interval of each figure.

    ``percentiles_share_interval_99`` holds the share of sessions that end no better than a percentile as it is printed.
    """
    error = SessionError(session)
    of = {"loses_more_than": -1, "wins_at_least": 1}
    chances = {
        table: {x: error.at_least(session.first(sign * int(x))) for x in figures[table]}
        for table, sign in of.items()
    }
    losses = {x: [1 - high, 1 - low] for x, (low, high) in chances["loses_more_than"].items()}
    spells = [int(k) for k in figures["dry_spell"]]
    found: dict[str, Any] = {
        "estimated": _estimated(error.part, session.rounds),
        "mean_interval_99": error.mean,
        "standard_deviation_interval_99": error.standard_deviation,
        "ahead_interval_99": error.at_least(session.after(0)),
        "even_or_ahead_interval_99": error.at_least(session.first(0)),
        "loses_more_than_interval_99": losses,
        "wins_at_least_interval_99": chances["wins_at_least"],
        "percentiles_interval_99": {name: error.percentile(share) for name, share in SHARES.items()},
        "percentiles_share_interval_99": {
            name: error.share_up_to(net) for name, net in figures["percentiles"].items()
        },
        "rtp_intervals_interval_99": {level: _rtp(error, share) for level, share in LEVELS.items()},
        "dry_spell_interval_99": dict(zip(figures["dry_spell"], error.dry_spells(spells), strict=True)),
    }
    if "bankroll" in figures:
        row = figures["bankroll"]
        interval = error.lasts(Fraction(str(row["bets"])), row["lasts"], progress)
        found["bankroll"] = {**row, "lasts_interval_99": interval, "redrawn": error.redrawn}
    return found


def _estimated(part: Estimated, rounds: int) -> dict[str, Any]:
    """What is estimated, and what is known of the session all the same."""
    deviation = part.standard_deviation
    return {
        "share": part.share,
        "draws": part.draws,
        "seed": part.seed,
        "level": LEVEL,
        "exact_without_cap": {
            "mean": rounds * (part.mean - 1),
            "standard_deviation": None if deviation is None else sqrt(rounds) * deviation,
        },
    }


def _rtp(error: SessionError, share: float) -> list[Interval]:
    """Of either end of an interval of the RTP."""
    ends = (error.percentile(q) for q in ((1 - share) / 2, (1 + share) / 2))
    return [[1 + net / error.session.rounds for net in end] for end in ends]
