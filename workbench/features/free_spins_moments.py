"""What Free Spins win on lines, jointly with the meter and the Keys, to the second moment.

One spin wins w coins, adds to the meter and the Keys, and shows s Scatters, each of which adds a spin. With the means
mu = E[w] / (1 - E[s]) of one spin and all it leads to, its mean square is

    q = (E[w^2] + 2 E[w s] mu + E[s (s - 1)] mu^2) / (1 - E[s]),

and n spins of the wheel have n q + n (n - 1) mu^2. The mean line win with the final step and Keys is a series
(:func:`workbench.prob.branching.saturated_mean_win`), fed by E[w; meter, Keys, Scatters] of one spin.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.exact.gains import gains_of
from workbench.exact.line_law import line_law
from workbench.exact.marks import Marks, marks_on
from workbench.exact.weighted_lines import LineSums, line_sums
from workbench.features.free_spins import FreeSpinsTables, ladder_size, law_of_wheel
from workbench.game.definition import GameDefinition
from workbench.game.features import FreeSpins
from workbench.prob.branching import Array, saturated_mean_win
from workbench.reels.strip_set import StripSet, free_reels

Ints = NDArray[np.int64]
EACH = 99


@dataclass(frozen=True)
class SpinMarks:
    """What one free spin shows for a collectable: ``numbers`` (codes, 3) are meter, Keys and Scatters of each code."""

    marks: Marks
    numbers: Ints

    def gathered(self, by_code: Array) -> Array:
        """(Scatters, meter, Keys): a value of each code in its place."""
        meter, keys, scatters = self.numbers.T
        found = np.zeros((scatters.max() + 1, meter.max() + 1, keys.max() + 1))
        np.add.at(found, (scatters, meter, keys), by_code)
        return found


def marks_of_spin(
    game: GameDefinition, feature: FreeSpins, reels: tuple[tuple[str, ...], ...], collectable: str
) -> SpinMarks:
    """The marks of one free spin."""
    bonus = feature.meter.bonus
    counted = [(collectable, tuple(range(len(reels))))]
    counted += [(feature.key.symbol, feature.key.reels), (feature.retrigger.symbol, feature.retrigger.reels)]
    counted += [(bonus.symbol, bonus.reels)] if bonus else []
    marks = marks_on(game, reels, counted, [EACH] * len(counted))
    numbers = marks.numbers
    meter = numbers[:, 0] + (bonus.adds * numbers[:, 3] if bonus else 0)
    return SpinMarks(marks, np.stack([meter, numbers[:, 1], numbers[:, 2]], axis=1))


@dataclass(frozen=True)
class FreeSpinsMoments:
    """Moments by used Keys u, in total bets: ``mean`` (U + 1,) of the whole win, and ``second`` (U + 1,) of its square."""

    mean: Array
    second: Array


def free_spins_moments(
    game: GameDefinition, feature: FreeSpins, strips: StripSet, tables: FreeSpinsTables, most_used: int
) -> FreeSpinsMoments:
    """The moments of what Free Spins win, lines and ladder prize together."""
    lines = [
        line_moments(game, feature, free_reels(strips, game, collectable), collectable, tables)
        for collectable in tables.collectables
    ]
    return weighed_moments(game, feature, strips, tables, lines, most_used)


LineMoments = tuple[Array, Array]


def weighed_moments(
    game: GameDefinition,
    feature: FreeSpins,
    strips: StripSet,
    tables: FreeSpinsTables,
    lines: Sequence[LineMoments],
    most_used: int,
) -> FreeSpinsMoments:
    """The moments from :func:`line_moments` of each collectable, weighed by the wheels."""
    ladder = game.ladder(feature.ladder)
    wheel = np.outer(
        law_of_wheel(strips, feature.wheels.collectable, tables.collectables),
        law_of_wheel(strips, feature.wheels.spins, tables.wheel_spins),
    )
    by_keys = law_of_wheel(strips, feature.wheels.keys, tables.wheel_keys)
    joint = np.zeros(tables.meter.shape[2:])
    second = 0.0
    for chances, (with_end, square) in zip(wheel, lines, strict=True):
        joint += np.tensordot(chances, with_end, axes=1)
        second += float(chances @ square)
    mean = float((wheel * tables.line_win).sum())
    law = np.einsum("cn,cnsk->sk", wheel, tables.meter)
    prizes = np.array(ladder.table)
    means, squares = np.zeros(most_used + 1), np.zeros(most_used + 1)
    for used in range(most_used + 1):
        for chance, wheel_keys in zip(by_keys, tables.wheel_keys, strict=True):
            keys = np.arange(law.shape[1])
            level = np.minimum(feature.start_level + used + wheel_keys + keys, ladder.levels) - 1
            prize = prizes[level].T
            means[used] += chance * float((law * prize).sum())
            squares[used] += chance * float((law * prize**2 + 2 * joint * prize).sum())
    return FreeSpinsMoments(mean + means, second + squares)


def line_moments(
    game: GameDefinition,
    feature: FreeSpins,
    reels: tuple[tuple[str, ...], ...],
    collectable: str,
    tables: FreeSpinsTables,
) -> LineMoments:
    """((N, steps, K + 1) mean line win with step and Keys, (N,) its mean square) by spins of the wheel, in bets."""
    spin = marks_of_spin(game, feature, reels, collectable)
    sums = _sums(game, reels)
    total = float(sums.total[0]) * game.bet.coins
    won = spin.gathered(sums.marked(0, spin.marks.codes, spin.marks.plus) / total)
    law = spin.gathered(_law(spin.marks, reels))
    width, height, begins = ladder_size(game, feature)
    joint = saturated_mean_win(law, won, width, height, tables.wheel_spins)
    scatters = np.arange(len(law))
    begets, pairs = law.sum(axis=(1, 2)) @ scatters, law.sum(axis=(1, 2)) @ (scatters * (scatters - 1))
    mu = float(won.sum()) / (1 - begets)
    square = float(sums.product()[0]) / (total * game.bet.coins)
    with_scatters = float(won.sum(axis=(1, 2)) @ scatters)
    one = (square + 2 * with_scatters * mu + pairs * mu**2) / (1 - begets)
    n = np.array(tables.wheel_spins, dtype=np.float64)
    return np.add.reduceat(joint, begins, axis=1), n * one + n * (n - 1) * mu**2


def _sums(game: GameDefinition, reels: tuple[tuple[str, ...], ...]) -> LineSums:
    gains = gains_of(line_law(game), [lambda award: float(award.coins)])
    return line_sums(game, gains, reels, [np.ones((len(strip), 1)) for strip in reels])


def _law(marks: Marks, reels: tuple[tuple[str, ...], ...]) -> Array:
    ways = [np.ones(len(strip), dtype=np.int64) for strip in reels]
    law = marks.law(ways)
    return np.array([float(n) for n in law]) / float(sum(law))
