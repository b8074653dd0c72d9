"""Sessions of N rounds: the net result, the bankroll, dry spells, waits for features.

Where rounds are independent everything follows from the law of one round (:mod:`workbench.value.round_law`): the net result after N rounds is the sum of
N wins less N bets, a convolution; in units of the law's step, refined so that the bet is a whole number of them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import ceil, exp, log1p
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.errors import UsageError
from workbench.prob.sessions import chance_to_last, longest_dry_spell, power_law
from workbench.value.round_law import ENTRY_ERROR, RoundLaw

Array = NDArray[np.float64]
MOST_STEPS = 1 << 25
MOST_ROUNDS = 10_000
LEFT_OUT = 1e-13
SHARES = {"1": 0.01, "5": 0.05, "25": 0.25, "50": 0.5, "75": 0.75, "95": 0.95, "99": 0.99}
LEVELS = {"90": 0.9, "95": 0.95, "99": 0.99}
WAITS = {"50": 0.5, "90": 0.9, "99": 0.99}
SPELLS = (1, 2, 5, 10, 15, 20, 30, 40, 50, 75, 100)


class SessionLaw(ABC):
    """What many rounds in a row come to; amounts in bets."""

    rounds: int
    step: Fraction
    """A lattice step in bets: the bet is a whole number of them, and so is every win."""

    start: str | None = None
    """Who plays, where it matters: a new player, or one who has played for long."""

    @property
    @abstractmethod
    def total(self) -> tuple[Array, float]:
        """The law of all wins together, in steps, and a bound on the chance of what isn't in it."""

    @property
    @abstractmethod
    def mean(self) -> float:
        """Mean net result."""

    @property
    @abstractmethod
    def standard_deviation(self) -> float:
        """Of the net result."""

    @property
    @abstractmethod
    def rounding(self) -> float:
        """A bound on the rounding of an entry of the law."""

    @abstractmethod
    def lasts(self, bankroll: Fraction | int, progress: Callable[[int], None] | None = None) -> float:
        """P(a bankroll of so many bets pays for every round)."""

    @abstractmethod
    def dry_spells(self, lengths: Sequence[int]) -> list[float]:
        """P(some k rounds in a row win nothing), for each k."""

    @property
    def left_out(self) -> float:
        """A bound on the chance of results that aren't looked at."""
        return self.total[1]

    def at_least(self, net: Fraction | int) -> float:
        """P(net result >= so many bets)."""
        return min(float(self.total[0][self.first(net) :].sum()), 1.0)

    def less_than(self, net: Fraction | int) -> float:
        """P(net result < so many bets)."""
        return min(float(self.total[0][: self.first(net)].sum()), 1.0)

    def more_than(self, net: Fraction | int) -> float:
        """P(net result > so many bets)."""
        return min(float(self.total[0][self.after(net) :].sum()), 1.0)

    def first(self, net: Fraction | int) -> int:
        """The first place of the law at which the net result is so many bets or more."""
        return max(int(-(-(net + self.rounds) // self.step)), 0)

    def after(self, net: Fraction | int) -> int:
        """The first place of the law at which the net result is more than so many bets."""
        return max(int((net + self.rounds) // self.step) + 1, 0)

    @cached_property
    def _up_to(self) -> Array:
        found: Array = np.cumsum(self.total[0])
        return found

    def percentile(self, share: float) -> float:
        """The least net result that at least this share of sessions doesn't exceed."""
        # shares that sums of chances meet are met up to their rounding
        place = min(int(np.searchsorted(self._up_to, share - self.rounding)), len(self._up_to) - 1)
        return float(place * self.step - self.rounds)


def check_rounds(rounds: int) -> None:
    """UsageError unless so many rounds can be looked at."""
    if not 1 <= rounds <= MOST_ROUNDS:
        raise UsageError(f"--rounds: must be 1 to {MOST_ROUNDS}, but got {rounds}")


class Session(SessionLaw):
    """A number of independent rounds of a law."""

    def __init__(self, law: RoundLaw, rounds: int) -> None:
        check_rounds(rounds)
        if law.dependent:
            raise UsageError("session: known for independent rounds, but these depend on each other")
        self.law, self.rounds = law, rounds
        self.steps_each = law.step.numerator
        """Steps of the session to a step of the law."""
        self.step = law.step / self.steps_each

    @cached_property
    def lattice_law(self) -> Array:
        """The law of one win on the session's lattice, nothing after the last chance above 0."""
        kept = self.law.chances[: int(np.flatnonzero(self.law.chances)[-1]) + 1]
        found = np.zeros((len(kept) - 1) * self.steps_each + 1)
        found[:: self.steps_each] = kept
        return found

    @cached_property
    def total(self) -> tuple[Array, float]:
        """The convolution."""
        try:
            law, beyond = power_law(self.lattice_law, self.rounds, LEFT_OUT, MOST_STEPS)
        except ValueError as error:
            raise UsageError(f"--rounds: with steps of {float(self.step):.3g} bets, {error}") from None
        return law, beyond + self.rounds * self.law.left_out

    @property
    def mean(self) -> float:
        """N times that of a round."""
        return float(self.rounds * (self.law.mean - 1))

    @property
    def standard_deviation(self) -> float:
        """Root N times that of a round."""
        return float(self.rounds**0.5 * self.law.standard_deviation)

    @property
    def rounding(self) -> float:
        """That of the transforms of N rounds."""
        return self.rounds * ENTRY_ERROR

    def lasts(self, bankroll: Fraction | int, progress: Callable[[int], None] | None = None) -> float:
        """P(a bankroll of so many bets pays for every round)."""
        stake = self.step.denominator
        return chance_to_last(self.lattice_law, stake, int(bankroll // self.step), self.rounds, progress)

    def dry_spells(self, lengths: Sequence[int], none: float | None = None) -> list[float]:
        """P(some k rounds in a row win nothing), for each k; ``none`` is the chance that a round does, if not the law's."""
        none = float(self.law.chances[0]) if none is None else none
        chances = longest_dry_spell(none, self.rounds, max(lengths))
        return [float(chances[k]) for k in lengths]


def session_figures(
    session: SessionLaw,
    bankroll: Fraction | None = None,
    progress: Callable[[int], None] | None = None,
    features: Mapping[str, float] | None = None,
) -> dict[str, Any]:
    """All figures of a session; with a bankroll in bets the chance that it lasts.

    ``features`` are the chances of each feature a round, for the waits between them. Where a part of the law of a round is
    drawn the intervals that it leaves are among the figures (:mod:`workbench.value.session_error`).
    """
    losses = [x for x in (10, 20, 50, 100, 200, 500, 1000, 2000, 5000) if x < session.rounds]
    spells = [k for k in SPELLS if k <= session.rounds]
    found: dict[str, Any] = {
        "rounds": session.rounds,
        "start": session.start,
        "mean": session.mean,
        "standard_deviation": session.standard_deviation,
        "ahead": session.more_than(0),
        "even_or_ahead": session.at_least(0),
        "loses_more_than": {str(x): session.less_than(-x) for x in losses},
        "wins_at_least": {str(x): session.at_least(x) for x in (10, 100, 1000)},
        "percentiles": {name: session.percentile(share) for name, share in SHARES.items()},
        "rtp_intervals": {level: _rtp_interval(session, share) for level, share in LEVELS.items()},
        "dry_spell": dict(zip(map(str, spells), session.dry_spells(spells), strict=True)),
        "features": {name: _waits(chance, session.rounds) for name, chance in (features or {}).items()},
        "left_out": session.left_out,
        "rounding": session.rounding,
    }
    if bankroll is not None:
        found["bankroll"] = {"bets": float(bankroll), "lasts": session.lasts(bankroll, progress)}
    if isinstance(session, Session) and session.law.estimated:
        from workbench.value.session_error import session_intervals

        return found | session_intervals(session, found)
    return found


def _rtp_interval(session: SessionLaw, share: float) -> list[float]:
    """The RTP of so many rounds lies in it with at least this chance, and beyond either end with at most half the rest."""
    ends = (session.percentile(q) for q in ((1 - share) / 2, (1 + share) / 2))
    return [1 + end / session.rounds for end in ends]


def _waits(chance: float, rounds: int) -> dict[str, Any]:
    """Rounds from one feature to the next, a geometric law."""
    if chance <= 0:
        return {"probability": chance, "one_in": None, "none_in_session": 1.0, "wait": {}}
    if chance >= 1:
        return {"probability": chance, "one_in": 1.0, "none_in_session": 0.0, "wait": dict.fromkeys(WAITS, 1)}
    waits = {name: max(1, ceil(log1p(-share) / log1p(-chance))) for name, share in WAITS.items()}
    return {
        "probability": chance,
        "one_in": 1 / chance,
        "none_in_session": exp(rounds * log1p(-chance)),
        "wait": waits,
    }
