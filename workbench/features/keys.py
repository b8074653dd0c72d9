"""Keys banked for later: the player's choices as an average-reward Markov decision process.

State b, the banked Keys. In a round the hold-and-spin may end at (step s, k Keys), Free Spins to follow (f = 1) or not;
with k >= 1 the player uses the Keys, worth T[start + k][s], or saves them, worth T[saved][s] and b + k. When Free Spins
begin with b >= 1, min(b, U) Keys are used, worth fv[u], or none, worth fv[0]. A stationary policy has gain g and bias h:

    g + h(b) = r(b) + E[h(b') | b].

b is unbounded. From some B on a policy is taken to be that of B, and :mod:`workbench.prob.bank_chain` closes the system
there; B is doubled until the gain stands.

A policy is improved until the optimality equation holds. Ties (within 1e-9 bets) go to the earlier use and to
saving, the advertised choices.

Closed form (the oracle, and the search's objective). Let c = (fv[U] - fv[0]) / U, kappa the Keys saved a round, P_FS the
rate of Free Spins. If load = kappa / (U P_FS) < 1 and fv[u] - fv[0] <= u c, then h(b) = c b solves the optimality
equation for every b, saving (s, k) pays iff k c >= T[start + k][s] - T[saved][s], and
g = base + sum P(s, k) max(k c, T[start + k][s] - T[saved][s]), base being saved without ever being used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from workbench.features._key_kernels import bank_moves
from workbench.prob.bank_chain import Array, BankChain

TIE = 1e-9
# a bias is known to some digits only, and far out, where keeping and using are worth the same, noise must not choose
NOISE = 1e-12
FIRST_BANK = 48
LAST_BANK = 3072
SETTLED = 1e-13

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class KeyGame:
    """What the decisions are about, per round and in total bets.

    law
        (2, S, K): P(hold-and-spin ends at step s with k Keys; Free Spins don't / do follow).
    used_prize, saved_prize
        (S, K), (S,): the ladder's prize when the Keys are used at once, and when they are saved.
    free_spins
        P(Free Spins) a round, with or without a hold-and-spin before.
    prizes
        (U + 1,): mean ladder prize of Free Spins begun with u Keys.
    """

    law: Array
    used_prize: Array
    saved_prize: Array
    free_spins: float
    prizes: Array

    @property
    def most_used(self) -> int:
        """U, the most Keys used at once."""
        return len(self.prizes) - 1

    @property
    def key_value(self) -> float:
        """c: what a banked Key is worth, in bets."""
        return float(self.prizes[-1] - self.prizes[0]) / self.most_used

    @property
    def keys_won(self) -> float:
        """Keys won in hold-and-spin a round."""
        return float((self.law.sum(axis=(0, 1)) * np.arange(self.law.shape[2])).sum())


@dataclass(frozen=True)
class Policy:
    """Choices by bank: ``save[b, f, s, k]`` and ``use[b]``; beyond the last row the last row holds."""

    save: Bools
    use: Bools


@dataclass(frozen=True)
class Solution:
    """What a policy returns.

    gain
        long-run ladder prizes a round, both features, in bets.
    hold_and_spin, free_spins
        its two parts.
    bias
        h(b) for b = 0 .. B, with h(0) = 0.
    bank
        stationary law of b = 0 .. B at the start of a round, or None where there is none.
    saved
        Keys saved a round in the long run.
    error
        bound on |printed - true| of the gain.
    """

    policy: Policy
    chain: BankChain
    gain: float
    hold_and_spin: float
    free_spins: float
    bias: Array
    bank: Array | None
    saved: float
    error: float

    @property
    def mean_bank(self) -> float | None:
        """Mean of the stationary bank."""
        return None if self.bank is None else float(self.bank @ np.arange(len(self.bank)))

    def early_gains(self, rounds: Sequence[int]) -> list[float]:
        """Mean ladder prizes a round over the first N rounds from an empty bank, for each N (rising).

        N g + h(0) - E[h(b_N)] is their sum, for h solves the Poisson equation.
        """
        law = np.eye(1, self.chain.last + 1)[0]
        gains, played = [], 0
        power, exponent = self.chain.dense(), 1
        for n in rounds:
            whole, rest = divmod(n - played, exponent)
            if rest:
                power, exponent, whole = self.chain.dense(), 1, n - played
            step = np.linalg.matrix_power(power, whole)
            law = law @ step
            if played == 0:
                power, exponent = step, n
            played = n
            gains.append(self.gain - float(law @ self.bias) / n)
        return gains


def always(game: KeyGame, bank: int, save: bool, use_at: int | None) -> Policy:
    """Save always or never; use from ``use_at`` banked Keys on, or never."""
    shape = (bank + 1, *game.law.shape)
    banked = np.arange(bank + 1)
    use = np.zeros(bank + 1, dtype=bool) if use_at is None else banked >= max(use_at, 1)
    saves = np.full(shape, save)
    saves[..., 0] = False
    return Policy(saves, use)


NAMED: dict[str, Callable[[KeyGame, int], Policy]] = {
    "never-save": lambda game, bank: always(game, bank, False, 1),
    "save-never-use": lambda game, bank: always(game, bank, True, None),
    "advertised": lambda game, bank: always(game, bank, True, game.most_used),
    "always-save-use-at-1": lambda game, bank: always(game, bank, True, 1),
    "always-save-use-at-2": lambda game, bank: always(game, bank, True, 2),
}


def bank_chain(game: KeyGame, policy: Policy) -> BankChain:
    """The bank under a policy; its rewards are the ladder prizes of hold-and-spin and of Free Spins."""
    moves, rewards = bank_moves(
        game.law, game.used_prize, game.saved_prize, policy.save, policy.use, game.free_spins, game.prizes
    )
    return BankChain(moves, rewards, game.most_used)


def _evaluate_at(game: KeyGame, policy: Policy) -> Solution:
    chain = bank_chain(game, policy)
    gains, bias = chain.solve()
    bank = chain.stationary()
    keys = np.arange(game.law.shape[2])
    saved = (policy.save * game.law[None] * keys).sum(axis=(1, 2, 3))
    mean_saved = float(bank @ saved) if bank is not None else float(saved[-1])
    return Solution(
        policy,
        chain,
        float(gains.sum()),
        float(gains[0]),
        float(gains[1]),
        bias.sum(axis=1),
        bank,
        mean_saved,
        0.0,
    )


def evaluate_policy(game: KeyGame, make: Callable[[KeyGame, int], Policy]) -> Solution:
    """Gain, bias and bank of a policy given for any bank size; the size doubles until the gain stands."""
    return _settle(game, lambda bank: _evaluate_at(game, make(game, bank)))


def _settle(game: KeyGame, at: Callable[[int], Solution]) -> Solution:
    """Double the bank until what closes the system can't show: the law beyond it, or a change of the gain."""
    bank, moved = max(FIRST_BANK, game.law.shape[2]), 0.0
    found = at(bank)
    while not _closed(game, found) and 2 * bank <= LAST_BANK:
        larger = at(2 * bank)
        change = abs(larger.gain - found.gain)
        bank, found, moved = 2 * bank, larger, 2 * change
        if found.bank is None and change <= SETTLED:
            break
    return replace(found, error=found.error + (0.0 if _closed(game, found) else moved) + 1e-14)


def _closed(game: KeyGame, found: Solution) -> bool:
    """Whether the closure far out is exact to rounding: nothing moves down, or next to no mass comes near it."""
    if not found.chain.moves[:, : found.chain.down].any():
        return True
    if found.bank is None:
        return False
    worth = max(game.key_value, 1.0) * len(found.bank)
    return float(found.bank[-1]) * worth <= SETTLED


def improve(game: KeyGame, bias: Array, slope: float, sign: float) -> Policy:
    """The policy that is best (sign 1) or worst (-1) against a bias on 0 .. B that goes on with ``slope``."""
    last, keys = len(bias) - 1, game.law.shape[2]
    h = _continued(bias, slope, keys)
    extended, tie = np.arange(last + keys), np.maximum(TIE, NOISE * np.abs(h))
    used = np.minimum(extended, game.most_used)
    keep = game.prizes[0] + h
    spend = game.prizes[used] + h[extended - used]
    use = (extended > 0) & (sign * (spend - keep) >= -tie)
    begun = np.where(use, spend, keep)
    save = np.zeros((last + 1, *game.law.shape), dtype=bool)
    banks = np.arange(last + 1)
    for f, worth in ((0, h), (1, begun)):
        for k in range(1, keys):
            more = worth[banks + k] - worth[banks]
            cost = game.used_prize[:, k] - game.saved_prize
            save[:, f, :, k] = sign * (more[:, None] - cost[None, :]) >= -tie[banks, None]
    return Policy(save, use[: last + 1])


def _continued(bias: Array, slope: float, keys: int) -> Array:
    """h(b) for b = 0 .. B + ``keys`` - 1."""
    last = len(bias) - 1
    extended = np.arange(last + keys)
    return np.where(
        extended <= last, bias[np.minimum(extended, last)], bias[last] + slope * (extended - last)
    )


def shortfall(game: KeyGame, found: Solution, sign: float) -> float:
    """A bound on how much the best (worst) policy gains more (less) than ``found``: 0 where the optimality equation holds.

    For any h the gain of every policy is at most the largest of r(b) + E[h(b')] - h(b) over b and choices.
    """
    slope = found.chain.slope(found.gain)
    chain = bank_chain(game, improve(game, found.bias, slope, sign))
    h = _continued(found.bias, slope, chain.moves.shape[1])
    places = np.arange(len(found.bias))[:, None] + np.arange(chain.moves.shape[1]) - chain.down
    # a move that can't be is one of chance 0, also where it would lead below 0
    value = chain.rewards.sum(axis=1) + (chain.moves * h[np.maximum(places, 0)]).sum(axis=1)
    here = h[: len(found.bias)]
    more = sign * (value - here - found.gain) - np.maximum(TIE, NOISE * np.abs(here))
    return float(max(more.max(), 0.0))


def _solve_at(game: KeyGame, bank: int, sign: float) -> Solution:
    found = _evaluate_at(game, always(game, bank, True, game.most_used if sign > 0 else None))
    for _ in range(100):
        better = improve(game, found.bias, found.chain.slope(found.gain), sign)
        if np.array_equal(better.save, found.policy.save) and np.array_equal(better.use, found.policy.use):
            break
        reached = _evaluate_at(game, better)
        if sign * (reached.gain - found.gain) < -1e-11:
            break
        found = reached
    return replace(found, error=shortfall(game, found, sign))


def solve(game: KeyGame, sign: float) -> Solution:
    """The policy of the largest (sign 1) or smallest (-1) gain, by policy iteration."""
    return _settle(game, lambda bank: _solve_at(game, bank, sign))


def optimal(game: KeyGame) -> Solution:
    """The policy of the largest gain: read off the exact bias c b where the closed form holds, else solved."""
    form = closed_form(game)
    if not form.holds:
        return solve(game, 1.0)
    c = game.key_value
    return evaluate_policy(game, lambda _, bank: improve(game, c * np.arange(bank + 1.0), c, 1.0))


def worst(game: KeyGame) -> Solution:
    """The policy of the smallest gain: never to use what is saved, where no use of Keys ever loses; else solved."""
    if (game.prizes >= game.prizes[0]).all() and (game.used_prize >= game.saved_prize[:, None]).all():
        return evaluate_policy(game, NAMED["save-never-use"])
    return solve(game, -1.0)


@dataclass(frozen=True)
class ClosedForm:
    """Gains by the closed form; ``holds`` tells whether its conditions do."""

    holds: bool
    load: float
    base: float
    advertised: float
    optimal: float


def closed_form(game: KeyGame) -> ClosedForm:
    """The gains of save-never-use (base), advertised and optimal when the load is below 1."""
    c = game.key_value
    keys = np.arange(game.law.shape[2])
    law = game.law.sum(axis=0)
    base = float((law * game.saved_prize[:, None]).sum() + game.free_spins * game.prizes[0])
    load = game.keys_won / (game.most_used * game.free_spins) if game.free_spins else np.inf
    worth = keys[None, :] * c
    extra = game.used_prize - game.saved_prize[:, None]
    linear = all(p - game.prizes[0] <= u * c + 1e-12 for u, p in enumerate(game.prizes))
    return ClosedForm(
        holds=bool(load < 1 and linear and c >= 0),
        load=float(load),
        base=base,
        advertised=base + float((law * worth).sum()),
        optimal=base + float((law * np.maximum(worth, extra))[:, 1:].sum()),
    )
