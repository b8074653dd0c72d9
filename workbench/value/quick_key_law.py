"""The law of a round with banked Keys within seconds: rounds with a feature are drawn, all others are exact.

A round begins no feature with a chance near 1, and then its law is that of its lines. Rounds that begin one are drawn as a
whole: the start, its end and final board, the bank from its stationary law, the policy's choices, Free Spins. Each draw is
an independent round of that part, so chances have a binomial's interval (:mod:`workbench.value.estimated`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.features.key_plays import play_free_spins, play_holds
from workbench.features.keys import Solution
from workbench.value.estimated import Estimated
from workbench.value.key_law import KeyLaw, KeyRounds, follows_of, plain_law, prizes_of
from workbench.value.key_moments import starts_of
from workbench.value.round import RoundValue, bank_law
from workbench.value.round_law import ENTRY_ERROR, RoundLaw

DRAWS = 250_000
SEED = 20_261_201
Ints = NDArray[np.int64]


def quick_key_law(value: RoundValue, solution: Solution, draws: int = DRAWS) -> RoundLaw:
    """The law of a round under a policy, the rounds with a feature estimated from so many draws."""
    plain = plain_law(value)
    empty = KeyRounds(
        value, KeyLaw(plain, np.zeros((2, 1, 1, 1)), np.zeros((1, 1, 1)), 0.0), prizes_of(value)
    )
    exact = empty.plain(0)
    share = 1.0 - float(plain[0].sum())
    rng = np.random.default_rng(SEED)
    wins = _drawn(empty, solution, draws, rng) if share > 0 else np.zeros(0, dtype=np.int64)
    counts = np.bincount(wins, minlength=len(exact))
    chances = np.zeros(len(counts))
    chances[: len(exact)] = exact
    if not len(wins):
        return RoundLaw(empty.step, exact, 0.0, ENTRY_ERROR)
    part = Estimated(share, counts, SEED, value.fixed + solution.gain, None)
    dependent = bool(value.game.banked_keys)
    return RoundLaw(empty.step, chances + part.chances, 0.0, ENTRY_ERROR, part, dependent)


def _drawn(rounds: KeyRounds, solution: Solution, draws: int, rng: np.random.Generator) -> Ints:
    """What drawn rounds with a feature win, in lattice steps."""
    value, prizes = rounds.value, rounds.prizes
    alone = float(rounds.laws.plain[1].sum())
    held = value.hold.probability if value.hold else 0.0
    holds = int(rng.binomial(draws, held / (held + alone)))
    bank = np.searchsorted(np.cumsum(bank_law(solution)), rng.random(draws), side="right")
    bank = np.minimum(bank, len(solution.policy.use) - 1)
    wins, banked, free = np.zeros(draws, dtype=np.int64), bank.copy(), np.ones(draws, dtype=np.bool_)
    if holds:
        feature = value.game.hold_and_spin
        assert feature
        starts = starts_of(value, feature)
        played = play_holds(value.game, feature, value.strips, starts, follows_of(value, starts), holds, rng)
        keys = np.minimum(played.keys, prizes.used.shape[1] - 1)
        saves = solution.policy.save[bank[:holds], played.follows, played.step, keys]
        won = np.where(saves, prizes.saved[played.step], prizes.used[played.step, keys])
        wins[:holds] = played.coins * prizes.coin + won
        banked[:holds] += np.where(saves, keys, 0)
        free[:holds] = played.follows > 0
    if holds < draws:
        law = rounds.laws.plain[1]
        wins[holds:] = rng.choice(len(law), size=draws - holds, p=law / law.sum()) * prizes.coin
    wins[free] += _free_wins(rounds, solution, banked[free], rng)
    return wins


def _free_wins(rounds: KeyRounds, solution: Solution, banked: Ints, rng: np.random.Generator) -> Ints:
    """What Free Spins begun with these banks win, in lattice steps."""
    value, prizes = rounds.value, rounds.prizes
    feature, tables = value.game.free_spins, value.free_tables
    if not len(banked) or feature is None or tables is None:
        return np.zeros(len(banked), dtype=np.int64)
    played = play_free_spins(value.game, feature, value.strips, tables, len(banked), rng)
    choice = solution.policy.use[np.minimum(banked, len(solution.policy.use) - 1)]
    used = np.where(choice, np.minimum(banked, value.key_game.most_used), 0)
    own = played.keys if feature.key.at_most == "no-limit" else np.minimum(played.keys, feature.key.at_most)
    level = np.minimum(feature.start_level + used + played.wheel_keys + own, len(prizes.free)) - 1
    return np.asarray(played.coins * prizes.coin + prizes.free[level, played.step])
