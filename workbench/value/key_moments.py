"""How widely the wins of a game with banked Keys are spread: one round, and many rounds that hang together.

A round's lines win X (those of the paid spin and of the final board), its ladder prizes and Free Spins the rest. What the
player decides depends on the hold-and-spin's end, kappa = (Free Spins follow, step, Keys), so X is needed with it:
P(kappa), E[X; kappa] and E[X^2]. Given kappa, the bank b and the policy, the prize a is certain and Free Spins with u used
Keys win an independent Y_u, so the mean square of win + d, for any d(b, kappa), is

    E[X^2] + sum over kappa of  2 E[X; kappa] (a + d + E Y) + P(kappa) ((a + d)^2 + 2 (a + d) E Y + E Y^2).

d = 0 gives the variance of a round at the stationary bank. Rounds depend on each other through the bank: with the gain g and
the bias h of the policy, win + h(b') - h(b) - g is a martingale difference, and its mean square at the stationary bank, with
d = h(b') - h(b) - g, is the long-run variance: that of the sum of N wins over N, for large N.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

from workbench.exact.gains import gains_of
from workbench.exact.line_law import line_law
from workbench.exact.marks import marks_on
from workbench.exact.spin import spin_model
from workbench.exact.start_law import StartLaw, start_law
from workbench.exact.weighted_lines import line_sums
from workbench.features.board_chain import board_chain
from workbench.features.board_moments import final_lines
from workbench.features.free_spins_moments import FreeSpinsMoments, free_spins_moments
from workbench.features.keys import KeyGame, Solution
from workbench.game.features import HoldAndSpin
from workbench.prob.product_chain import Array
from workbench.value.round import RoundValue, bank_law


@dataclass(frozen=True)
class KeyMoments:
    """What a round's moments under any policy are made of, in total bets; f = 1 where Free Spins follow.

    plain, plain_first
        (2,): P(no hold-and-spin; f), E[X; no hold-and-spin, f].
    hold, hold_first
        (2, steps, K): P(step, Keys; f), E[X; step, Keys, f].
    second
        E[X^2].
    free
        moments of Free Spins by used Keys.
    """

    plain: Array
    plain_first: Array
    hold: Array
    hold_first: Array
    second: float
    free: FreeSpinsMoments


def key_moments(value: RoundValue) -> KeyMoments | None:
    """The moments' parts of a strip set; None where re-spins spin whole strips, whose boards are too many."""
    game = value.game
    if game.hold_and_spin and game.hold_and_spin.spun == "strips":
        return None
    hold = free = None
    if game.hold_and_spin:
        hold = hold_moments(value, game.hold_and_spin, starts_of(value, game.hold_and_spin))
    if game.free_spins and value.free_tables:
        used = value.key_game.most_used
        free = free_spins_moments(game, game.free_spins, value.strips, value.free_tables, used)
    return moments_of(value, spin_moments(value), hold, free)


SpinParts = tuple[Array, float]
HoldParts = tuple[Array, Array, float]


def moments_of(
    value: RoundValue, spin: SpinParts, hold: HoldParts | None, free: FreeSpinsMoments | None
) -> KeyMoments:
    """The moments from what :func:`spin_moments`, :func:`hold_moments` and the Free Spins' give; None where there are none."""
    bet, cycle = float(value.game.bet.coins), float(value.spins.cycle)
    law, none = value.key_game.law, np.zeros(len(value.key_game.prizes))
    hold_first, won, more = hold or (np.zeros_like(law), np.zeros(2), 0.0)
    return KeyMoments(
        plain=np.array([1 - value.free_probability, value.free_probability]) - law.sum(axis=(1, 2)),
        plain_first=(spin[0] - won) / (cycle * bet),
        hold=law,
        hold_first=_with_keys(hold_first, law.shape[2]) / (cycle * bet),
        second=(spin[1] + more) / (cycle * bet**2),
        free=free or FreeSpinsMoments(none, none),
    )


def _with_keys(law: Array, keys: int) -> Array:
    """The law's entries of so many numbers of Keys; the law and the moments may be followed to different ones."""
    return np.pad(law, ((0, 0), (0, 0), (0, max(keys - law.shape[2], 0))))[:, :, :keys]


def starts_of(value: RoundValue, feature: HoldAndSpin) -> StartLaw:
    """The start of the hold-and-spin with the line coins, its scatters counted up to what Free Spins ask for."""
    windows = spin_model(value.game).windows(value.strips.reels["base"])
    scatters = windows.scatters(feature.trigger.symbol, feature.trigger.reels)
    free = value.game.free_spins
    most = max(feature.trigger.least, free.trigger.least if free else 0)
    return start_law(windows, scatters, feature.trigger, most, feature.wild_only_lines == "last-resort")


