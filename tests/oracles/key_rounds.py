"""The law of the win of whole rounds with banked Keys: every spin, board and free spin followed one by one.

A win is a whole number of units: coins, or parts of one where a ladder prize asks for it. What never ends by itself
is followed until less than ``tail`` of it still plays, and parts of next to no weight are dropped; all of either
is counted as ``lost``. Wins add up only along what a round really draws together: the triggering spin's coins come
with its board and its Scatters, the final lines with step and Keys, the free spins' lines with meter, Keys and spins.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from workbench.game.definition import GameDefinition
from workbench.reels.strip_set import StripSet

from . import keys, re_spins, spin
from .key_ends import HoldEnds, Law, above, added, free_ends, law_of, mixed, moved, shares

TAIL = 1e-15
SESSION_DUST = 1e-18
MOST_KEYS = 64
HeldKey = tuple[bool, int, int]


class Decide(NamedTuple):
    """The player: ``save(bank, free spins follow, step from 1, Keys won)`` and ``use(bank)``, asked at 1 and more."""

    save: Callable[[int, bool, int, int], bool]
    use: Callable[[int], bool]


def always(save: bool, use_from: int | None) -> Decide:
    """Save always or never; use from so many Keys on, or never where it is None."""
    return Decide(lambda *_: save, lambda bank: use_from is not None and bank >= use_from)


def by_tables(save, use) -> Decide:
    """The choices of arrays ``save[bank, follow, step - 1, Keys]``, ``use[bank]``; the last bank's and Keys' hold beyond."""
    last, most = len(use) - 1, np.shape(save)[3] - 1
    return Decide(
        lambda bank, follow, step, won: bool(save[min(bank, last), int(follow), step - 1, min(won, most)]),
        lambda bank: bool(use[min(bank, last)]),
    )


NAMED = {
    "never-save": always(False, 1),
    "save-never-use": always(True, None),
    "advertised": always(True, 3),
    "always-save-use-at-1": always(True, 1),
    "always-save-use-at-2": always(True, 2),
}


class BankLaw(NamedTuple):
    """``law``: (win, bank after the round) to probability; ``lost``: the probability not followed."""

    law: dict[tuple[int, int], float]
    lost: float


class Stationary(NamedTuple):
    """Rounds in the long run from an empty bank, in total bets.

    ``bank``: its law at the start of a round; ``beyond``: share of rounds that would have left the bank above its
    last entry, and ``lost`` that not followed. ``wins``: law of a round's win in units. ``covariances[n]``: of two
    wins n rounds apart, from the variance on; ``long_run_variance``: the variance and twice the sum of the others.
    """

    bank: np.ndarray
    beyond: float
    lost: float
    wins: Law
    mean: float
    deviation: float
    covariances: list[float]
    long_run_variance: float


class KeyRounds:
    """What a round is made of, found once; then its law for any player and bank.

    ``plain``, ``alone``: coins of paid spins without features, and with Free Spins only. ``held``: (Free Spins
    follow, step, Keys) to the coins of the paid spin and of the final lines. ``free[u]``: Free Spins, lines and
    prize, with u Keys used. All but ``free`` are a round's: each with the probability of its case as total.
    """

    def __init__(
        self, game: GameDefinition, strips: StripSet, tail: float = TAIL, most_keys: int = MOST_KEYS
    ):
        hold, free, banked = game.hold_and_spin, game.free_spins, game.banked_keys
        assert hold and free and banked
        self.game, self.strips, self.tail, self.most_keys = game, strips, tail, most_keys
        self.hold, self.banked = hold, banked
        prizes = [Fraction(str(p)) for f in (hold, free) for row in game.ladder(f.ladder).table for p in row]
        self.per_coin = math.lcm(*((prize * game.bet.coins).denominator for prize in prizes))
        self.bet = game.bet.coins * self.per_coin
        self.held: dict[HeldKey, Law] = {}
        self.lost_hold = self.lost_free = 0.0
        self._spins()
        self.free = self._free()
        self.with_free: dict[tuple[HeldKey, int], Law] = {}

    def prize(self, ladder: str, level: int, step: int) -> int:
        """A ladder's prize in units."""
        rungs = self.game.ladder(ladder)
        return int(Fraction(str(rungs.table[min(level, rungs.levels) - 1][step - 1])) * self.bet)

    def _spins(self) -> None:
        """Every paid spin: its coins in units, by what it triggers."""
        free, game = self.game.free_spins, self.game
        plain: Counter[int] = Counter()
        alone: Counter[int] = Counter()
        starts: dict[tuple[str, spin.Board, bool], Counter[int]] = defaultdict(Counter)
        reader, cycle = spin.LineReader(game), 0
        for screen in spin.screens(game, self.strips.reels["base"]):
            paid = reader.awards(screen)
            coins = sum(award.coins for _, award in paid) * self.per_coin
            rules = self.hold.trigger, free.trigger
            holds, frees = (
                spin.fires(rule, bool(paid), spin.visible(screen, rule.symbol, rule.reels)) for rule in rules
            )
            if paid and holds:
                starts[(*spin.start_of_hold(game, screen, paid), frees)][coins] += 1
            else:
                (alone if frees else plain)[coins] += 1
            cycle += 1
        self.plain, self.alone = (shares(count, cycle) for count in (plain, alone))
        self._hold({start: shares(count, cycle) for start, count in starts.items()})

    def _hold(self, starts: dict[tuple[str, spin.Board, bool], Law]) -> None:
        """Re-Spins of every start board to their end, joined with what their spins paid."""
        boards = sorted({board for _, board, _ in starts}, key=sorted)
        found = HoldEnds(self.game, self.strips, boards, self.most_keys).play(self.tail)
        parts: dict[HeldKey, list[Law]] = defaultdict(list)
        for (collectable, board, follow), coins in starts.items():
            at = boards.index(board)
            self.lost_hold += float(coins.chances.sum() * found.lost[at])
            for final, chances in found.ends.items():
                lines = re_spins.board_coins(self.game, final, collectable) * self.per_coin
                step = re_spins.step_of(self.game, len(final))
                for won in np.flatnonzero(chances[at]).tolist():
                    parts[follow, step, won].append(Law(coins.wins + lines, coins.chances * chances[at, won]))
        self.held = {key: mixed(laws) for key, laws in parts.items()}

    def _free(self) -> list[Law]:
        """Free Spins over the wheel, for each number of Keys used."""
        feature, used_most = self.game.free_spins, self.banked.use_at_most
        wheels = [
            self.strips.wheels[n]
            for n in (feature.wheels.spins, feature.wheels.collectable, feature.wheels.keys)
        ]
        lengths = {int(n): weight / wheels[0].total for n, weight in wheels[0].items()}
        laws: list[list[Law]] = [[] for _ in range(used_most + 1)]
        for collectable, weight in wheels[1].items():
            ends, lost = free_ends(self.game, self.strips, collectable, lengths, self.tail)
            share = weight / wheels[1].total
            self.lost_free += share * lost
            for (step, landed), coins in ends.items():
                for wheel_keys, times in wheels[2].items():
                    chances = coins.chances * (share * times / wheels[2].total)
                    for used in range(used_most + 1):
                        level = feature.start_level + used + int(wheel_keys) + landed
                        win = self.prize(feature.ladder, level, step)
                        laws[used].append(Law(coins.wins * self.per_coin + win, chances))
        return [mixed(each) for each in laws]

    def _used(self, decide: Decide, bank: int) -> int:
        return min(bank, self.banked.use_at_most) if bank >= 1 and decide.use(bank) else 0

    def _cases(self, decide: Decide, bank: int) -> Iterator[tuple[int, Law]]:
        """(bank after, law of the win) of each case of a round."""
        yield bank, self.plain
        used = self._used(decide, bank)
        yield bank - used, added(self.alone, self.free[used])
        for (follow, step, won), coins in self.held.items():
            save = won > 0 and decide.save(bank, follow, step, won)
            level = self.banked.saved_level if save else self.hold.start_level + won
            win, now = self.prize(self.hold.ladder, level, step), bank + won * save
            used = self._used(decide, now) if follow else 0
            if follow:
                case = (follow, step, won), used
                if case not in self.with_free:
                    self.with_free[case] = added(coins, self.free[used])
                coins = self.with_free[case]
            yield now - used, moved(coins, win)

    def laws_of_bank(self, decide: Decide, bank: int) -> dict[int, Law]:
        """Bank after a round begun with ``bank`` Keys to the law of the win, in units."""
        laws: dict[int, list[Law]] = defaultdict(list)
        for after, law in self._cases(decide, bank):
            laws[after].append(law)
        found = {after: mixed(each) for after, each in sorted(laws.items())}
        return {after: law for after, law in found.items() if len(law.wins)}

    @property
    def lost(self) -> float:
        """Probability of a round that is not followed to its end."""
        follow = sum(float(law.chances.sum()) for key, law in self.held.items() if key[0])
        return self.lost_hold + self.lost_free * (float(self.alone.chances.sum()) + follow)

    def law_of_bank(self, decide: Decide, bank: int) -> BankLaw:
        """The law of (win in units, bank after) of a round begun with ``bank`` Keys."""
        laws = self.laws_of_bank(decide, bank)
        pairs = {
            (win, after): chance
            for after, law in laws.items()
            for win, chance in zip(law.wins.tolist(), law.chances.tolist(), strict=True)
        }
        return BankLaw(pairs, self.lost)

    def stationary(self, decide: Decide, most_bank: int) -> Stationary:
        """Rounds in the long run from an empty bank, on a bank that holds ``most_bank`` Keys and loses the rest."""
        laws = [self.laws_of_bank(decide, bank) for bank in range(most_bank + 1)]
        moves, above = np.zeros((most_bank + 1, most_bank + 1)), np.zeros(most_bank + 1)
        for bank, of_bank in enumerate(laws):
            for after, law in of_bank.items():
                moves[bank, min(after, most_bank)] += law.chances.sum()
                above[bank] += law.chances.sum() if after > most_bank else 0.0
        share = keys.long_run_law(moves)
        wins = mixed(
            [Law(law.wins, law.chances * share[b]) for b in np.flatnonzero(share) for law in laws[b].values()]
        )
        whole = wins.chances.sum()
        mean = float(wins.wins @ wins.chances / whole) / self.bet
        variance = float((wins.wins / self.bet - mean) ** 2 @ wins.chances / whole)
        excess = np.zeros_like(moves)
        for bank, of_bank in enumerate(laws):
            for after, law in of_bank.items():
                excess[bank, min(after, most_bank)] += (law.wins / self.bet - mean) @ law.chances
        found = [variance, *_covariances(share, moves, excess, variance)]
        long_run = variance + 2 * math.fsum(found[1:])
        return Stationary(
            share, float(share @ above), self.lost, wins, mean, math.sqrt(variance), found, long_run
        )

    def session(
        self, decide: Decide, rounds: int, start: Mapping[int, float], dust: float = SESSION_DUST
    ) -> tuple[dict[int, float], float]:
        """(net win of so many rounds in units to probability, probability lost), the bank at the start having a law."""
        now = {bank: law_of([0], [chance]) for bank, chance in start.items() if chance > 0}
        known: dict[int, dict[int, Law]] = {}
        for _ in range(rounds):
            later: dict[int, list[Law]] = defaultdict(list)
            for bank, net in now.items():
                known[bank] = known.get(bank) or self.laws_of_bank(decide, bank)
                for after, law in known[bank].items():
                    seen = above(law, dust / float(net.chances.sum()))
                    later[after].append(moved(added(net, seen), -self.bet))
            left = {bank: above(mixed(laws), dust) for bank, laws in later.items()}
            now = {bank: law for bank, law in left.items() if len(law.wins)}
        net = mixed(list(now.values()))
        lost = sum(start.values()) - float(net.chances.sum())
        return dict(zip(net.wins.tolist(), net.chances.tolist(), strict=True)), lost


def _covariances(
    share: np.ndarray, moves: np.ndarray, excess: np.ndarray, variance: float, most: int = 200_000
) -> Iterator[float]:
    """Cov of two wins n = 1, 2, .. rounds apart, until twenty in a row are next to nothing.

    ``excess[b, b']``: mean of the win above the overall mean, with the bank going from b to b'.
    """
    ahead, carried, small = excess.sum(axis=1), share @ excess, 0
    for _ in range(most):
        found = float(carried @ ahead)
        yield found
        small = small + 1 if abs(found) <= 1e-16 * variance else 0
        if small == 20:
            return
        carried = carried @ moves
    raise ValueError(f"covariances: must die out within {most} rounds")
