"""Arrangement: the order of the stops of a strip, under spacing and stack rules.

A strip is laid as *blocks*, runs of one symbol, in a seeded random order that keeps equal blocks apart; the larger the
blocks, the fewer spins pay and the more lines a paid spin pays, at the same RTP. Spaced symbols (Scatter, Key, +10)
are then set in at even distances.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

Strip = tuple[str, ...]


def blocks_of(count: int, stacked: float, most: int, rng: random.Random) -> list[int]:
    """Split a count into blocks of 1 to ``most``; each stop joins the block before it with chance ``stacked``."""
    blocks: list[int] = []
    for _ in range(count):
        if blocks and blocks[-1] < most and rng.random() < stacked:
            blocks[-1] += 1
        else:
            blocks.append(1)
    return blocks


def lay(
    counts: Mapping[str, int], spaced: Mapping[str, int], stacked: float, most: int, rng: random.Random
) -> Strip:
    """A strip with these counts; equal blocks never touch as long as another symbol is left to part them."""
    blocks = {s: blocks_of(n, stacked, most, rng) for s, n in counts.items() if n}
    ring = _ring([(s, b) for s, parts in blocks.items() for b in parts], rng)
    strip = [symbol for symbol, size in ring for _ in range(size)]
    return _set_in(strip, [s for s, n in spaced.items() for _ in range(n)], rng)


def _ring(blocks: list[tuple[str, int]], rng: random.Random) -> list[tuple[str, int]]:
    """Blocks in a random cyclic order without equal neighbours, by swapping offenders away."""
    rng.shuffle(blocks)
    n = len(blocks)
    for _ in range(20):
        touching = [i for i in range(n) if blocks[i][0] == blocks[i - 1][0]]
        if not touching or n < 3:
            break
        for i in touching:
            j = rng.randrange(n)
            blocks[i], blocks[j] = blocks[j], blocks[i]
    return blocks


def _set_in(strip: list[str], symbols: Sequence[str], rng: random.Random) -> Strip:
    """Insert symbols at even distances round the strip, from a random first place, at block borders if near."""
    if not symbols:
        return tuple(strip)
    gap = len(strip) / len(symbols)
    first = rng.random() * gap
    places = sorted(int(first + i * gap) % len(strip) for i in range(len(symbols)))
    order = list(symbols)
    rng.shuffle(order)
    for place, symbol in reversed(list(zip(places, order, strict=True))):
        at = place
        while at < place + 2 and at < len(strip) and at > 0 and strip[at] == strip[at - 1]:
            at += 1
        strip.insert(at, symbol)
    return tuple(strip)
