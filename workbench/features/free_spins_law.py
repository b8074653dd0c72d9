"""The law of what Free Spins win on lines, jointly with the ladder's step and the Keys.

One spin's coins, collectables, bonus, Keys and Scatters are joint (:mod:`workbench.exact.win_law`), once for each
collectable; the spins that a wheel gives and the Scatters add are a branching process of such spins
(:mod:`workbench.prob.metered_series`).
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from workbench.errors import UsageError
from workbench.exact.gains import gains_of
from workbench.exact.line_law import line_law
from workbench.exact.win_law import win_law
from workbench.features.free_spins import FreeSpinsTables, ladder_size, law_of_wheel
from workbench.features.free_spins_moments import marks_of_spin
from workbench.game.definition import GameDefinition
from workbench.game.features import FreeSpins
from workbench.prob.branching import Array
from workbench.prob.lattice_laws import without_noise
from workbench.prob.metered_series import SpinOutcomes, metered_law
from workbench.reels.strip_set import StripSet, free_reels

THREADS = 2
LEFT_OUT = 1e-13
MOST_COINS = 1 << 19


@dataclass(frozen=True)
class FreeSpinsLaw:
    """``chances[v, step, k]``: P(v coins on lines, the ladder's step, k Keys of the reels), the last k that many or more.

    ``left_out`` bounds the chance of what isn't in it.
    """

    chances: Array
    left_out: float


def free_spins_law(
    game: GameDefinition, feature: FreeSpins, strips: StripSet, tables: FreeSpinsTables
) -> FreeSpinsLaw:
    """The law under the strip set's wheels; UsageError where Free Spins may win more than can be followed."""
    _, height, begins = ladder_size(game, feature)
    numbers = np.zeros(max(tables.wheel_spins) + 1)
    numbers[list(tables.wheel_spins)] = law_of_wheel(strips, feature.wheels.spins, tables.wheel_spins)
    wheel = law_of_wheel(strips, feature.wheels.collectable, tables.collectables)
    drawn = [c for c, chance in zip(tables.collectables, wheel, strict=True) if chance]
    with ThreadPoolExecutor(THREADS) as pool:
        spins = list(pool.map(lambda c: spin_outcomes(game, feature, free_reels(strips, game, c), c), drawn))
    laws, left_out = [], 0.0
    for chance, spin in zip(wheel[wheel > 0], spins, strict=True):
        try:
            law = metered_law(spin, numbers, begins.tolist(), height, LEFT_OUT, MOST_COINS)
        except ValueError as error:
            raise UsageError(f"{feature.name}: in coins, {error}") from None
        cells = [without_noise(cell) for cell in np.moveaxis(law.chances, 0, 2).reshape(-1, len(law.chances))]
        laws.append(chance * np.array([cell for cell, _ in cells]).T.reshape(law.chances.shape))
        left_out += chance * (law.left_out + sum(noise for _, noise in cells))
    return FreeSpinsLaw(_added(laws), left_out)


def spin_outcomes(
    game: GameDefinition, feature: FreeSpins, reels: tuple[tuple[str, ...], ...], collectable: str
) -> SpinOutcomes:
    """The joint law of one free spin."""
    spin = marks_of_spin(game, feature, reels, collectable)
    gains = gains_of(line_law(game), [lambda award: float(award.coins)])
    law = win_law(game, reels, [np.ones(len(strip), dtype=np.int64) for strip in reels], gains, spin.marks)
    meter, keys, scatters = spin.numbers[law.marks].T
    return SpinOutcomes(law.values[:, 0], meter, keys, scatters, law.counts / law.cycle)


def _added(laws: Sequence[Array]) -> Array:
    found = np.zeros((max(len(law) for law in laws), *laws[0].shape[1:]))
    for law in laws:
        found[: len(law)] += law
    return found[: int(np.flatnonzero(found.any(axis=(1, 2)))[-1]) + 1]
