"""Sessions of a game with banked Keys: rounds depend on each other through the bank.

The net result follows from products of matrices of generating functions (:mod:`workbench.prob.bank_sums`), from an empty bank
(a new player) or from the policy's stationary bank (one who has played for long).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from math import sqrt

import numpy as np

from workbench.errors import UsageError
from workbench.features.keys import Solution
from workbench.prob.bank_lasts import bank_dry_spells, bank_lasts
from workbench.prob.bank_sums import BankRounds, BankSum, bank_sum, banks_needed
from workbench.prob.product_chain import Array
from workbench.value.key_bank import KeyBank
from workbench.value.key_law import KeyRounds
from workbench.value.round import bank_law
from workbench.value.session import SessionLaw, check_rounds

STARTS = ("new-player", "long-time-player")
LEFT_OUT = 1e-13
MOST_STEPS = 1 << 23
MOST_BANKS = 384
# a bankroll is followed round by round and bank by bank
MOST_BANKROLL_ROUNDS = 2_000
DUST = 1e-15


class KeySession(SessionLaw):
    """So many rounds of a strip set's laws under a policy."""

    def __init__(
        self,
        laws: KeyRounds,
        solution: Solution,
        rounds: int,
        start: str = STARTS[0],
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        check_rounds(rounds)
        if start not in STARTS:
            raise UsageError(f"--start: must be one of {', '.join(STARTS)}, but got {start!r}")
        self.laws, self.solution, self.rounds = laws, solution, rounds
        self.start = start if laws.value.game.banked_keys else None
        self.step = laws.step
        self._bank = KeyBank(laws, solution)
        self._progress = progress

    @cached_property
    def _rounds(self) -> BankRounds:
        return self._bank.bank_rounds()

    @cached_property
    def _first(self) -> Array:
        """The bank at the start; banks less likely than DUST are left to the one below."""
        if self.start != STARTS[1]:
            return np.ones(1)
        law = bank_law(self.solution)
        if self.solution.bank is None:
            classes = len(self._rounds.classes)
            rises_only = not self._rounds.tilted(0.0)[:, : self._rounds.down].any()
            return np.eye(1, classes, classes - 1)[0] if rises_only else law
        last = int(np.flatnonzero(law > DUST)[-1])
        return np.append(law[:last], law[last:].sum())

    @cached_property
    def _sum(self) -> BankSum:
        try:
            return bank_sum(
                self._rounds, self._first, self.rounds, LEFT_OUT, MOST_STEPS, MOST_BANKS, self._progress
            )
        except ValueError as error:
            raise UsageError(f"--rounds: with steps of {float(self.step):.3g} bets, {error}") from None

    @property
    def total(self) -> tuple[Array, float]:
        """The law of all wins together."""
        return self._sum.chances, self._sum.left_out + self.rounds * self.laws.laws.left_out

    @property
    def rounding(self) -> float:
        """That of the product of N transforms."""
        return self._sum.error

    @cached_property
    def mean(self) -> float:
        """Of the law."""
        return float(self._sum.chances @ np.arange(len(self._sum.chances))) * float(self.step) - self.rounds

    @cached_property
    def standard_deviation(self) -> float:
        """Of the law."""
        wins = np.arange(len(self._sum.chances)) * float(self.step) - self.rounds - self.mean
        return sqrt(float(self._sum.chances @ wins**2))

    def lasts(self, bankroll: Fraction | int, progress: Callable[[int], None] | None = None) -> float:
        """P(a bankroll of so many bets pays for every round)."""
        if self.rounds > MOST_BANKROLL_ROUNDS:
            raise UsageError(
                f"--bankroll: with banked Keys at most {MOST_BANKROLL_ROUNDS} rounds can be followed, but got {self.rounds}"
            )
        stake = self.step.denominator // self.step.numerator
        laws = self._bank.below(stake * self.rounds)
        held = int(bankroll // self.step)
        return bank_lasts(self._rounds, laws, self._first, stake, held, self.rounds, progress)

    def dry_spells(self, lengths: Sequence[int]) -> list[float]:
        """P(some k rounds in a row win nothing), for each k."""
        banks, _ = banks_needed(self._rounds, self._first, self.rounds, LEFT_OUT, MOST_BANKS)
        start = np.zeros(banks)
        start[: len(self._first)] = self._first
        nothing = self._rounds.matrix(self._bank.below(1)[:, :, 0], banks)
        every = self._rounds.matrix(self._rounds.tilted(0.0), banks)
        return bank_dry_spells(nothing, every, start, self.rounds, list(lengths))
