"""Line wins in closed form, in integers.

On cyclic strips with equally likely stops every cell of reel r shows symbol s at n_r(s) of its L_r stops, whatever
its row, so all lines have one law and the order of the stops doesn't matter. The number of stop combinations
that leave a line in state q of :mod:`workbench.exact.line_law` is a product of counts summed along the
automaton's paths:

    v_0 = [q = 0],    v_{r+1}(q') = sum over q, s with step[q, s] = q' of v_r(q) n_r(s),

and hits of an award are the sum of v_R over its states. Where stops carry weights, n_r(s) is the weight of the stops that
show s on the line's row, and lines that begin alike share the beginning. All in integers; the one division is the caller's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

import numpy as np
from numpy.typing import NDArray

from workbench.exact.line_law import LineLaw, line_law
from workbench.exact.line_rules import Award, Mode
from workbench.game.definition import GameDefinition

Hits = NDArray[np.int64] | NDArray[np.object_]


@dataclass(frozen=True)
class LineHits:
    """Hits of every award over the whole cycle, on ONE of ``lines`` lines that have the same.

    Where stops carry weights the lines differ: ``hits`` are then those of all lines together and ``lines`` is 1, and the
    cycle is the product of the reels' total weights.
    """

    hits: dict[Award, int]
    cycle: int
    lines: int
    bet: int

    @property
    def coins(self) -> int:
        """Coins one line pays over the whole cycle."""
        return sum(count * award.coins for award, count in self.hits.items())

    @property
    def rtp(self) -> Fraction:
        """Expected line win of a spin, all lines, in total bets."""
        return Fraction(self.lines * self.coins, self.cycle * self.bet)


def symbol_counts(
    game: GameDefinition,
    reels: Sequence[Sequence[str]],
    weights: Sequence[NDArray[np.int64]] | None = None,
    rows: Sequence[int] | None = None,
) -> NDArray[np.int64]:
    """How often each symbol stands on each reel: (R, S). With weights: the weight of the stops that show it on these rows."""
    index = game.symbol_index
    found = np.zeros((len(reels), len(index)), dtype=np.int64)
    for r, strip in enumerate(reels):
        symbols = np.roll([index[s] for s in strip], -rows[r] if rows else 0)
        np.add.at(found[r], symbols, 1 if weights is None else weights[r])
    return found


def _next_hits(law: LineLaw, hits: Hits, counts: NDArray[np.int64]) -> Hits:
    """Hits of the states one reel later, ``counts`` (S,) being what its cell may show."""
    exact = hits.dtype == object
    after = np.zeros_like(hits)
    live = np.flatnonzero(hits)
    for symbol in np.flatnonzero(counts):
        ways = int(counts[symbol]) if exact else counts[symbol]
        np.add.at(after, law.step[live, symbol], hits[live] * ways)
    return after


def state_hits(law: LineLaw, counts: Sequence[NDArray[np.int64]]) -> list[int]:
    """Stop combinations that leave one line in each state, from the counts (R, S) of what its cells may show.

    Exact whatever the cycle: Python integers once it passes 2^62.
    """
    hits = _no_hits(law, prod(int(row.sum()) for row in counts))
    for row in counts:
        hits = _next_hits(law, hits, row)
    return [int(h) for h in hits]


def _no_hits(law: LineLaw, cycle: int) -> Hits:
    hits: Hits = np.zeros(law.states, dtype=np.int64 if cycle < 2**62 else object)
    hits[0] = 1
    return hits


def _by_award(law: LineLaw, hits: Sequence[int]) -> dict[Award, int]:
    found: dict[Award, int] = {}
    for award, count in zip(law.award, hits, strict=True):
        if award is not None and count:
            found[award] = found.get(award, 0) + int(count)
    return found


def line_hits(
    game: GameDefinition,
    reels: Sequence[Sequence[str]],
    weights: Sequence[NDArray[np.int64]] | None = None,
    mode: Mode = "base",
) -> LineHits:
    """Hits of every award, from the strips of all reels; ``weights`` of their stops, None where these are equally likely.

    >>> from workbench.game import find_game, load_definition
    >>> game = load_definition(find_game("codex-of-fortune"))
    >>> line_hits(game, [["Lion", "J"]] * 5).rtp
    Fraction(105, 4)
    """
    law = line_law(game, mode)
    if weights is None:
        counts = symbol_counts(game, reels)
        hits = _by_award(law, state_hits(law, list(counts)))
        return LineHits(hits, prod(len(strip) for strip in reels), len(game.lines), game.bet.coins)
    cycle = prod(int(w.sum()) for w in weights)
    return LineHits(_by_award(law, _all_lines(game, law, reels, weights, cycle)), cycle, 1, game.bet.coins)


def _all_lines(
    game: GameDefinition,
    law: LineLaw,
    reels: Sequence[Sequence[str]],
    weights: Sequence[NDArray[np.int64]],
    cycle: int,
) -> list[int]:
    """Hits of each state, all lines together: beginnings are extended once for all lines that have them."""
    by_row = [symbol_counts(game, reels, weights, [row] * len(reels)) for row in range(max(game.grid.rows))]
    begun: dict[tuple[int, ...], Hits] = {(): _no_hits(law, cycle)}
    for r in range(len(reels)):
        beginnings = {line[: r + 1] for line in game.lines}
        begun = {b: _next_hits(law, begun[b[:-1]], by_row[b[-1]][r]) for b in beginnings}
    total = [0] * law.states
    for line in game.lines:
        total = [t + int(h) for t, h in zip(total, begun[line], strict=True)]
    return total
