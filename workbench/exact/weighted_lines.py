"""Moments of what a spin's lines win when every stop carries a weight: exact, without enumerating the cycle.

Let each stop j of reel r have a weight w_r(j); a spin's weight is the product over the reels. With w = 1 the weighted
sums are counts of stop combinations; with w the indicator of some windows they are joint with an event that is
a product over reels; with w = z^(orbs in the window) they are generating functions. Several weightings, the
*lanes*, are computed side by side.

A line gains on the edges of :mod:`workbench.exact.gains`. With g_e the gain of an edge e from state q to q_e, whose
symbols are its predicate, and rest_r the weight of reels r and later, the later gains of a line in state q before reel r,
and for two lines, on rows a and b of each reel, in states p and q, of values g and h, the later products are

    tail_r(q) = sum over e from q of P(e on row a) (g_e rest_(r+1) + tail_(r+1)(q_e)),
    both_r(p, q) = sum over d from p, e from q of P(d on row a and e on row b)
                   (g_d h_e rest_(r+1) + g_d tail'_(r+1)(q_e) + h_e tail_(r+1)(p_d) + both_(r+1)(p_d, q_e)).

Lines that show the same rows from a reel on share their tails, and pairs of them their products. E[v] is the sum of
tail_0 over lines, E[v v'] that of both_0 over ordered pairs. All terms are positive; sums of counts below 2^53 are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.exact._gain_kernels import joint_weights, line_tails, marked_tails, pair_layer, pair_sums
from workbench.exact.gains import Gains, gains_of
from workbench.exact.line_law import Identity, line_law
from workbench.game.definition import GameDefinition

Lanes = NDArray[Any]
Ints = NDArray[np.int64]
# products kept for pairs of endings take at most so many numbers a reel; beyond, each pair of lines has its own
MOST_KEPT = 1 << 25


@dataclass(frozen=True)
class Endings:
    """The different ways lines go on from each reel: ``rows[r, u]`` and the ending that follows, ``times[u]`` lines whole."""

    rows: Ints
    follows: Ints
    count: Ints
    times: Ints

    @classmethod
    def of(cls, lines: Sequence[Sequence[int]]) -> Endings:
        """Those of a game's lines."""
        table = np.array(lines, dtype=np.int64)
        reels = table.shape[1]
        numbers = [np.unique(table[:, r:], axis=0, return_inverse=True)[1].ravel() for r in range(reels)]
        numbers.append(np.zeros(len(table), dtype=np.int64))
        count = np.array([n.max() + 1 for n in numbers], dtype=np.int64)
        rows = np.zeros((reels, int(count.max())), dtype=np.int64)
        follows = np.zeros_like(rows)
        for r in range(reels):
            rows[r, numbers[r]] = table[:, r]
            follows[r, numbers[r]] = numbers[r + 1]
        return cls(rows, follows, count, np.bincount(numbers[0]))


