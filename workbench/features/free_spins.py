"""Free spins with a meter, a ladder and retriggers, as a branching process of spins.

One free spin adds m to the meter (visible collectables, and the bonus symbol's amount), shows k Keys and s Scatters;
each Scatter adds a spin. The reels are independent, so the joint law G_s(x, y) of one spin is a product of the laws of
single windows, and n spins of the wheel with all they lead to have the law F^n, F = sum_s G_s F^s
(:mod:`workbench.prob.branching`). Step = 1 + meter // per_step, level = start + used Keys + Keys of the wheel + k, both
cut at the ladder's end, so the law is needed only up to there.

By Wald's identity E[spins] = n / (1 - E[s]) and E[line win] is that times the line win of one spin. E[s] >= 1 is
refused: such Free Spins need never end.

Everything is kept per (collectable, spins on the wheel), so a change of a wheel's weights is a weighted sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.errors import EndlessFeatureError
from workbench.exact.line_hits import line_hits
from workbench.exact.tables import window_counts
from workbench.game.definition import GameDefinition
from workbench.game.features import FreeSpins
from workbench.prob.branching import Array, convolve, saturated
from workbench.reels.strip_set import StripSet, free_reels


@dataclass(frozen=True)
class FreeSpinsTables:
    """What Free Spins are worth, by collectable c and spins n on the wheel (indices in the wheels' order).

    meter
        (C, N, steps, K + 1): P(step, Keys of reel 5), the last Key column being "so many or more".
    spins
        (C, N): expected spins played.
    line_win
        (C, N): expected line win in total bets.
    """

    collectables: tuple[str, ...]
    wheel_spins: tuple[int, ...]
    wheel_keys: tuple[int, ...]
    meter: Array
    spins: Array
    line_win: Array


@dataclass(frozen=True)
class FreeSpinsValue:
    """Free Spins under the strip set's wheels.

    ladder
        (U + 1, levels, steps): P(level, step) with u used Keys.
    fortune_wins
        (U + 1,): mean ladder prize with u used Keys, in total bets.
    line_win, spins
        expected line win in total bets, expected spins played.
    """

    ladder: Array
    fortune_wins: Array
    line_win: float
    spins: float


@dataclass(frozen=True)
class SpinWindows:
    """What each window of the free strips shows apart from collectables: Scatters, bonus amount, Keys, per reel."""

    reels: tuple[tuple[str, ...], ...]
    scatters: list[NDArray[np.int64]]
    bonus: list[NDArray[np.int64]]
    keys: list[NDArray[np.int64]]


def spin_windows(game: GameDefinition, feature: FreeSpins, reels: tuple[tuple[str, ...], ...]) -> SpinWindows:
    """Scatters, bonus and Keys at every stop of the free strips."""
    extra = feature.meter.bonus
    bonus = [np.zeros(len(strip), dtype=np.int64) for strip in reels]
    if extra:
        bonus = [extra.adds * shown for shown in window_counts(game, reels, extra.symbol, extra.reels)]
    return SpinWindows(
        reels,
        window_counts(game, reels, feature.retrigger.symbol, feature.retrigger.reels),
        bonus,
        window_counts(game, reels, feature.key.symbol, feature.key.reels),
    )


def spin_marks(game: GameDefinition, windows: SpinWindows, collectable: str) -> Array:
    """(S + 1, M + 1, K + 1): P(s Scatters, m on the meter, k Keys) in one free spin: the product over reels."""
    shown = window_counts(game, windows.reels, collectable, range(len(windows.reels)))
    law = np.ones((1, 1, 1))
    for s, b, k, m in zip(windows.scatters, windows.bonus, windows.keys, shown, strict=True):
        shape = (int(s.max()) + 1, int((m + b).max()) + 1, int(k.max()) + 1)
        place = (s * shape[1] + m + b) * shape[2] + k
        one = np.bincount(place, minlength=shape[0] * shape[1] * shape[2]).reshape(shape) / len(s)
        law = convolve(law, one)
    return law


def ladder_size(game: GameDefinition, feature: FreeSpins) -> tuple[int, int, NDArray[np.int64]]:
    """(where the meter is cut, where the Keys are cut, the meter at which each step begins)."""
    ladder = game.ladder(feature.ladder)
    width = max((ladder.steps - 1) * feature.meter.per_step, 1)
    height = max(ladder.levels - feature.start_level, 1)
    if feature.key.at_most != "no-limit":
        height = min(height, feature.key.at_most)
    # a ladder of one step never looks at the meter
    begins = np.arange(ladder.steps) * feature.meter.per_step if ladder.steps > 1 else np.zeros(1, int)
    return width, height, begins


def free_spins_tables(game: GameDefinition, feature: FreeSpins, strips: StripSet) -> FreeSpinsTables:
    """Free Spins for every collectable and number of spins the wheels may name.

    Raises EndlessFeatureError when a free spin adds a spin or more on average.
    """
    ladder = game.ladder(feature.ladder)
    collectables = game.wheel(feature.wheels.collectable).values
    wheel_spins = tuple(sorted(int(v) for v in game.wheel(feature.wheels.spins).values))
    width, height, step_begins = ladder_size(game, feature)
    meter = np.zeros((len(collectables), len(wheel_spins), ladder.steps, height + 1))
    spins = np.zeros((len(collectables), len(wheel_spins)))
    line_win = np.zeros_like(spins)
    line_wins: dict[tuple[tuple[str, ...], ...], float] = {}
    shown: dict[tuple[tuple[str, ...], ...], SpinWindows] = {}
    for c, collectable in enumerate(collectables):
        reels = free_reels(strips, game, collectable)
        if reels not in line_wins:
            line_wins[reels] = float(line_hits(game, reels).rtp)
        if reels not in shown:
            shown[reels] = spin_windows(game, feature, reels)
        marks = spin_marks(game, shown[reels], collectable)
        added = float(marks.sum(axis=(1, 2)) @ np.arange(marks.shape[0]))
        if added >= 1 - 1e-9:
            raise EndlessFeatureError(
                f"reels.{feature.reels}: a free spin must add less than 1 spin on average,"
                f" but {feature.retrigger.symbol} adds {added:.6g}"
            )
        law = saturated(marks, width, height, wheel_spins)
        meter[c] = np.add.reduceat(law, step_begins, axis=1)
        spins[c] = np.array(wheel_spins) / (1 - added)
        line_win[c] = spins[c] * line_wins[reels]
    keys = tuple(int(v) for v in game.wheel(feature.wheels.keys).values)
    return FreeSpinsTables(collectables, wheel_spins, keys, meter, spins, line_win)


def free_spins_value(
    game: GameDefinition, feature: FreeSpins, strips: StripSet, tables: FreeSpinsTables, most_used: int
) -> FreeSpinsValue:
    """Weigh the tables by the strip set's three independent wheels."""
    by_collectable = law_of_wheel(strips, feature.wheels.collectable, tables.collectables)
    by_spins = law_of_wheel(strips, feature.wheels.spins, tables.wheel_spins)
    by_keys = law_of_wheel(strips, feature.wheels.keys, tables.wheel_keys)
    both = np.outer(by_collectable, by_spins)
    meter = np.einsum("cn,cnsk->sk", both, tables.meter)
    ladder = game.ladder(feature.ladder)
    law = np.zeros((most_used + 1, ladder.levels, ladder.steps))
    for used in range(most_used + 1):
        for chance, wheel_keys in zip(by_keys, tables.wheel_keys, strict=True):
            for k in range(meter.shape[1]):
                level = min(feature.start_level + used + wheel_keys + k, ladder.levels)
                law[used, level - 1] += chance * meter[:, k]
    prizes = np.array(ladder.table)
    return FreeSpinsValue(
        ladder=law,
        fortune_wins=(law * prizes).sum(axis=(1, 2)),
        line_win=float((both * tables.line_win).sum()),
        spins=float((both * tables.spins).sum()),
    )


def law_of_wheel(strips: StripSet, name: str, values: Sequence[str | int]) -> Array:
    """(values,): the chances of a wheel's values, some of which the strip set may leave out."""
    wheel = strips.wheels[name]
    return np.array([wheel.probability(str(value)) for value in values])
