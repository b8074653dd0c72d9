"""Strips, wheels, position reels and stop weights of two sets: what differs, counted as the files count, from 0."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.compare.align import Alignment, Edit, align, edits
from workbench.reels.strip_set import Reels, Stage, Strip, StripSet, Weights

Both = tuple[int, int]


@dataclass(frozen=True)
class StripDifference:
    """A reel's two strips; ``rotation`` is the stop from which the second was read. No edits: no stop differs.

    ``counts`` holds the symbols that one strip has more of than the other.
    """

    reels: str
    reel: int
    lengths: Both
    rotation: int
    edits: tuple[Edit, ...]
    counts: Mapping[str, Both]

    @property
    def differing(self) -> int:
        """How many stops differ."""
        return sum(edit.differing for edit in self.edits)

    @property
    def same(self) -> bool:
        """Whether the strips are equal stop by stop, not turned."""
        return not self.edits and not self.rotation

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values."""
        return {
            "reels": self.reels,
            "reel": self.reel,
            "lengths": list(self.lengths),
            "rotation": self.rotation,
            "differing": self.differing,
            "edits": [
                {"stops": list(edit.stops), "before": list(edit.before), "after": list(edit.after)}
                for edit in self.edits
            ],
            "counts": {symbol: list(both) for symbol, both in self.counts.items()},
        }


@dataclass(frozen=True)
class WeightDifference:
    """A value whose weight isn't the same in both sets; 0 where a set doesn't list it.

    ``place`` is named as in the file; ``start`` is the ``from`` of a position reel, ``reel`` None where one cell serves
    all. ``stops`` are those of a stop weight in both strips, None where a strip lacks the stop.
    """

    place: str
    value: str
    weights: Both
    totals: Both
    start: int | None = None
    reel: int | None = None
    stops: tuple[int | None, int | None] | None = None

    @property
    def probabilities(self) -> tuple[float, float]:
        """Weight over total, before and after."""
        before, after = (w / t if t else 0.0 for w, t in zip(self.weights, self.totals, strict=True))
        return before, after

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values; ``from``, ``reel`` and ``stops`` where the place has them."""
        places = {"from": self.start, "reel": self.reel, "stops": list(self.stops) if self.stops else None}
        return {
            "place": self.place,
            "value": self.value,
            "weights": list(self.weights),
            "totals": list(self.totals),
            "probabilities": list(self.probabilities),
            **{name: place for name, place in places.items() if place is not None},
        }


def differences_of(
    first: StripSet, second: StripSet
) -> tuple[tuple[StripDifference, ...], tuple[WeightDifference, ...]]:
    """Every reel of both sets, differing or not, and every weight that differs."""
    strips: list[StripDifference] = []
    stop_weights: list[WeightDifference] = []
    for name in _names(first.reels, second.reels):
        ours, theirs = first.reels.get(name, ()), second.reels.get(name, ())
        weighted = name in first.stop_weights or name in second.stop_weights
        for reel in range(max(len(ours), len(theirs))):
            a, b = _strip(ours, reel), _strip(theirs, reel)
            alignment = align(a, b)
            strips.append(_strip_difference(name, reel, a, b, alignment))
            if weighted:
                both = (_stop_weights(first, name, reel), _stop_weights(second, name, reel))
                stop_weights += _weighted_stops(strips[-1], (a, b), both, alignment)
    return tuple(strips), (
        *_wheels(first, second),
        *_position_reels(first, second),
        *stop_weights,
    )


def _names(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[str]:
    return sorted({*first, *second})


def _strip(reels: Reels, reel: int) -> Strip:
    """A strip; without stops where the set has no such reels."""
    return reels[reel] if reel < len(reels) else ()


def _strip_difference(name: str, reel: int, a: Strip, b: Strip, alignment: Alignment) -> StripDifference:
    before, after = Counter(a), Counter(b)
    counts = {s: (before[s], after[s]) for s in sorted({*a, *b}) if before[s] != after[s]}
    return StripDifference(name, reel, (len(a), len(b)), alignment.rotation, edits(a, b, alignment), counts)


def _stop_weights(strips: StripSet, name: str, reel: int) -> tuple[int, ...]:
    """Stops without weights weigh 1 each."""
    by_reel = strips.weights_of(name)
    return by_reel[reel] if by_reel else (1,) * len(_strip(strips.reels.get(name, ()), reel))


def _weighted_stops(
    strip: StripDifference,
    strips: tuple[Strip, Strip],
    weights: tuple[tuple[int, ...], tuple[int, ...]],
    alignment: Alignment,
) -> Iterator[WeightDifference]:
    totals = sum(weights[0]), sum(weights[1])
    for i, j in alignment.pairs:
        found = (0 if i is None else weights[0][i], 0 if j is None else weights[1][j])
        if found[0] != found[1]:
            symbols = [s[k] for s, k in zip(strips, (i, j), strict=True) if k is not None]
            value = " to ".join(dict.fromkeys(symbols))
            place = f"stop_weights.{strip.reels}"
            yield WeightDifference(place, value, found, totals, reel=strip.reel, stops=(i, j))


def _wheels(first: StripSet, second: StripSet) -> Iterator[WeightDifference]:
    for name in _names(first.wheels, second.wheels):
        yield from _weights(f"wheels.{name}", first.wheels.get(name), second.wheels.get(name))


def _position_reels(first: StripSet, second: StripSet) -> Iterator[WeightDifference]:
    """Cells in force are compared, from each start that either set has."""
    for name in _names(first.position_reels, second.position_reels):
        ours, theirs = first.position_reels.get(name, ()), second.position_reels.get(name, ())
        for start in sorted({stage.start for stage in (*ours, *theirs)}):
            both = _in_force(ours, start), _in_force(theirs, start)
            cells = max(len(stage.cells) for stage in both if stage)
            for reel in range(cells):
                a, b = (stage.cell(reel) if stage else None for stage in both)
                where = None if cells == 1 else reel
                yield from _weights(f"position_reels.{name}", a, b, start, where)


def _in_force(stages: tuple[Stage, ...], start: int) -> Stage | None:
    begun = [stage for stage in stages if stage.start <= start]
    return max(begun, key=lambda stage: stage.start, default=None)


def _weights(
    place: str,
    first: Weights | None,
    second: Weights | None,
    start: int | None = None,
    reel: int | None = None,
) -> Iterator[WeightDifference]:
    before, after = dict(first.items() if first else ()), dict(second.items() if second else ())
    totals = sum(before.values()), sum(after.values())
    for value in dict.fromkeys((*before, *after)):
        both = before.get(value, 0), after.get(value, 0)
        if both[0] != both[1]:
            yield WeightDifference(place, value, both, totals, start, reel)
