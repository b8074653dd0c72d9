"""A strip that is laid has the counts asked for, no larger stacks, and its spaced symbols apart."""

import random
from collections import Counter
from itertools import groupby

from hypothesis import given
from hypothesis import strategies as st

from workbench.optimise.arrange import blocks_of, lay
from workbench.optimise.base_strips import swapped


@given(st.integers(0, 40), st.floats(0, 1), st.integers(1, 4), st.integers(0, 10**6))
def test_blocks_add_up(count, stacked, most, seed):
    blocks = blocks_of(count, stacked, most, random.Random(seed))
    assert sum(blocks) == count
    assert all(1 <= block <= most for block in blocks)


@given(st.lists(st.integers(3, 9), min_size=5, max_size=9), st.floats(0, 0.9), st.integers(0, 10**6))
def test_a_strip_has_its_counts_and_spacing(counts, stacked, seed):
    wanted = {f"s{i}": n for i, n in enumerate(counts)}
    strip = lay(wanted, {"Scatter": 2, "Key": 1}, stacked, 3, random.Random(seed))
    assert Counter(strip) == Counter({**wanted, "Scatter": 2, "Key": 1})
    places = [i for i, s in enumerate(strip) if s in ("Scatter", "Key")]
    gaps = [(b - a) % len(strip) for a, b in zip(places, [*places[1:], places[0]], strict=True)]
    assert min(gaps) >= len(strip) // 3 - 3


@given(st.integers(0, 10**6))
def test_a_swap_keeps_every_reel(seed):
    reels = (("a", "b", "c", "a"), ("b", "b", "c"))
    found = swapped(reels, random.Random(seed))
    assert [Counter(strip) for strip in found] == [Counter(strip) for strip in reels]


def test_stacks_grow_with_the_chance():
    counts = {f"s{i}": 6 for i in range(8)}
    longest = [
        max(len(list(run)) for _, run in groupby(lay(counts, {}, stacked, 3, random.Random(1))))
        for stacked in (0.0, 0.9)
    ]
    assert longest[0] <= 2 < longest[1] + 1
