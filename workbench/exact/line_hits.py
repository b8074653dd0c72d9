"""Line wins in closed form, in integers.

On cyclic strips with equally likely stops every cell of reel r shows symbol s at n_r(s) of its L_r stops, whatever
its row, so all lines have one law and the order of the stops doesn't matter. The number of stop combinations
that leave a line in state q of :mod:`workbench.exact.line_law` is a product of counts summed along the
automaton's paths:

    v_0 = [q = 0],    v_{r+1}(q') = sum over q, s with step[q, s] = q' of v_r(q) n_r(s),

and hits of an award are the sum of v_R over its states. All in integers; the one division is the caller's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod

import numpy as np
from numpy.typing import NDArray

from workbench.exact.line_law import Award, LineLaw, line_law
from workbench.game.definition import GameDefinition


@dataclass(frozen=True)
class LineHits:
    """Hits of every award on ONE line over the whole cycle.

    ``hits[award]`` is the number of stop combinations, out of ``cycle``, in which a given line wins it.
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


def symbol_counts(game: GameDefinition, reels: Sequence[Sequence[str]]) -> NDArray[np.int64]:
    """How often each symbol stands on each reel: (R, S)."""
    index = game.symbol_index
    return np.array(
        [np.bincount([index[s] for s in strip], minlength=len(index)) for strip in reels], dtype=np.int64
    )


def state_hits(law: LineLaw, counts: NDArray[np.int64]) -> list[int]:
    """Stop combinations that leave one line in each state, from the counts (R, S) of what its cells may show.

    Exact whatever the cycle: Python integers once it passes 2^62.
    """
    small = prod(int(row.sum()) for row in counts) < 2**62
    dtype = np.int64 if small else object
    hits = np.zeros(law.states, dtype=dtype)
    hits[0] = 1
    for row in counts:
        after = np.zeros(law.states, dtype=dtype)
        live = np.flatnonzero(hits)
        for symbol in np.flatnonzero(row):
            np.add.at(
                after, law.step[live, symbol], hits[live] * (row[symbol] if small else int(row[symbol]))
            )
        hits = after
    return [int(h) for h in hits]


def line_hits(game: GameDefinition, reels: Sequence[Sequence[str]]) -> LineHits:
    """Hits of every award on one line, from the strips of all reels.

    >>> from workbench.game import find_game, load_definition
    >>> game = load_definition(find_game("codex-of-fortune"))
    >>> line_hits(game, [["Lion", "J"]] * 5).rtp
    Fraction(105, 4)
    """
    law = line_law(game)
    counts = symbol_counts(game, reels)
    hits: dict[Award, int] = {}
    for award, count in zip(law.award, state_hits(law, counts), strict=True):
        if award is not None and count:
            hits[award] = hits.get(award, 0) + count
    return LineHits(hits, prod(len(strip) for strip in reels), len(game.lines), game.bet.coins)