@dataclass(frozen=True)
class LineSums:
    """Weighted sums over the cycle of one or more values of the lines; ``weights`` (R, L, lanes), padded with 0."""

    gains: Gains
    endings: Endings
    shown: Ints
    stops: Ints
    weights: Lanes

    @cached_property
    def joint(self) -> Lanes:
        """[r, a, b, p, q, lane]: weight of the stops of reel r whose rows a and b meet predicates p and q."""
        rows, kinds = self.shown.shape[2], self.gains.predicates
        shape = (len(self.stops), rows, rows, kinds, kinds, self.weights.shape[2])
        joint = np.zeros(shape, dtype=self.weights.dtype)
        joint_weights(self.shown, self.stops, self.gains.holds, self.gains.hold_count, self.weights, joint)
        return joint

    @cached_property
    def rest(self) -> Lanes:
        """[r, lane]: weight of reels r and later."""
        totals = self.weights.sum(axis=1)
        rest = np.ones((len(totals) + 1, totals.shape[1]), dtype=totals.dtype)
        for r in range(len(totals) - 1, -1, -1):
            rest[r] = totals[r] * rest[r + 1]
        return rest

    @property
    def total(self) -> Lanes:
        """The weight of all spins."""
        found: Lanes = self.rest[0]
        return found

    @cached_property
    def possible(self) -> Gains:
        """The edges that some spin can take."""
        g = self.gains
        met = (self.joint[:, :, :, :, g.anything] != 0).any(axis=(1, 2, 4))
        kept = np.zeros(len(g.start), dtype=np.bool_)
        reached = np.ones(2, dtype=np.bool_)
        for r in range(len(self.stops)):
            here = slice(int(g.edge_first[r]), int(g.edge_first[r + 1]))
            kept[here] = met[r, g.predicate[here]] & reached[g.start[here]]
            reached = np.zeros(int(g.states[r + 1]), dtype=np.bool_)
            reached[g.end[here][kept[here]]] = True
        return g.only(kept)

    def _edges(self) -> tuple[Ints, Ints, Ints, Ints]:
        g = self.possible
        return g.edge_first, g.start, g.end, g.predicate

    @cached_property
    def _tails(self) -> list[Lanes]:
        e, g = self.endings, self.possible
        found = []
        for gain in g.gain:
            shape = (len(self.rest), int(e.count.max()), max(int(g.states.max()), 2), self.rest.shape[1])
            tails = np.zeros(shape, dtype=self.weights.dtype)
            line_tails(
                e.rows, e.follows, e.count, *self._edges(), gain, self.joint, self.rest, g.anything, tails
            )
            found.append(tails)
        return found

    def mean(self, value: int = 0) -> Lanes:
        """Weighted sum of a value over all spins and lines."""
        found: Lanes = self.endings.times @ self._tails[value][0, : len(self.endings.times), 1]
        return found

    def product(self, one: int = 0, two: int = 0) -> Lanes:
        """Weighted sum over all spins of the product of two values, each summed over lines."""
        e, g = self.endings, self.possible
        second: Lanes = np.zeros(self.rest.shape[1], dtype=self.rest.dtype)
        if not len(g.start):
            return second
        gains = (g.gain[one], g.gain[two])
        tails = (self._tails[one], self._tails[two])
        after: Lanes = np.zeros((1, 1, 1, 1, len(second)), second.dtype)
        reel = len(e.rows)
        while reel > 1 and self._kept(reel - 1) <= MOST_KEPT:
            reel -= 1
            size, states = int(e.count[reel]), int(g.states[reel])
            both = np.zeros((size, size, states, states, len(second)), second.dtype)
            pair_layer(
                reel, e.rows, e.follows, e.count, *self._edges(), *gains, self.joint, self.rest, *tails, after,
                one == two, both,
            )  # fmt: skip
            after = both
        pair_sums(
            reel, e.rows, e.follows, e.count, e.times, g.states, *self._edges(), *gains, self.joint, self.rest,
            *tails, after, one == two, second,
        )  # fmt: skip
        return second

    def _kept(self, reel: int) -> int:
        width: int = self.rest.shape[1]
        return int(self.endings.count[reel] * self.possible.states[reel]) ** 2 * width

    def marked(self, value: int, codes: Ints, plus: Ints) -> NDArray[np.float64]:
        """[m]: weighted sum of a value over the spins that show marks of code m; ``codes`` (R, L), one lane only."""
        e, g = self.endings, self.possible
        size = len(plus)
        shape = (len(self.stops), self.shown.shape[2], g.predicates, size)
        joint, rest = np.zeros(shape), np.zeros((len(self.stops) + 1, size))
        rest[-1, 0] = 1.0
        for r in range(len(self.stops) - 1, -1, -1):
            own = codes[r, : self.stops[r]]
            weight = self.weights[r, : self.stops[r], 0]
            law = np.bincount(own, weights=weight, minlength=size)
            np.add.at(rest[r], plus, np.outer(law, rest[r + 1]))
            for row in range(self.shown.shape[2]):
                symbols = self.shown[r, : self.stops[r], row]
                for i in range(g.holds.shape[1]):
                    meets = (symbols >= 0) & (i < g.hold_count[symbols])
                    np.add.at(joint[r, row], (g.holds[symbols[meets], i], own[meets]), weight[meets])
        tails = np.zeros((len(rest), int(e.count.max()), max(int(g.states.max()), 2), size))
        marked_tails(e.rows, e.follows, e.count, *self._edges(), g.gain[value], joint, rest, plus, tails)
        return np.tensordot(e.times, tails[0, : len(e.times), 1], 1)


def line_sums(
    game: GameDefinition, gains: Gains, reels: Sequence[Sequence[str]], weights: Sequence[Lanes]
) -> LineSums:
    """The sums of a game's lines on some strips, ``weights[r]`` of shape (stops, lanes)."""
    shown, stops = shown_symbols(game, reels)
    padded = np.zeros((len(reels), shown.shape[1], weights[0].shape[1]), dtype=np.result_type(*weights))
    for r, weight in enumerate(weights):
        padded[r, : len(weight)] = weight
    return LineSums(gains, _endings(Identity(game)), shown, stops, padded)


@lru_cache(maxsize=16)
def _endings(holder: Identity) -> Endings:
    return Endings.of(holder.game.lines)


@dataclass(frozen=True)
class WeightedLines:
    """Weighted sums over the cycle, one entry a lane: of 1, of the win and of its square, in coins."""

    total: Lanes
    mean: Lanes
    second: Lanes


@lru_cache(maxsize=16)
def _coins(holder: Identity) -> Gains:
    return gains_of(line_law(holder.game), [lambda award: float(award.coins)])


def weighted_lines(
    game: GameDefinition, reels: Sequence[Sequence[str]], weights: Sequence[Lanes], squares: bool = True
) -> WeightedLines:
    """Moments of the line win under the weights of each reel's stops, ``weights[r]`` of shape (stops, lanes).

    ``squares`` False leaves ``second`` at zero.

    >>> from workbench.game import find_game, load_definition
    >>> game = load_definition(find_game("codex-of-fortune"))
    >>> found = weighted_lines(game, [["Lion", "J"]] * 5, [np.ones((2, 1))] * 5)
    >>> found.mean / found.total / 20
    array([26.25])
    """
    sums = line_sums(game, _coins(Identity(game)), reels, weights)
    second = sums.product() if squares else np.zeros_like(sums.total)
    return WeightedLines(sums.total, sums.mean(), second)


def shown_symbols(game: GameDefinition, reels: Sequence[Sequence[str]]) -> tuple[Ints, Ints]:
    """(R, L, rows): the symbol in sight at each stop and row, -1 beyond a reel's stops or rows; (R,): stops."""
    index, rows = game.symbol_index, game.grid.rows
    shown = np.full((len(reels), max(map(len, reels)), max(rows)), -1, dtype=np.int64)
    for r, strip in enumerate(reels):
        symbols = np.array([index[s] for s in strip])
        for row in range(rows[r]):
            shown[r, : len(strip), row] = np.roll(symbols, -row)
    return shown, np.array([len(strip) for strip in reels], dtype=np.int64)
