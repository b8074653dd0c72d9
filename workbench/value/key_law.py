"""The whole law of a round of a game with hold-and-spin, Free Spins and banked Keys, under a strategy.

The laws of lines are known jointly with what the player decides about (:mod:`workbench.value.key_moments` has their moments):
those of the paid spin without a hold-and-spin, those of the spin and the final board with step and Keys, both by whether
Free Spins follow, and those of Free Spins with step and Keys. None depends on the strategy: it says which prize goes with a
step and how many Keys Free Spins use. At the stationary bank pi

    law = plain_0 + sum over (s, k) of hold_0(s, k) moved by its prize
        + sum over u of (what begins Free Spins with u Keys) * free_u,        * the sum of independent wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from workbench.exact.gains import gains_of
from workbench.exact.line_law import line_law
from workbench.exact.marks import marks_on
from workbench.exact.start_law import StartLaw
from workbench.exact.win_law import WinLaw, win_law
from workbench.features.board_chain import board_chain
from workbench.features.board_law import final_line_law
from workbench.features.free_spins import law_of_wheel
from workbench.features.free_spins_law import free_spins_law
from workbench.features.keys import Solution
from workbench.prob.lattice import exact, in_steps, largest_step
from workbench.prob.lattice_laws import convolved, shifted_sum, spread_out
from workbench.prob.product_chain import Array
from workbench.value.key_moments import starts_of
from workbench.value.round import RoundValue, bank_law
from workbench.value.round_law import ENTRY_ERROR, RoundLaw

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class KeyLaw:
    """The laws of lines of a strip set, in coins, and what their joint parts are.

    plain
        (2, coins): no hold-and-spin; Free Spins don't, do follow.
    hold
        (2, coins, steps, K): spin and final board with step and Keys.
    free
        (coins, steps, K'): line coins of Free Spins with step and Keys, the last that many or more.
    left_out
        bounds the chance, a round, of what isn't in the laws.
    """

    plain: Array
    hold: Array
    free: Array
    left_out: float


def key_law(value: RoundValue) -> KeyLaw:
    """The laws of a strip set; UsageError where they are too large."""
    game, feature = value.game, value.game.hold_and_spin
    hold = np.zeros((2, 1, 1, 1))
    if feature and value.hold and value.hold.probability:
        starts = starts_of(value, feature)
        boards = board_chain(game, feature, value.strips)
        law = final_line_law(game, feature, boards, starts, follows_of(value, starts))
        keys = value.key_game.law.shape[2]
        hold = np.zeros((2, law.shape[1], law.shape[2], keys))
        hold[: len(law)] = law[..., :keys]
    free_law, left_out = np.zeros((1, 1, 1)), 0.0
    if game.free_spins and value.free_tables:
        found = free_spins_law(game, game.free_spins, value.strips, value.free_tables)
        free_law, left_out = found.chances, value.free_probability * found.left_out
    left_out += value.hold.lost if value.hold else 0.0
    return KeyLaw(plain_law(value), hold, free_law, left_out)


def follows_of(value: RoundValue, starts: StartLaw) -> Ints:
    """(E,): 1 where Free Spins follow the entry's hold-and-spin."""
    free = value.game.free_spins
    least = free.trigger.least if free else np.inf
    return (starts.scatters >= least).astype(np.int64)


def plain_law(value: RoundValue) -> Array:
    """(2, coins): the paid spin's lines where no hold-and-spin begins, without and with Free Spins."""
    game, reels = value.game, value.strips.reels["base"]
    hold, free = game.hold_and_spin, game.free_spins
    triggers = [feature.trigger for feature in (hold, free) if feature]
    counted = [(t.symbol, t.reels) for t in triggers[:1]]
    most = max((t.least for t in triggers), default=0)
    marks = marks_on(game, reels, counted, [most] * len(counted))
    gains = gains_of(line_law(game), [lambda award: float(award.coins)])
    law: WinLaw = win_law(game, reels, [np.ones(len(strip), dtype=np.int64) for strip in reels], gains, marks)
    coins = law.values[:, 0]
    scatters = marks.numbers[law.marks, 0] if counted else np.zeros(len(coins), dtype=np.int64)
    begins = (coins > 0) & (scatters >= hold.trigger.least) if hold else np.zeros(len(coins), dtype=bool)
    follows = scatters >= free.trigger.least if free else np.zeros(len(coins), dtype=bool)
    found = np.zeros((2, int(coins.max(initial=0)) + 1))
    for f, side in enumerate((~follows, follows)):
        here = ~begins & side
        np.add.at(found[f], coins[here], law.counts[here] / law.cycle)
    return found


@dataclass(frozen=True)
class Prizes:
    """Ladder prizes in lattice steps: ``unit`` coins each, of which a coin is ``coin``.

    used, saved
        (steps, K), (steps,): of the hold-and-spin, Keys used at once and saved.
    free
        (levels, steps): of Free Spins.
    """

    unit: Fraction
    coin: int
    used: Ints
    saved: Ints
    free: Ints


def prizes_of(value: RoundValue) -> Prizes:
    """The prizes of a game on the coarsest lattice that has them and whole coins."""
    game = value.game
    key_game = value.key_game
    table = np.array(game.ladder(game.free_spins.ladder).table) if game.free_spins else np.zeros((1, 1))
    tables = (key_game.used_prize, key_game.saved_prize, table)
    amounts = [[exact(p) * game.bet.coins for p in part.ravel().tolist()] for part in tables]
    unit = largest_step([Fraction(1), *(amount for part in amounts for amount in part)])
    used, saved, free = (
        in_steps(part, unit).reshape(table.shape) for part, table in zip(amounts, tables, strict=True)
    )
    return Prizes(unit, int(1 / unit), used, saved, free)


@dataclass(frozen=True)
class KeyRounds:
    """A strip set's laws made ready for strategies: everything on one lattice, Free Spins with their prizes."""

    value: RoundValue
    laws: KeyLaw
    prizes: Prizes

    @classmethod
    def of(cls, value: RoundValue, laws: KeyLaw | None = None) -> KeyRounds:
        """The laws of a strip set; ``laws`` if they are known already."""
        return cls(value, laws or key_law(value), prizes_of(value))

    @property
    def step(self) -> Fraction:
        """A lattice step in bets."""
        return self.prizes.unit / self.value.game.bet.coins

    def plain(self, follows: int) -> Array:
        """The law of the paid spin without a hold-and-spin."""
        return spread_out(self.laws.plain[follows], self.prizes.coin)

    def hold(self, follows: int, saved: Array) -> Array:
        """The law of rounds with a hold-and-spin, up to Free Spins: ``saved[s, k]`` is the share that saves."""
        law, parts = self.laws.hold[follows], []
        for s in range(law.shape[1]):
            for k in range(law.shape[2]):
                spread = spread_out(law[:, s, k], self.prizes.coin)
                used = int(self.prizes.used[s, k])
                parts += [(used, (1 - saved[s, k]) * spread)] if saved[s, k] < 1 else []
                parts += [(int(self.prizes.saved[s]), saved[s, k] * spread)] if saved[s, k] else []
        return shifted_sum(parts)

    def free(self, used: int) -> Array:
        """The law of Free Spins begun with so many Keys."""
        feature, law = self.value.game.free_spins, self.laws.free
        if feature is None:
            return np.ones(1)
        levels = len(self.prizes.free)
        tables = self.value.free_tables
        assert tables
        chances = law_of_wheel(self.value.strips, feature.wheels.keys, tables.wheel_keys)
        parts = []
        for chance, wheel in zip(chances, tables.wheel_keys, strict=True):
            for k in range(law.shape[2] if chance else 0):
                level = min(feature.start_level + used + wheel + k, levels) - 1
                for s in range(law.shape[1]):
                    spread = spread_out(law[:, s, k], self.prizes.coin)
                    parts.append((int(self.prizes.free[level, s]), chance * spread))
        return shifted_sum(parts)

    def law(self, solution: Solution) -> RoundLaw:
        """The law of a round under a policy at its stationary bank, or far out where there is none."""
        bank, policy = bank_law(solution), solution.policy
        saved = np.tensordot(bank, policy.save, axes=1)
        parts = [(0, self.plain(0)), (0, self.hold(0, saved[0]))]
        for used, law in self.begun(solution, bank).items():
            parts.append((0, convolved(law, self.free(used))))
        chances = shifted_sum(parts)
        last = int(np.flatnonzero(chances)[-1])
        dependent = bool(self.value.game.banked_keys)
        return RoundLaw(self.step, chances[: last + 1], self.laws.left_out, ENTRY_ERROR, dependent=dependent)

    def begun(self, solution: Solution, bank: Array) -> dict[int, Array]:
        """By Keys used: the law of what a round has won when its Free Spins begin, the bank having law ``bank``."""
        used = _used(solution, self.value.key_game.most_used, self.laws.hold.shape[3])
        parts: dict[int, list[tuple[int, Array]]] = {}
        chances = _by_used(used[: len(bank)], bank)
        for u, chance in chances.items():
            parts.setdefault(u, []).append((0, chance * self.plain(1)))
        save = solution.policy.save[:, 1]
        for s in range(self.laws.hold.shape[2]):
            for k in range(self.laws.hold.shape[3]):
                law = spread_out(self.laws.hold[1, :, s, k], self.prizes.coin)
                if not law.any():
                    continue
                saves = save[:, s, k]
                for u, chance in _by_used(used[: len(bank)], bank * ~saves).items():
                    parts.setdefault(u, []).append((int(self.prizes.used[s, k]), chance * law))
                for u, chance in _by_used(used[k : len(bank) + k], bank * saves).items():
                    parts.setdefault(u, []).append((int(self.prizes.saved[s]), chance * law))
        return {u: shifted_sum(found) for u, found in sorted(parts.items())}


def _used(solution: Solution, most: int, keys: int) -> Ints:
    """(B + keys,): Keys used by Free Spins begun with b banked; beyond the last bank the last choice holds."""
    last = len(solution.policy.use) - 1
    reach = np.arange(last + keys)
    return np.asarray(np.where(solution.policy.use[np.minimum(reach, last)], np.minimum(reach, most), 0))


def _by_used(used: Ints, chances: Array) -> dict[int, float]:
    """The chance of each number of Keys used that has one."""
    total = np.bincount(used, weights=chances)
    return {int(u): float(total[u]) for u in np.flatnonzero(total)}
