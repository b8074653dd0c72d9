"""Where counted symbols stand: strips on which their number in sight has the law that a target asks for.

The reels are independent, so the law of the number in sight is the product of the reels' window laws
(:mod:`workbench.optimise.window_laws`), and what a target asks of it is linear in that law. The search goes through the ways
to share out the most that may be in sight among the reels, and for each through all laws where these are few,
else down single reels from random starts.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.optimise.window_laws import WindowLaws, window_laws

Array = NDArray[np.float64]
MOST_TRIED = 250_000_000
MOST_OUTER = 20_000
STARTS = 30


@dataclass(frozen=True)
class Wish:
    """``weights`` . P(0, 1, 2, .. in sight) shall lie between ``least`` and ``most``; misses count in ``scale``."""

    weights: tuple[float, ...]
    least: float
    most: float
    scale: float

    def miss(self, laws: Array) -> Array:
        """Of each row of laws."""
        width = min(laws.shape[1], len(self.weights))
        found = laws[:, :width] @ np.array(self.weights[:width])
        missed: Array = np.maximum(np.maximum(self.least - found, found - self.most), 0.0) / self.scale
        return missed


@dataclass(frozen=True)
class Place:
    """One reel a mark may stand on: stops, visible rows, and how many stops it may take at most."""

    reel: int
    stops: int
    rows: int


@dataclass(frozen=True)
class Placement:
    """By reel a table of laws and the one chosen, and the misses that are left."""

    laws: dict[int, tuple[WindowLaws, int]]
    miss: float

    def strip(self, reel: int, rng: random.Random) -> list[bool]:
        """A random strip of the reel's law: whether each stop holds the symbol."""
        table, law = self.laws[reel]
        return table.strip(law, rng)


def place(places: Sequence[Place], wishes: Sequence[Wish], most: int | None, rng: random.Random) -> Placement:
    """The placement of the least sum of misses that the search finds; ``most`` bounds the number in sight."""
    best: tuple[float, list[tuple[Place, WindowLaws, int]]] | None = None
    for shares in _shares(places, most):
        tables = [(p, window_laws(p.stops, p.rows, m)) for p, m in zip(places, shares, strict=True) if m]
        if not tables:
            continue
        chosen, miss = _best_of(tables, wishes, rng)
        if best is None or miss < best[0] - 1e-12:
            best = (miss, [(p, t, i) for (p, t), i in zip(tables, chosen, strict=True)])
        if miss == 0:
            break
    if best is None:
        return Placement({}, math.inf)
    return Placement({p.reel: (table, i) for p, table, i in best[1]}, best[0])


def _shares(places: Sequence[Place], most: int | None) -> Iterator[tuple[int, ...]]:
    """The most each reel may show: every reel one first, then the other ways that keep within ``most``.

    Of reels that are alike only one order is tried.
    """
    rows = [p.rows for p in places]
    every = sorted(
        itertools.product(*(range(r + 1) for r in rows)), key=lambda s: (max(s), sum(s), [-x for x in s])
    )
    seen = set()
    for shares in every:
        alike = tuple(sorted((p.stops, p.rows, s) for p, s in zip(places, shares, strict=True)))
        if alike not in seen and any(shares) and (most is None or sum(shares) <= most):
            seen.add(alike)
            yield shares


def _best_of(
    tables: Sequence[tuple[Place, WindowLaws]], wishes: Sequence[Wish], rng: random.Random
) -> tuple[list[int], float]:
    laws = [table.chances for _, table in tables]
    widest = max(range(len(laws)), key=lambda i: len(laws[i]))
    others = [i for i in range(len(laws)) if i != widest]
    outer = math.prod(len(laws[i]) for i in others)
    if outer <= MOST_OUTER and outer * len(laws[widest]) <= MOST_TRIED:
        starts = list(itertools.product(*(range(len(laws[i])) for i in others)))
        rng.shuffle(starts)
        return _all_of(laws, widest, others, wishes, starts)
    found = (_descended(laws, wishes, rng) for _ in range(STARTS))
    return min(found, key=lambda one: one[1])


def _all_of(
    laws: list[Array],
    widest: int,
    others: list[int],
    wishes: Sequence[Wish],
    starts: Sequence[tuple[int, ...]],
) -> tuple[list[int], float]:
    """Every combination, until one misses nothing; of laws that are alike only rising ones."""
    best: tuple[list[int], float] = ([0] * len(laws), math.inf)
    for chosen in starts:
        if any(
            len(laws[a]) == len(laws[b]) and chosen[x] > chosen[y]
            for (x, a), (y, b) in itertools.pairwise(enumerate(others))
        ):
            continue
        rest = _product([laws[i][c] for i, c in zip(others, chosen, strict=True)])
        missed = _missed(_joined(laws[widest], rest), wishes)
        least = int(missed.argmin())
        if missed[least] < best[1]:
            picks = [0] * len(laws)
            picks[widest] = least
            for i, c in zip(others, chosen, strict=True):
                picks[i] = c
            best = (picks, float(missed[least]))
            if best[1] == 0:
                break
    return best


def _descended(laws: list[Array], wishes: Sequence[Wish], rng: random.Random) -> tuple[list[int], float]:
    """From a random choice, each reel in turn takes its best law until none gets better."""
    picks = [rng.randrange(len(law)) for law in laws]
    miss = math.inf
    while True:
        before = miss
        for i in rng.sample(range(len(laws)), len(laws)):
            rest = _product([laws[j][picks[j]] for j in range(len(laws)) if j != i])
            missed = _missed(_joined(laws[i], rest), wishes)
            picks[i] = int(missed.argmin())
            miss = float(missed[picks[i]])
        if miss >= before - 1e-12:
            return picks, miss


def _product(laws: Sequence[Array]) -> Array:
    found = np.ones(1)
    for law in laws:
        found = np.convolve(found, law)
    return found


def _joined(laws: Array, rest: Array) -> Array:
    """Each law convolved with the others' product."""
    found = np.zeros((len(laws), laws.shape[1] + len(rest) - 1))
    for k, chance in enumerate(rest):
        found[:, k : k + laws.shape[1]] += laws * chance
    return found


def _missed(laws: Array, wishes: Sequence[Wish]) -> Array:
    total = np.zeros(len(laws))
    for wish in wishes:
        total += wish.miss(laws)
    return total
