"""What Free Spins are worth for one law of a spin's marks: prizes, and what a win of a spin adds to wins times prizes.

With the meter and the Keys cut at the ladder's ends, the law of both is a saturated series (:mod:`workbench.prob.branching`) and a
mean prize a sum over it. The mean of the line win times the prize is linear in w(s, m, k), the mean win of one spin that shows
these marks: what such a spin begins moves the rest of the series on by m and k. All of it are sums of positive terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.features.free_spins import ladder_size, law_of_wheel
from workbench.game.definition import GameDefinition
from workbench.game.features import FreeSpins
from workbench.prob.branching import cut
from workbench.prob.product_chain import Array
from workbench.reels.strip_set import StripSet
from workbench.sensitivity._free_kernels import series_worth


@dataclass(frozen=True)
class Prizes:
    """The ladder's prizes of Free Spins, the wheels' spins and their chances.

    ``mean``, ``square`` (U + 1, H + 1, W + 1): mean and mean square of the prize over the wheel of Keys, by used Keys, Keys of
    the spins and the meter.
    """

    mean: Array
    square: Array
    spins: tuple[int, ...]
    chances: Array

    @classmethod
    def of(cls, game: GameDefinition, feature: FreeSpins, strips: StripSet, most_used: int) -> Prizes:
        """Those of a strip set."""
        ladder = game.ladder(feature.ladder)
        width, height, begins = ladder_size(game, feature)
        table = np.array(ladder.table)
        step = np.searchsorted(begins, np.arange(width + 1), side="right") - 1
        wheel = game.wheel(feature.wheels.keys).values
        mean = np.zeros((most_used + 1, height + 1, width + 1))
        square = np.zeros_like(mean)
        for used in range(most_used + 1):
            for keys, chance in zip(wheel, law_of_wheel(strips, feature.wheels.keys, wheel), strict=True):
                level = feature.start_level + used + int(keys) + np.arange(height + 1)
                prize = table[np.minimum(level, ladder.levels) - 1][:, step]
                mean[used] += chance * prize
                square[used] += chance * prize**2
        spins = tuple(sorted(int(v) for v in game.wheel(feature.wheels.spins).values))
        return cls(mean, square, spins, law_of_wheel(strips, feature.wheels.spins, spins))

    def total(self, of_spins: Sequence[float]) -> float:
        """Mean over the wheel of a value of each number of spins."""
        return float(self.chances @ np.array(of_spins))


@dataclass(frozen=True)
class SpinWorth:
    """Of one law of a spin's marks: ``mean``, ``square`` (U + 1,) of the prize, ``slopes`` (U + 1, Scatters, meter, Keys)."""

    mean: Array
    square: Array
    slopes: Array


def spin_worth(law: Array, prizes: Prizes) -> SpinWorth:
    """The worth of a law (Scatters, meter, Keys) of one spin's marks."""
    height, width = (n - 1 for n in prizes.mean.shape[1:])
    both = np.concatenate([prizes.mean, prizes.square])
    used = len(prizes.mean)
    scatters, meter, keys = law.shape
    slopes = np.zeros((used, scatters, keys, meter))
    spins = np.array(prizes.spins, dtype=np.int64)
    found = series_worth(cut(law, width, height), spins, prizes.chances, both, slopes)
    return SpinWorth(found[:used], found[used:], slopes.transpose(0, 1, 3, 2))
