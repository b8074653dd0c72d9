"""How the RTP moves when stops change symbols: exact for one and for two changes on different reels.

With equally likely stops a line's expected value is v_0' M_1 .. M_R u, where M_r = sum over s of c_r(s) T_s, c_r(s) is the share
of symbol s on reel r and T_s steps the automaton of :mod:`workbench.exact.line_law`. One stop of reel r changed from a to
b moves it by (D_r(b) - D_r(a)) / L_r with D_r(s) = v_(r-1)' T_s u_(r+1), two stops on reels r < t by the sum of both moves and

    (G(b, b') - G(a, b') - G(b, a') + G(a, a')) / (L_r L_t),    G(s, s') = v_(r-1)' T_s M_(r+1) .. M_(t-1) T_s' u_(t+1).

Some 10^5 pairs of changes are thus known from a handful of small products, and among them are always some that bring the
RTP to within 10^-7 of what is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from workbench.exact.line_hits import symbol_counts
from workbench.exact.line_law import LineLaw
from workbench.exact.line_rules import Award
from workbench.game.definition import GameDefinition
from workbench.reels.strip_set import Reels

Array = NDArray[np.float64]
Change = tuple[int, int, int]
"""(reel, symbol that goes, symbol that comes), symbols by index."""


@dataclass(frozen=True)
class Gradient:
    """D (R, S) and G for each pair of reels, times the number of lines; ``lengths`` are the strips'."""

    single: Array
    pairs: dict[tuple[int, int], Array]
    lengths: tuple[int, ...]

    def plus(self, other: Gradient) -> Gradient:
        """The gradient of the sum of two values on the same strips."""
        pairs = {key: table + other.pairs[key] for key, table in self.pairs.items()}
        return Gradient(self.single + other.single, pairs, self.lengths)

    def of_one(self, changes: Sequence[Change]) -> Array:
        """What each single change moves the RTP by."""
        r, a, b = np.array(changes).T
        found: Array = (self.single[r, b] - self.single[r, a]) / np.array(self.lengths)[r]
        return found

    def of_two(self, first: Sequence[Change], second: Sequence[Change]) -> Array:
        """(N, M): changes of one reel with changes of a later one."""
        r, t = first[0][0], second[0][0]
        table = self.pairs[(r, t)] / (self.lengths[r] * self.lengths[t])
        (_, a, b), (_, c, d) = np.array(first).T, np.array(second).T
        rows = table[b] - table[a]
        both: Array = rows[:, d] - rows[:, c]
        return self.of_one(first)[:, None] + self.of_one(second)[None, :] + both


def gradient(game: GameDefinition, law: LineLaw, reels: Reels, value: Callable[[Award], float]) -> Gradient:
    """The gradient of the expected value of a spin's lines."""
    counts = symbol_counts(game, reels)
    lengths = tuple(len(strip) for strip in reels)
    share = counts / np.array(lengths)[:, None]
    steps = [law.step[law.first[r] : law.first[r + 1]] - law.first[r + 1] for r in range(len(reels))]
    ends = np.array([value(a) if a else 0.0 for a in law.award[law.first[-2] :]]) * len(game.lines)
    after = [ends]
    for r in range(len(reels) - 1, -1, -1):
        after.insert(0, after[0][steps[r]] @ share[r])
    before = [np.ones(1)]
    for r in range(len(reels)):
        reached = np.zeros(len(after[r + 1]))
        np.add.at(reached, steps[r], before[r][:, None] * share[r])
        before.append(reached)
    single = np.array([before[r] @ after[r + 1][steps[r]] for r in range(len(reels))])
    pairs = {}
    for r, t in combinations(range(len(reels)), 2):
        beyond = after[t + 1][steps[t]]
        for k in range(t - 1, r, -1):
            beyond = np.einsum("qsx,s->qx", beyond[steps[k]], share[k])
        pairs[(r, t)] = np.einsum("q,qsx->sx", before[r], beyond[steps[r]])
    return Gradient(single, pairs, lengths)


def nearest_pairs(
    table: Gradient, changes: Sequence[Change], missing: float, number: int
) -> list[tuple[float, tuple[Change, ...]]]:
    """The single changes and pairs of changes whose move is nearest to what is missing: (distance, changes)."""
    by_reel: dict[int, list[Change]] = {}
    for change in changes:
        by_reel.setdefault(change[0], []).append(change)
    found: list[tuple[float, tuple[Change, ...]]] = []
    if changes:
        distance = np.abs(table.of_one(changes) - missing)
        found += [(float(distance[i]), (changes[i],)) for i in np.argsort(distance)[:number]]
    for r, t in combinations(sorted(by_reel), 2):
        distance = np.abs(table.of_two(by_reel[r], by_reel[t]) - missing)
        flat = np.argsort(distance, axis=None)[:number]
        for i, j in zip(*np.unravel_index(flat, distance.shape), strict=True):
            found.append((float(distance[i, j]), (by_reel[r][int(i)], by_reel[t][int(j)])))
    return sorted(found)[:number]
