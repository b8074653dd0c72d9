"""Sessions of N rounds of a game whose rounds are independent: the net result, the bankroll, dry spells.

Everything follows from the law of one round (:mod:`workbench.value.round_law`): the net result after N rounds is the sum of
N wins less N bets, a convolution; in units of the law's step, refined so that the bet is a whole number of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
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
SPELLS = (1, 2, 5, 10, 15, 20, 30, 40, 50, 75, 100)


@dataclass(frozen=True)
class Session:
    """A number of rounds of a law; net results in bets."""

    law: RoundLaw
    rounds: int

    def __post_init__(self) -> None:
        if not 1 <= self.rounds <= MOST_ROUNDS:
            raise UsageError(f"--rounds: must be 1 to {MOST_ROUNDS}, but got {self.rounds}")
        if self.law.estimated or self.law.dependent:
            what = "depend on each other" if self.law.dependent else "have a law that is partly estimated"
            raise UsageError(f"session: known for independent rounds with an exact law, but these {what}")

    @cached_property
    def _finer(self) -> int:
        """How many lattice steps of the session one step of the law is."""
        return self.law.step.numerator

    @property
    def step(self) -> Fraction:
        """A lattice step in bets: the bet is a whole number of them, and so is every win."""
        return self.law.step / self._finer

    @cached_property
    def _win(self) -> Array:
        """The law of one win on the session's lattice, nothing after the last chance above 0."""
        kept = self.law.chances[: int(np.flatnonzero(self.law.chances)[-1]) + 1]
        found = np.zeros((len(kept) - 1) * self._finer + 1)
        found[:: self._finer] = kept
        return found

    @property
    def stake(self) -> int:
        """The bet in steps."""
        return self.step.denominator

    @cached_property
    def _sum(self) -> tuple[Array, float]:
        try:
            return power_law(self._win, self.rounds, LEFT_OUT, MOST_STEPS)
        except ValueError as error:
            raise UsageError(f"--rounds: with steps of {float(self.step):.3g} bets, {error}") from None

    @property
    def left_out(self) -> float:
        """A bound on the chance of results that aren't looked at."""
        return self._sum[1] + self.rounds * self.law.left_out

    def at_least(self, net: Fraction | int) -> float:
        """P(net result >= so many bets)."""
        first = int(-(-(net + self.rounds) // self.step))
        return float(self._sum[0][max(first, 0) :].sum())

    def more_than(self, net: Fraction | int) -> float:
        """P(net result > so many bets)."""
        first = int((net + self.rounds) // self.step) + 1
        return float(self._sum[0][max(first, 0) :].sum())

    def percentile(self, share: float) -> float:
        """The least net result that at least this share of sessions doesn't exceed."""
        place = int(np.searchsorted(np.cumsum(self._sum[0]), share))
        return float(place * self.step - self.rounds)

    def lasts(self, bankroll: Fraction | int, progress: Callable[[int], None] | None = None) -> float:
        """P(a bankroll of so many bets pays for every round)."""
        return chance_to_last(self._win, self.stake, int(bankroll // self.step), self.rounds, progress)

    def dry_spell(self, longest: int) -> Array:
        """P(some k rounds in a row win nothing), k = 0 .. longest."""
        return longest_dry_spell(float(self.law.chances[0]), self.rounds, longest)


def session_figures(
    session: Session, bankroll: Fraction | None = None, progress: Callable[[int], None] | None = None
) -> dict[str, Any]:
    """All figures of a session; with a bankroll in bets the chance that it lasts."""
    losses = [x for x in (10, 20, 50, 100, 200, 500, 1000, 2000, 5000) if x < session.rounds]
    spells = [k for k in SPELLS if k <= session.rounds]
    chances = session.dry_spell(max(spells))
    found: dict[str, Any] = {
        "rounds": session.rounds,
        "mean": float(session.rounds * (session.law.mean - 1)),
        "standard_deviation": session.rounds**0.5 * session.law.standard_deviation,
        "ahead": session.more_than(0),
        "even_or_ahead": session.at_least(0),
        "loses_more_than": {str(x): 1 - session.at_least(-x) for x in losses},
        "wins_at_least": {str(x): session.at_least(x) for x in (10, 100, 1000)},
        "percentiles": {name: session.percentile(share) for name, share in SHARES.items()},
        "dry_spell": {str(k): float(chances[k]) for k in spells},
        "left_out": session.left_out,
        "rounding": session.rounds * ENTRY_ERROR,
    }
    if bankroll is not None:
        found["bankroll"] = {"bets": float(bankroll), "lasts": session.lasts(bankroll, progress)}
    return found
