"""From a strip set to its neighbour of another RTP by the fewest weights.

A move takes units from one value of a wheel or cell to another (:mod:`workbench.optimise.weight_moves`). One move that
reaches the RTP changes two weights. Where a unit is too coarse for the tolerance, a second move makes up what the first
leaves, or two more do. Moves that alter a hit frequency or the rate of a feature aren't made, so the strips and what a
player meets stay; of what is left, the neighbour of the same number of weights that feels most alike is taken.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from workbench.errors import EndlessFeatureError
from workbench.optimise.gauge import Figures, Gauge
from workbench.optimise.target import Target, look_up, score
from workbench.optimise.weight_moves import Move, changed_weights, moves
from workbench.reels.strip_set import StripSet

Array = NDArray[np.float64]
Made = tuple[tuple[Move, int], ...]
# a slope is measured over this share of the smaller weight
PROBE = 0.02
SECANTS = 6
# a move that by its slope comes less far than this share of the way isn't followed
FAR_ENOUGH = 0.6
# how many first moves are completed, the most alike first; by how many units each is varied; what is tried of each
COARSE, AROUND, TRIED = 3, 6, 12
# second moves are the finest so many, of units that add at least this share of the tolerance
FINEST, LEAST_UNIT = 60, 0.05
# a second move takes at most this share of a weight, a third at most so many units
FINE_SHARE, FINE_UNITS = 0.2, 12
RATES = ("hit_frequency",)
SAME = 1e-12


@dataclass(frozen=True)
class Neighbour:
    """A set found, the moves that lead to it, and how unlike the set it comes from it feels."""

    strips: StripSet
    made: Made
    unlike: float

    @property
    def rank(self) -> tuple[int, float, int]:
        """Fewest weights first, then most alike, then fewest units."""
        return changed_weights(self.made), self.unlike, sum(units for _, units in self.made)


@dataclass(frozen=True)
class _Slope:
    """What one unit of a move does to the RTP at first; positive."""

    move: Move
    each: float


def nearest_by_weights(strips: StripSet, target: Target, gauge: Gauge) -> StripSet | None:
    """The set whose figures hold with the fewest changed weights; the set itself if it does, None if none is found.

    ``gauge`` gives the figures; those of the target that it leaves out aren't looked at.
    """
    walk = _Walk(strips, target, gauge, gauge(strips))
    if score(target, walk.here) == 0.0:
        return strips
    wanted = target.figure("rtp")
    if wanted is None or wanted.value is None:
        return None
    slopes = list(walk.slopes_at(strips, moves(strips), wanted.value))
    first = sorted(walk.singles(slopes), key=lambda one: one.rank)
    if whole := [one for one in first if walk.holds(one.strips)]:
        return whole[0].strips
    coarse = list(islice(walk.kept(sorted(first, key=lambda one: one.unlike)), COARSE))
    for most in (2, 3):
        done = [
            found for one in coarse for found in islice(walk.completed(one, walk.finest(slopes), most), 1)
        ]
        if done:
            return min(done, key=lambda one: one.rank).strips
    return None


@dataclass(frozen=True)
class _Walk:
    """A set, what is wanted of its neighbour, and the figures here."""

    strips: StripSet
    target: Target
    gauge: Gauge
    here: Figures

    @property
    def wanted(self) -> float:
        """The RTP."""
        figure = self.target.figure("rtp")
        assert figure is not None and figure.value is not None
        return figure.value

    @property
    def tolerance(self) -> float:
        """The RTP's."""
        figure = self.target.figure("rtp")
        assert figure is not None
        return figure.tolerance

    def rtp(self, strips: StripSet) -> float:
        """Of a set; infinite where a feature has no end."""
        try:
            return float(self.gauge(strips)["rtp"])
        except EndlessFeatureError:
            return math.inf

    def holds(self, strips: StripSet) -> bool:
        """Whether all hard figures of the target that are known hold."""
        return score(_hard(self.target), self.gauge(strips)) == 0.0

    def slopes_at(self, strips: StripSet, every: Iterable[Move], towards: float) -> Iterator[_Slope]:
        """The moves, turned so that their units bring the RTP towards ``towards``, that leave the rates alone."""
        here = self.gauge(strips)
        rises = 1.0 if towards >= here["rtp"] else -1.0
        for move in every:
            units = max(1, int(PROBE * min(move.most(strips), move.back.most(strips))))
            probe = move if move.most(strips) >= units else move.back
            if probe.most(strips) < units:
                continue
            try:
                there = self.gauge(probe.made(strips, units))
            except EndlessFeatureError:
                continue
            each = (there["rtp"] - here["rtp"]) / units * rises
            if abs(each) > SAME and _rates_kept(here, there):
                yield _Slope(probe if each > 0 else probe.back, abs(each))

    def finest(self, slopes: Sequence[_Slope]) -> list[Move]:
        """The moves of the smallest units that still count."""
        useful = [slope for slope in slopes if slope.each >= LEAST_UNIT * self.tolerance]
        return [slope.move for slope in sorted(useful, key=lambda slope: slope.each)[:FINEST]]

    def singles(self, slopes: Sequence[_Slope]) -> Iterator[Neighbour]:
        """For every move that reaches so far, the neighbour with the nearest number of units."""
        missing = abs(self.wanted - self.here["rtp"])
        for slope in slopes:
            if slope.each * slope.move.most(self.strips) < FAR_ENOUGH * missing:
                continue
            units = self._units(slope)
            if units:
                yield self._neighbour(((slope.move, units),))

    def _units(self, slope: _Slope) -> int:
        """Whole units whose RTP is nearest to the wanted one, by secants; 0 if the move doesn't reach it."""
        most = slope.move.most(self.strips)
        missing = self.wanted - self.here["rtp"]
        known = {0: missing}
        units, each = 0, math.copysign(slope.each, missing)
        for _ in range(SECANTS):
            after = min(max(units + round(known[units] / each), 1), most)
            if after in known:
                break
            missing = self.wanted - self.rtp(slope.move.made(self.strips, after))
            if not math.isfinite(missing):
                break
            known[after] = missing
            moved = known[units] - missing
            each = moved / (after - units) if moved else each
            units = after
        best = min(known, key=lambda n: (abs(known[n]), n))
        return best if best and abs(known[best]) <= max(2 * abs(each), self.tolerance) else 0

    def _neighbour(self, made: Made) -> Neighbour:
        strips = self.strips
        for move, units in made:
            strips = move.made(strips, units)
        return Neighbour(strips, made, unlike(self.here, self.gauge(strips)))

    def kept(self, found: list[Neighbour]) -> Iterator[Neighbour]:
        """Those on which everything but the RTP holds."""
        others = tuple(f for f in _hard(self.target).figures if f.figure != "rtp")
        for one in found:
            rest = self.gauge(one.strips)
            if all(f.miss(value) == 0 for f in others if (value := look_up(rest, f.figure)) is not None):
                yield one

    def completed(self, coarse: Neighbour, finest: Sequence[Move], most: int) -> Iterator[Neighbour]:
        """Neighbours on which the target holds: the coarse move with nearly its units, and ``most`` - 1 others."""
        ((move, units),) = coarse.made
        fine = _Fine.of(self, coarse.strips, finest)
        if fine is None:
            return
        for step in sorted(range(-AROUND, AROUND + 1), key=abs):
            if not 1 <= units + step <= move.most(self.strips):
                continue
            moved = move.made(self.strips, units + step)
            missing = self.wanted - self.rtp(moved)
            for more in fine.nearest(missing, most - 1, 2 * self.tolerance):
                if all(extra.most(moved) >= n for extra, n in more):
                    made = ((move, units + step), *more)
                    found = self._checked(made)
                    if found:
                        yield found

    def _checked(self, made: Made) -> Neighbour | None:
        strips = self.strips
        for move, units in made:
            if move.most(strips) < units:
                return None
            strips = move.made(strips, units)
        return self._neighbour(made) if self.holds(strips) else None


