"""First and second moment of a spin's line win when every stop carries a weight: exact, without enumerating the cycle.

Let each stop j of reel r have a weight w_r(j); a spin's weight is the product over the reels. With w = 1 the weighted
sums are counts of stop combinations; with w the indicator of some windows they are joint with an event that is
a product over reels; with w = z^(orbs in the window) they are generating functions. Several weightings, the
*lanes*, are computed side by side.

A line is of one *kind*: v leading Wilds and then a first other symbol s (or nothing regular, or Wilds throughout).
The kind asks a *predicate* of each reel (is Wild; is s; is s or Wild), and a line of the kind whose run is k long pays
A_k = sum of delta_j for j up to k. So with a line alive through its first r reels

    tail_r = P(predicate of reel r) (delta_(r+1) rest_(r+1) + tail_(r+1)),

where rest_r is the weight of reels r and later, and for two lines, on rows a and b of each reel, of kinds p and q,

    both_r = P(p on row a and q on row b of reel r) (delta_(r+1) delta'_(r+1) rest_(r+1)
             + delta_(r+1) tail'_(r+1) + delta'_(r+1) tail_(r+1) + both_(r+1)).

As no line pays before its run is k0 long, both_(k0 - 1) is shared by all lines with the same rows from there on.
E[win] = sum of tail_0 over lines and kinds, E[win^2] = sum of both_0 over ordered pairs. All terms are positive; sums
of counts below 2^53 are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.exact._weighted_kernels import joint_weights, line_tails, pair_moments, pair_tails
from workbench.exact.line_law import best_award, pays_of
from workbench.game.definition import GameDefinition

Lanes = NDArray[Any]


@dataclass(frozen=True)
class LineKinds:
    """The kinds of a line as arrays: needs[kind, reel] is a predicate, delta[kind, k] what a run of k adds, in coins.

    Predicates: symbol x itself is x; a regular symbol s or Wild is S + s, S the number of all symbols; nothing
    regular and not Wild is 2 S, anything 2 S + 1. ``holds[x, :hold_count[x]]`` are the predicates symbol x meets.
    """

    needs: NDArray[np.int64]
    delta: NDArray[np.float64]
    holds: NDArray[np.int64]
    hold_count: NDArray[np.int64]
    predicates: int


class _Identity:
    """A cache key that is equal only for the same definition object."""

    def __init__(self, game: GameDefinition) -> None:
        self.game = game

    def __hash__(self) -> int:
        return id(self.game)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and other.game is self.game


@lru_cache(maxsize=16)
def _kinds(holder: _Identity) -> LineKinds:
    pays = pays_of(holder.game)
    symbols, reels = len(holder.game.symbols.all), pays.reels
    neither = 2 * symbols
    rows: list[tuple[list[int], list[float]]] = []
    for wilds in range(reels + 1 if pays.wild is not None else 1):
        lead = [pays.wild or 0] * wilds
        if wilds == reels:
            rows.append((lead, _steps(pays, wilds, None, [reels])))
            continue
        for s in range(pays.regular):
            follow = [symbols + s] * (reels - wilds - 1)
            rows.append(([*lead, s, *follow], _steps(pays, wilds, s, list(range(wilds + 1, reels + 1)))))
        if wilds:
            ends = [*lead, neither, *[neither + 1] * (reels - wilds - 1)]
            rows.append((ends, _steps(pays, wilds, None, [wilds + 1])))
    paying = [(needs, delta) for needs, delta in rows if any(delta)]
    holds = [_predicates(holder.game, x) for x in range(symbols)]
    width = max(len(h) for h in holds)
    return LineKinds(
        needs=np.array([needs for needs, _ in paying], dtype=np.int64),
        delta=np.array([delta for _, delta in paying]),
        holds=np.array([[*h, *[0] * (width - len(h))] for h in holds], dtype=np.int64),
        hold_count=np.array([len(h) for h in holds], dtype=np.int64),
        predicates=neither + 2,
    )


def _steps(pays: Any, wilds: int, symbol: int | None, lengths: list[int]) -> list[float]:
    """delta[k], k = 0 .. reels: what a run adds when it reaches k."""
    delta, before = [0.0] * (pays.reels + 1), 0.0
    for k in lengths:
        award = best_award(pays, wilds, symbol, wilds if symbol is None else k)
        coins = float(award.coins) if award else 0.0
        delta[k], before = coins - before, coins
    return delta


def _predicates(game: GameDefinition, symbol: int) -> list[int]:
    """What a symbol is: itself; s or Wild; nothing regular; anything."""
    symbols, regular = len(game.symbols.all), len(game.symbols.regular)
    wild = game.symbol_index[game.symbols.wild] if game.symbols.wild else -1
    if symbol == wild:
        return [symbol, *range(symbols, symbols + regular), 2 * symbols + 1]
    if symbol < regular:
        return [symbol, symbols + symbol, 2 * symbols + 1]
    return [symbol, 2 * symbols, 2 * symbols + 1]


@dataclass(frozen=True)
class WeightedLines:
    """Weighted sums over the cycle, one entry a lane: of 1, of the win and of its square, in coins."""

    total: Lanes
    mean: Lanes
    second: Lanes


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
    kinds = _kinds(_Identity(game))
    shown, stops = _shown(game, reels)
    lanes, dtype = weights[0].shape[1], np.result_type(*weights)
    padded = np.zeros((len(reels), shown.shape[1], lanes), dtype=dtype)
    for r, weight in enumerate(weights):
        padded[r, : len(weight)] = weight
    joint = np.zeros((len(reels), *[shown.shape[2]] * 2, *[kinds.predicates] * 2, lanes), dtype=dtype)
    joint_weights(shown, stops, kinds.holds, kinds.hold_count, padded, joint)
    kinds = _possible(kinds, joint)
    totals = padded.sum(axis=1)
    rest = np.ones((len(reels) + 1, lanes), dtype=dtype)
    for r in range(len(reels) - 1, -1, -1):
        rest[r] = totals[r] * rest[r + 1]
    lines = np.array(game.lines, dtype=np.int64)
    tails = np.zeros((len(lines), len(kinds.needs), len(reels) + 1, lanes), dtype=dtype)
    line_tails(lines, kinds.needs, kinds.delta, joint, rest, kinds.predicates - 1, tails)
    second = np.zeros(lanes, dtype=dtype)
    if squares and len(kinds.needs):
        _add_pairs(kinds, lines, joint, rest, tails, second)
    return WeightedLines(rest[0], tails[:, :, 0].sum(axis=(0, 1)), second)


def _possible(kinds: LineKinds, joint: Lanes) -> LineKinds:
    """The kinds whose first predicate reel 1 can meet: no line leads with Wilds where it has none."""
    met = (joint[0, :, :, :, kinds.predicates - 1] != 0).any(axis=(0, 1, 3))
    possible = met[kinds.needs[:, 0]]
    return replace(kinds, needs=kinds.needs[possible], delta=kinds.delta[possible])


def _add_pairs(
    kinds: LineKinds, lines: NDArray[np.int64], joint: Lanes, rest: Lanes, tails: Lanes, second: Lanes
) -> None:
    """Add the products of all pairs; what comes after the reel from which lines can pay is shared by lines alike there."""
    first = min(int(np.flatnonzero(kinds.delta.any(axis=0))[0]) - 1, lines.shape[1] - 1)
    _, stands, end = np.unique(lines[:, first:], axis=0, return_index=True, return_inverse=True)
    shape = (len(stands), len(stands), len(kinds.needs), len(kinds.needs), len(second))
    both = np.zeros(shape, dtype=second.dtype)
    pair_tails(lines[stands], first, kinds.needs, kinds.delta, joint, rest, tails[stands], both)
    seen = (joint[0] != 0).any(axis=-1)
    pair_moments(lines, end.astype(np.int64).ravel(), first, kinds.needs, joint, seen, both, second)


def _shown(
    game: GameDefinition, reels: Sequence[Sequence[str]]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(R, L, rows): the symbol in sight at each stop and row, -1 beyond a reel's stops or rows; (R,): stops."""
    index, rows = game.symbol_index, game.grid.rows
    shown = np.full((len(reels), max(map(len, reels)), max(rows)), -1, dtype=np.int64)
    for r, strip in enumerate(reels):
        symbols = np.array([index[s] for s in strip])
        for row in range(rows[r]):
            shown[r, : len(strip), row] = np.roll(symbols, -row)
    return shown, np.array([len(strip) for strip in reels], dtype=np.int64)
