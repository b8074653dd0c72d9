"""Sets near a set: a stop or two moved or changed, units of weight moved; drawn at random or, for the smallest, all.

Symbols come only onto reels on which they stand already, so a reel without Scatters stays without.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from workbench.optimise.base_strips import swapped
from workbench.optimise.weight_moves import Place, places
from workbench.reels.strip_set import Reels, StripSet, Weights

MOST_CHANGES = 3
# a move of weights takes at most this share of what there is
SHARE = 0.2

Change = Callable[[StripSet, random.Random], StripSet]


def varied(strips: StripSet, rng: random.Random) -> StripSet:
    """One to three random changes; the set itself where there is nothing to change."""
    kinds: list[Change] = [_exchanged, _swapped] if _has_stops(strips) else []
    kinds += [_reweighted] if places(strips) else []
    for _ in range(rng.randint(1, MOST_CHANGES)):
        if kinds:
            strips = rng.choice(kinds)(strips, rng)
    return strips


def _has_stops(strips: StripSet) -> bool:
    return any(strip for reels in strips.reels.values() for strip in reels)


def _reel_set(strips: StripSet, rng: random.Random) -> tuple[str, Reels]:
    name = rng.choice(sorted(strips.reels))
    return name, strips.reels[name]


def _swapped(strips: StripSet, rng: random.Random) -> StripSet:
    name, reels = _reel_set(strips, rng)
    return strips.with_reels(name, swapped(reels, rng)) if all(reels) else strips


def _exchanged(strips: StripSet, rng: random.Random) -> StripSet:
    """Another symbol of the reel on one stop."""
    name, reels = _reel_set(strips, rng)
    r = rng.randrange(len(reels))
    symbols, strip = sorted(set(reels[r])), list(reels[r])
    if len(symbols) < 2:
        return strips
    i = rng.randrange(len(strip))
    strip[i] = rng.choice([s for s in symbols if s != strip[i]])
    return strips.with_reels(name, (*reels[:r], tuple(strip), *reels[r + 1 :]))


def _reweighted(strips: StripSet, rng: random.Random) -> StripSet:
    """Units of one value of a wheel or cell go to another; each weight stays at least 1."""
    place: Place = rng.choice(places(strips))
    here = place.weights(strips)
    rich = [i for i, weight in enumerate(here.weights) if weight > 1]
    if len(here.weights) < 2 or not rich:
        return strips
    source = rng.choice(rich)
    sink = rng.choice([i for i in range(len(here.weights)) if i != source])
    weights = list(here.weights)
    most = min(weights[source] - 1, max(1, int(SHARE * max(weights[source], weights[sink]))))
    units = rng.randint(1, most)
    weights[source] -= units
    weights[sink] += units
    return place.changed(strips, Weights(here.where, here.values, tuple(weights)))