def spin_moments(value: RoundValue) -> SpinParts:
    """((2,) sums over the cycle of the paid spin's line coins without and with Free Spins, sum of their square)."""
    game, reels = value.game, value.strips.reels["base"]
    gains = gains_of(line_law(game), [lambda award: float(award.coins)])
    sums = line_sums(game, gains, reels, [np.ones((len(strip), 1)) for strip in reels])
    first = np.array([float(sums.mean()[0]), 0.0])
    if game.free_spins:
        trigger = game.free_spins.trigger
        marks = marks_on(game, reels, [(trigger.symbol, trigger.reels)], [trigger.least])
        by_code = sums.marked(0, marks.codes, marks.plus)
        follows = marks.numbers[:, 0] >= trigger.least
        first = np.array([by_code[~follows].sum(), by_code[follows].sum()])
    return first, float(sums.product()[0])


def hold_moments(value: RoundValue, feature: HoldAndSpin, starts: StartLaw) -> HoldParts:
    """Sums over the cycle, in coins: (2, steps, K) of X with the end; (2,) of the spin's lines; of (X^2 - lines^2)."""
    symbol, board, place = starts.starts()
    boards = board_chain(value.game, feature, value.strips)
    lines = final_lines(value.game, feature, boards, symbol, board)
    free = value.game.free_spins
    follows = starts.scatters >= free.trigger.least if free else np.zeros(len(starts.scatters), dtype=bool)
    first = np.zeros((2, *lines.ends.shape[1:]))
    won, more = np.zeros(2), 0.0
    mean = lines.with_end.sum(axis=(1, 2))
    for f, side in enumerate((~follows, follows)):
        weight = np.bincount(place, starts.weight * side, minlength=len(symbol))
        coins = np.bincount(place, starts.weight * side * starts.coins, minlength=len(symbol))
        first[f] = np.tensordot(coins, lines.ends, 1) + np.tensordot(weight, lines.with_end, 1)
        won[f] = coins.sum()
        more += float(2 * coins @ mean + weight @ lines.second)
    return first, won, more


@dataclass(frozen=True)
class Deviation:
    """Standard deviations in bets: of one round at the stationary bank, and of many rounds, over the root of their number."""

    round: float
    long_run: float


def deviation(value: RoundValue, moments: KeyMoments, solution: Solution) -> Deviation:
    """The deviations under a solved policy; far out where its bank has no stationary law."""
    return deviation_of(value.key_game, moments, solution, value.fixed + solution.gain)


def deviation_of(game: KeyGame, moments: KeyMoments, solution: Solution, rtp: float) -> Deviation:
    """The deviations of a game of decisions and its moments, whose rounds return ``rtp``."""
    bank, flat = bank_law(solution), np.zeros(len(solution.bias))
    one = _mean_square(game, moments, solution, flat, 0.0, 0.0)
    slope = solution.chain.slope(solution.gain) if solution.bank is not None else 0.0
    bias = solution.bias if solution.bank is not None else flat
    many = _mean_square(game, moments, solution, bias, slope, rtp)
    return Deviation(sqrt(max(float(bank @ one) - rtp**2, 0.0)), sqrt(max(float(bank @ many), 0.0)))


def _mean_square(
    game: KeyGame, moments: KeyMoments, solution: Solution, bias: Array, slope: float, gain: float
) -> Array:
    """(B + 1,): E[(win + h(b') - h(b) - gain)^2] in each bank b; the bias goes on with ``slope``."""
    policy = solution.policy
    last, keys = len(bias) - 1, game.law.shape[2]
    reach = np.arange(last + keys)
    h = bias[np.minimum(reach, last)] + slope * np.maximum(reach - last, 0)
    used = np.where(policy.use[np.minimum(reach, last)], np.minimum(reach, game.most_used), 0)
    banks = np.arange(last + 1)
    own = h[banks] + gain
    found = moments.second + _squares(moments.plain[0], moments.plain_first[0], h[banks] - own, 0.0, 0.0)
    u = used[banks]
    mean, second = moments.free.mean, moments.free.second
    found += _squares(moments.plain[1], moments.plain_first[1], h[banks - u] - own, mean[u], second[u])
    for k in range(keys):
        for s in range(game.law.shape[1]):
            for f in (0, 1):
                if game.law[f, s, k] == 0:
                    continue
                saves = policy.save[:, f, s, k]
                then = banks + np.where(saves, k, 0)
                prize = np.where(saves, game.saved_prize[s], game.used_prize[s, k])
                u = used[then] if f else np.zeros_like(then)
                d = prize + h[then - u] - own
                y = (mean[u], second[u]) if f else (0.0, 0.0)
                found += _squares(game.law[f, s, k], moments.hold_first[f, s, k], d, *y)
    return found


def _squares(p: float, q: float, d: Array, mean: Array | float, second: Array | float) -> Array:
    """2 q (d + E Y) + p E[(d + Y)^2]."""
    found: Array = 2 * q * (d + mean) + p * (d**2 + 2 * d * mean + second)
    return found
