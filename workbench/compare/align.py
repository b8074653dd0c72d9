"""Two cyclic strips brought into line, so that an inserted stop is one stop that differs and not all later ones.

The distance of two sequences is the least number of stops put in, taken out or replaced that turns one into the other
(Levenshtein 1966), with D(i, j) = min(D(i-1, j) + 1, D(i, j-1) + 1, D(i-1, j-1) + [a_i != b_j]). The distance of two
strips is the least over all turns of the second. All turns are solved in one table: with D(i, j) - j = min over k <= j
of C(i, k) - k, C the least of the two terms without D(i, j-1), a row of it is a running minimum.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from workbench.reels.strip_set import Strip

Codes = NDArray[np.int16]
Pair = tuple[int | None, int | None]


@dataclass(frozen=True)
class Edit:
    """Neighbouring stops that differ: ``before`` in the first strip from ``stops[0]`` on, ``after`` in the second.

    One of the two is empty where stops were put in or taken out; its stop is the one they stand in front of.
    """

    stops: tuple[int, int]
    before: Strip
    after: Strip

    @property
    def differing(self) -> int:
        """How many stops differ."""
        return max(len(self.before), len(self.after))


@dataclass(frozen=True)
class Alignment:
    """The second strip read from its stop ``rotation`` on, and which stops stand for each other.

    A pair holds a stop of each strip, as the files count them; None where the other's stop has no partner.
    """

    rotation: int
    pairs: tuple[Pair, ...]


def align(first: Strip, second: Strip) -> Alignment:
    """The alignment with the fewest stops that differ; among equals that with the smallest turn either way.

    >>> align(("A", "K", "Q"), ("Q", "A", "K"))
    Alignment(rotation=1, pairs=((0, 1), (1, 2), (2, 0)))
    """
    if first == second or not (first and second):
        return Alignment(0, _unpaired(len(first), len(second), first == second))
    codes = {symbol: i for i, symbol in enumerate(dict.fromkeys(first + second))}
    a = np.array([codes[symbol] for symbol in first], dtype=np.int16)
    b = np.array([codes[symbol] for symbol in second], dtype=np.int16)
    size = len(b)
    stops = np.arange(size)
    *_, last = _rows(a, b[(stops[:, None] + stops) % size])
    rotation = min(range(size), key=lambda r: (last[r, -1], min(r, size - r), r))
    turned = np.roll(b, -rotation)
    table = np.stack([row[0] for row in _rows(a, turned[None, :])])
    pairs = tuple(
        (i, None if j is None else (j + rotation) % size) for i, j in _traced(table, a != turned[:, None])
    )
    return Alignment(rotation, pairs)


def edits(first: Strip, second: Strip, alignment: Alignment) -> tuple[Edit, ...]:
    """The runs of pairs whose symbols differ, in the order of the first strip."""
    found = []
    here, there = 0, alignment.rotation
    for same, run in groupby(alignment.pairs, key=lambda pair: _same(first, second, pair)):
        pairs = list(run)
        ours = [i for i, _ in pairs if i is not None]
        theirs = [j for _, j in pairs if j is not None]
        if not same:
            edit = Edit((here, there), tuple(first[i] for i in ours), tuple(second[j] for j in theirs))
            found.append(edit)
        here += len(ours)
        there += len(theirs)
        if alignment.rotation:
            there %= len(second)
    return tuple(found)


def _same(first: Strip, second: Strip, pair: Pair) -> bool:
    i, j = pair
    return i is not None and j is not None and first[i] == second[j]


def _unpaired(ours: int, theirs: int, paired: bool) -> tuple[Pair, ...]:
    """Strips that are equal stop by stop, or one of which is empty."""
    if paired:
        return tuple((i, i) for i in range(ours))
    return (*((i, None) for i in range(ours)), *((None, j) for j in range(theirs)))


def _rows(a: Codes, turned: Codes) -> Iterator[Codes]:
    """Rows of D, i from 0: shape (turns, stops of b + 1) each. At most 2 x 512 in size, so int16 holds them."""
    turns, size = turned.shape
    offsets = np.arange(size + 1, dtype=np.int16)
    row = np.broadcast_to(offsets, (turns, size + 1))
    yield row
    for i, code in enumerate(a):
        new = np.empty((turns, size + 1), dtype=np.int16)
        new[:, 0] = i + 1
        np.minimum(row[:, 1:] + 1, row[:, :-1] + (turned != code), out=new[:, 1:])
        new -= offsets
        np.minimum.accumulate(new, axis=1, out=new)
        new += offsets
        row = new
        yield row


def _traced(table: Codes, differs: NDArray[np.bool_]) -> list[Pair]:
    """A cheapest way through the table; ``differs[j, i]`` compares b_j with a_i. Partners are preferred."""
    i, j = table.shape[0] - 1, table.shape[1] - 1
    way: list[Pair] = []
    while i or j:
        if i and j and table[i, j] == table[i - 1, j - 1] + differs[j - 1, i - 1]:
            i, j = i - 1, j - 1
            way.append((i, j))
        elif i and table[i, j] == table[i - 1, j] + 1:
            i -= 1
            way.append((i, None))
        else:
            j -= 1
            way.append((None, j))
    return way[::-1]