@dataclass(frozen=True)
class _Fine:
    """Small moves near a set: what each (move, units) adds to the RTP, in rising order."""

    made: tuple[tuple[Move, int], ...]
    adds: Array

    @classmethod
    def of(cls, walk: _Walk, strips: StripSet, every: Sequence[Move]) -> _Fine | None:
        """Measured at ``strips``; None if there are none."""
        made: list[tuple[Move, int]] = []
        adds: list[float] = []
        for slope in walk.slopes_at(strips, every, math.inf):
            for move, each in ((slope.move, slope.each), (slope.move.back, -slope.each)):
                units = range(
                    1, 1 + min(move.most(strips), max(FINE_UNITS, int(FINE_SHARE * move.most(strips))))
                )
                made += [(move, n) for n in units]
                adds += [each * n for n in units]
        if not made:
            return None
        order = np.argsort(adds, kind="stable")
        return cls(tuple(made[i] for i in order), np.array(adds)[order])

    def nearest(self, missing: float, count: int, within: float) -> list[Made]:
        """The single moves, or pairs for a count of 2, that add nearly what is missing: the nearest first."""
        if count == 1:
            distance = np.abs(self.adds - missing)
            best = np.argsort(distance, kind="stable")[:TRIED]
            return [(self.made[i],) for i in best if distance[i] <= within]
        rest = missing - self.adds
        j = np.searchsorted(self.adds, rest).clip(1, len(self.adds) - 1)
        j = j - (np.abs(self.adds[j - 1] - rest) < np.abs(self.adds[j] - rest))
        distance = np.abs(self.adds[j] - rest)
        best = np.argsort(distance, kind="stable")[: 4 * TRIED]
        found: list[Made] = [(self.made[i], self.made[int(j[i])]) for i in best if distance[i] <= within]
        return [pair for pair in found if pair[0][0] not in (pair[1][0], pair[1][0].back)][:TRIED]


def _hard(target: Target) -> Target:
    return target.model_copy(update={"figures": tuple(f for f in target.figures if f.importance == "hard")})


def _rates_kept(here: Figures, there: Figures) -> bool:
    return all(
        abs(there_rate - rate) <= SAME for rate, there_rate in zip(_rates(here), _rates(there), strict=True)
    )


def _rates(figures: Figures) -> list[float]:
    """What a player meets: hit frequency, and how often each feature comes."""
    found = [float(figures[name]) for name in RATES if name in figures]
    for feature in figures.get("features", {}).values():
        if isinstance(feature, dict) and isinstance(feature.get("probability"), float):
            found.append(feature["probability"])
    return found


# what makes a set feel like another, where the figures have it
FEEL = ("standard_deviation", "top_prize.probability", "keys.won_per_round", "keys.value")


def unlike(first: Figures, second: Figures) -> float:
    """Sum of |log of the ratio| of deviation, top prize, Keys, and of the rates."""
    pairs = [(look_up(first, path), look_up(second, path)) for path in FEEL]
    pairs += zip(_rates(first), _rates(second), strict=True)
    return sum(abs(math.log(b / a)) for a, b in pairs if a and b and a > 0 and b > 0)
