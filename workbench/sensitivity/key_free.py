"""Swaps on strips of Free Spins: the numbers of every edited set, from the laws of single windows.

For a collectable, a window of reel r shows Scatters, a meter and Keys; with the marks of the other reels these give the law
of one spin's marks, which decides all prizes (:mod:`workbench.sensitivity.free_series`). Many swaps leave it alike: those that
change the windows' marks on their reel in the same way share it. The line win of a spin with its marks is linear in the windows
of a reel (:mod:`workbench.sensitivity.line_slopes`), so each swap's mean square is a sum over it. Collectables are weighed by
their wheel.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from workbench.features.free_spins import law_of_wheel
from workbench.game.definition import GameDefinition
from workbench.game.features import FreeSpins
from workbench.prob.branching import convolve
from workbench.prob.product_chain import Array
from workbench.reels.strip_set import StripSet
from workbench.sensitivity.candidates import Ints, candidates
from workbench.sensitivity.changes import Swap
from workbench.sensitivity.free_series import Prizes, SpinWorth, spin_worth
from workbench.sensitivity.key_batch import KeyBatch
from workbench.sensitivity.line_slopes import LineSlopes

THREADS = 2
ENDLESS = 1 - 1e-9


@dataclass(frozen=True)
class FreeWorth:
    """Free Spins under one collectable on edited strips, in total bets: (swaps,) or (swaps, U + 1), NaN where they never end."""

    line_win: Array
    second: Array
    prizes: Array
    prize_squares: Array
    with_prize: Array
    added: Array


@dataclass(frozen=True)
class Collected:
    """A collectable on some strips: by reel the marks (W, 3) of all windows and ``own`` (stops, 3) of the strip's, the line win.

    ``most`` marks of a kind and 1 more; ``slopes`` has a lane for each point of the transform of the marks, half of them.
    """

    marks: Sequence[Ints]
    own: Sequence[Ints]
    most: tuple[int, ...]
    slopes: LineSlopes


class FreeWindows:
    """The strips of Free Spins that serve some collectables, and the swaps on them."""

    def __init__(
        self, game: GameDefinition, feature: FreeSpins, strips: StripSet, name: str, swaps: Sequence[Swap]
    ) -> None:
        self.game, self.feature, self.reels = game, feature, strips.reels[name]
        self.places = [
            np.array([i for i, s in enumerate(swaps) if s.reel == r], dtype=np.int64)
            for r in range(game.reel_count)
        ]
        self.windows = [
            candidates(game, strip, r, [swaps[i] for i in self.places[r]])
            for r, strip in enumerate(self.reels)
        ]
        self.cycle = float(np.prod([len(strip) for strip in self.reels], dtype=np.float64))
        self.plain = LineSlopes.of(game, self.reels, [np.ones((len(strip), 1)) for strip in self.reels])
        self.moments = [self._line_moments(r) for r in range(game.reel_count)]

    def marks(self, reel: int, shown: Ints, collectable: str) -> Ints:
        """(W, 3): Scatters, meter and Keys of windows of a reel."""
        index, f = self.game.symbol_index, self.feature

        def seen(symbol: str, on: Sequence[int]) -> Ints:
            return np.asarray((shown == index[symbol]).sum(axis=1) * int(reel in on), dtype=np.int64)

        meter = seen(collectable, [reel])
        if f.meter.bonus:
            meter = meter + f.meter.bonus.adds * seen(f.meter.bonus.symbol, f.meter.bonus.reels)
        scatters = seen(f.retrigger.symbol, f.retrigger.reels)
        return np.stack([scatters, meter, seen(f.key.symbol, f.key.reels)], axis=1)

    def _line_moments(self, reel: int) -> tuple[Array, Array]:
        """(swaps,): mean line coins of a spin and their mean square on the edited strips."""
        one = self.windows[reel]
        found = []
        for values in (self.plain.means(reel, one.shown)[:, 0], self.plain.squares(reel, one.shown)[:, 0]):
            found.append((values[one.own].sum() + one.changes(values)) / self.cycle)
        return found[0], found[1]

    def collected(self, collectable: str) -> Collected:
        """What the strips show of a collectable."""
        reels = range(len(self.reels))
        marks = [self.marks(r, self.windows[r].shown, collectable) for r in reels]
        own = [marks[r][self.windows[r].own] for r in reels]
        most = np.sum([m.max(axis=0) for m in own], axis=0) + 1
        # sums of real numbers: the other half of the points holds their conjugates
        sizes = (int(most[0]), int(most[1]) // 2 + 1, int(most[2]))
        grids = [np.exp(-2j * np.pi * np.arange(k) / n) for k, n in zip(sizes, most.tolist(), strict=True)]
        points = np.stack([axis.ravel() for axis in np.meshgrid(*grids, indexing="ij")], axis=1)
        weights = [np.prod(points[None, :, :] ** m[:, None, :], axis=2) for m in own]
        return Collected(
            marks, own, tuple(most.tolist()), LineSlopes.of(self.game, self.reels, weights).ready()
        )

    def worth(self, reel: int, collected: Collected, prizes: Prizes) -> FreeWorth:
        """The worth of the edited strips, by swaps of a reel."""
        marks, own, most = collected.marks[reel], collected.own, collected.most
        one = self.windows[reel]
        size = tuple((np.array(most) + marks.max(axis=0)).tolist())
        flat = np.ravel_multi_index(tuple(marks.T), tuple((marks.max(axis=0) + 1).tolist()))
        by_others = collected.slopes.means(reel, one.shown).reshape(-1, most[0], most[1] // 2 + 1, most[2])
        by_others = np.fft.irfftn(by_others, s=(most[0], most[2], most[1]), axes=(1, 3, 2))
        with_marks = np.zeros((len(marks), *size))
        for code in np.unique(flat):
            here = np.flatnonzero(flat == code)
            s, m, k = (slice(n, n + most[i]) for i, n in enumerate(marks[here[0]].tolist()))
            with_marks[here, s, m, k] = by_others[here]
        with_marks = with_marks.reshape(len(marks), -1) / (self.cycle * self.game.bet.coins)
        won = with_marks[one.own].sum(axis=0) + one.changes(with_marks)
        shows = np.zeros((len(marks), int(np.prod(marks.max(axis=0) + 1))))
        shows[np.arange(len(marks)), flat] = 1.0
        own_laws = shows[one.own].sum(axis=0) + one.changes(shows)
        laws, kind = np.unique(np.rint(own_laws).astype(np.int64), axis=0, return_inverse=True)
        kind = kind.ravel()
        others = np.ones((1, 1, 1))
        for r, other in enumerate(own):
            if r != reel:
                others = convolve(others, _law(other))
        shape = tuple((marks.max(axis=0) + 1).tolist())
        spins = [convolve(others, law.reshape(shape) / len(one.own)) for law in laws.astype(float)]
        added = np.array([float(law.sum(axis=(1, 2)) @ np.arange(len(law))) for law in spins])
        found = [
            spin_worth(spin, prizes) if more < ENDLESS else None
            for spin, more in zip(spins, added, strict=True)
        ]
        return self._together(reel, won.reshape(-1, *size), kind, spins, added, found, prizes)

    def _together(
        self,
        reel: int,
        won: Array,
        kind: Ints,
        spins: Sequence[Array],
        added: Array,
        found: Sequence[SpinWorth | None],
        prizes: Prizes,
    ) -> FreeWorth:
        bet = self.game.bet.coins
        mean, square = (m / bet**i for i, m in enumerate(self.moments[reel], 1))
        rest = np.where(added < ENDLESS, 1 - added, np.nan)[kind]
        scatters = np.arange(won.shape[1])
        with_scatters = won.sum(axis=(2, 3)) @ scatters
        pairs = np.array(
            [float(s.sum(axis=(1, 2)) @ (np.arange(len(s)) * (np.arange(len(s)) - 1))) for s in spins]
        )
        mu = mean / rest
        one = (square + 2 * with_scatters * mu + pairs[kind] * mu**2) / rest
        n = prizes.total(prizes.spins)
        others = prizes.total([s * (s - 1) for s in prizes.spins])
        used = len(prizes.mean)
        by_prize = np.full((3, len(kind), used), np.nan)
        for i, worth in enumerate(found):
            here = np.flatnonzero(kind == i)
            if worth is None:
                continue
            s, m, k = (slice(min(both)) for both in zip(won.shape[1:], worth.slopes.shape[1:], strict=True))
            part, slope = won[here, s, m, k], worth.slopes[:, s, m, k]
            by_prize[0, here], by_prize[1, here] = worth.mean, worth.square
            by_prize[2, here] = np.tensordot(part, slope, axes=((1, 2, 3), (1, 2, 3)))
        second = n * one + others * mu**2
        return FreeWorth(n * mu, second, by_prize[0], by_prize[1], by_prize[2], added[kind])


def _law(marks: Ints) -> Array:
    shape = tuple((marks.max(axis=0) + 1).tolist())
    found = np.zeros(shape)
    np.add.at(found, tuple(marks.T), 1.0 / len(marks))
    return found


def free_batch(
    game: GameDefinition,
    feature: FreeSpins,
    strips: StripSet,
    name: str,
    swaps: Sequence[Swap],
    base: KeyBatch,
) -> tuple[KeyBatch, Ints, dict[int, float]]:
    """The numbers of the edited sets, which swap each is of, and Scatters a spin of those whose Free Spins never end.

    ``base`` is the set itself, at least as many times as there are swaps. A swap that changes nothing stands for the set.
    """
    most_used = base.prizes.shape[1] - 1
    prizes = Prizes.of(game, feature, strips, most_used)
    values = game.wheel(feature.wheels.collectable).values
    shares = law_of_wheel(strips, feature.wheels.collectable, values)
    served = [
        (c, share) for c, share in zip(values, shares, strict=True) if _serves(strips, feature, name, c)
    ]
    stays = Swap(name, 0, 0, strips.reels[name][0][0], strips.reels[name][0][0])
    windows = FreeWindows(game, feature, strips, name, [*swaps, stays])
    which = np.concatenate(windows.places)
    line_win, second, mean, squares, added = _weighed(windows, served, prizes)
    endless = {int(which[i]): float(added[i]) for i in np.flatnonzero(added >= ENDLESS)}
    now = int(np.flatnonzero(which == len(swaps))[0])
    kept = np.array([int(i) not in endless and i < len(swaps) for i in which], dtype=np.bool_)

    def moved(values: Array) -> Array:
        return np.asarray((values - values[now])[kept])

    line_win_moves, prize_moves = moved(line_win), moved(mean)
    found = base.taken(int(kept.sum())).moved(free_line_win=line_win_moves, prizes=prize_moves)
    if base.free_mean is not None:
        found = found.moved(
            free_mean=line_win_moves[:, None] + prize_moves, free_second=moved(second[:, None] + squares)
        )
    return found, which[kept], endless


def _weighed(
    windows: FreeWindows, served: Sequence[tuple[str, float]], prizes: Prizes
) -> tuple[Array, Array, Array, Array, Array]:
    """Over the collectables: line win, its mean square, prizes, mean squares with prizes, most Scatters a spin.

    In the order of ``windows.places``; the first two and the last (N,), the others (N, U + 1).
    """
    reels = range(len(windows.places))
    with ThreadPoolExecutor(THREADS) as pool:
        collected = list(pool.map(windows.collected, [collectable for collectable, _ in served]))
        tasks = [(r, one) for one in collected for r in reels]
        parts = list(pool.map(lambda task: windows.worth(task[0], task[1], prizes), tasks))
    weighed = []
    for i, (_, share) in enumerate(served):
        some = parts[i * len(reels) : (i + 1) * len(reels)]
        one = FreeWorth(*(np.concatenate(p) for p in zip(*(vars(w).values() for w in some), strict=True)))
        squares = one.prize_squares + 2 * one.with_prize
        weighed.append([share * x for x in (one.line_win, one.second, one.prizes, squares)] + [one.added])
    *sums, added = zip(*weighed, strict=True)
    line_win, second, mean, square = (np.sum(x, axis=0) for x in sums)
    return line_win, second, mean, square, np.max(added, axis=0)


def _serves(strips: StripSet, feature: FreeSpins, name: str, collectable: str) -> bool:
    own = f"{feature.reels}.{collectable}"
    return name == (own if own in strips.reels else feature.reels)
