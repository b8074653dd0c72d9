"""What a spin shows of marked symbols, jointly with its line win: the law of the colours in sight and of their counts.

Reels are independent, so P(only colours of A in sight) is a product over reels of the share of windows that show none
but those of A, and so is every weighted sum of :mod:`workbench.exact.weighted_lines`. One lane for each subset A, and

    f(exactly C) = sum over A within C of (-1)^(|C| - |A|) f(within A)

gives the law of the colours, E[win; C] and E[win^2; C]. For counts, lanes are points z of roots of unity, one
coordinate a colour; the inverse Fourier transform gives the joint law of the counts, as no window shows more
than its rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from workbench.exact.weighted_lines import WeightedLines, weighted_lines
from workbench.game.definition import GameDefinition

Real = NDArray[np.float64]


@dataclass(frozen=True)
class ColourLaw:
    """By set of colours, bit i for ``colours[i]``: P(exactly these in sight), E[win; these], E[win^2; these].

    Wins in total bets.
    """

    colours: tuple[str, ...]
    chance: Real
    win: Real
    square: Real

    def sets(self) -> tuple[str, ...]:
        """The name of each entry: colours in alphabetical order joined by +, "" for none."""
        return tuple(
            "+".join(sorted(c for i, c in enumerate(self.colours) if bits >> i & 1))
            for bits in range(1 << len(self.colours))
        )


def colour_law(
    game: GameDefinition, reels: Sequence[Sequence[str]], marks: Sequence[tuple[str, str]]
) -> ColourLaw:
    """The joint law of colours in sight and line win; ``marks`` pairs a colour with its symbol.

    >>> from workbench.game import find_game, load_definition
    >>> game = load_definition(find_game("spellmaster"))
    >>> strips = [["A", "A", "A", "A", "A", "Red"]] + [["A"]] * 4
    >>> colour_law(game, strips, [("red", "Red")]).chance
    array([0.5, 0.5])
    """
    subsets = np.arange(1 << len(marks))
    counts = [mark_counts(game, r, strip, marks) for r, strip in enumerate(reels)]
    bits = [((c > 0) @ (1 << np.arange(len(marks)))) for c in counts]
    weights = [((b[:, None] & ~subsets) == 0).astype(np.float64) for b in bits]
    found = weighted_lines(game, reels, weights)
    cycle = float(prod(len(strip) for strip in reels))
    parts = (
        _exactly(found.total) / cycle,
        _exactly(found.mean) / cycle / game.bet.coins,
        _exactly(found.second) / cycle / game.bet.coins**2,
    )
    return ColourLaw(tuple(colour for colour, _ in marks), *parts)


def _exactly(within: Real) -> Real:
    """Möbius inversion over subsets: from "within A" to "exactly A"."""
    found = within.copy()
    bit = 1
    while bit < len(found):
        for subset in range(len(found)):
            if subset & bit:
                found[subset] -= found[subset ^ bit]
        bit *= 2
    return found


def mark_counts(
    game: GameDefinition, reel: int, strip: Sequence[str], marks: Sequence[tuple[str, str]]
) -> NDArray[np.int64]:
    """(stops, marks): how often each marked symbol is in sight at each stop of a reel."""
    shows = np.array([[s == symbol for _, symbol in marks] for s in strip], dtype=np.int64)
    seen: NDArray[np.int64] = np.sum(
        [np.roll(shows, -row, axis=0) for row in range(game.grid.rows[reel])], axis=0
    )
    return seen


def count_law(
    game: GameDefinition,
    reels: Sequence[Sequence[str]],
    marks: Sequence[tuple[str, str]],
    squares: bool = True,
) -> tuple[Real, Real, Real]:
    """Law of the numbers of marked symbols in sight: P(counts), E[win; counts], E[win^2; counts], an axis a mark.

    Wins in total bets. The error of an entry is that of a Fourier transform, some 2^-50 of the whole.
    """
    counts = [mark_counts(game, r, strip, marks) for r, strip in enumerate(reels)]
    most = np.sum([c.max(axis=0) for c in counts], axis=0)
    shape = tuple(int(m) + 1 for m in most)
    points = np.array(list(product(*(np.exp(-2j * np.pi * np.arange(n) / n) for n in shape))))
    weights = [np.prod(points[None, :, :] ** c[:, None, :], axis=2) for c in counts]
    found: WeightedLines = weighted_lines(game, reels, weights, squares)
    cycle, bet = float(prod(len(strip) for strip in reels)), game.bet.coins
    parts = (found.total / cycle, found.mean / cycle / bet, found.second / cycle / bet**2)
    chance, win, square = (np.fft.ifftn(part.reshape(shape)).real for part in parts)
    return chance, win, square
