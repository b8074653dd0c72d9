"""The joint law of one spin: what closed forms by counts can't see.

A regular symbol s pays from a run of least[s] cells on. Let D be the largest of these over the symbols that pay
(3 in most games): whether a line not made of Wilds alone wins, and with which symbol, is decided by its first D
cells, and only lines that begin with a paying run of Wilds ("contested" lines) need more. So the kernels
enumerate the stops of the first D reels, keep of each combination only what the later reels can still
change (the collectable's live lines, the board so far, the scatters), merge equal ones, and extend the
merged classes over window classes of the later reels. Contested spins are played out, class by class.

All results are integer counts of stop combinations out of the cycle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from workbench.errors import StripSetError
from workbench.exact._spin_kernels import spin_counts
from workbench.exact._start_board_kernels import trigger_boards
from workbench.exact._trigger_kernels import trigger_prefixes
from workbench.exact.tables import LineTables, ReelTables, line_tables, reel_tables, window_counts
from workbench.game.definition import GameDefinition
from workbench.game.features import Trigger

MAX_CYCLE = 2**62
MAX_PREFIXES = 2**31


class SpinModel:
    """A game's lines as arrays, compiled once and used for every candidate set of strips."""

    def __init__(self, game: GameDefinition) -> None:
        self.game = game
        self.tables: LineTables = line_tables(game)

    def windows(self, reels: Sequence[Sequence[str]]) -> SpinWindows:
        """The strips as arrays; StripSetError if the cycle is too long to be counted in 62 bits."""
        if prod(len(strip) for strip in reels) >= MAX_CYCLE:
            raise StripSetError(f"reels: the cycle must be below {MAX_CYCLE}")
        if prod(len(strip) for strip in reels[: self.tables.depth]) > MAX_PREFIXES:
            raise StripSetError(
                f"reels: the first {self.tables.depth} reels must have at most {MAX_PREFIXES} stop combinations"
            )
        return SpinWindows(self, tuple(map(tuple, reels)), reel_tables(self.game, self.tables, reels))


@lru_cache(maxsize=16)
def _model(holder: _Identity) -> SpinModel:
    return SpinModel(holder.game)


class _Identity:
    """A cache key that is equal only for the same definition object."""

    def __init__(self, game: GameDefinition) -> None:
        self.game = game

    def __hash__(self) -> int:
        return id(self.game)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and other.game is self.game


def spin_model(game: GameDefinition) -> SpinModel:
    """The compiled model of a game's spin, one per definition object."""
    return _model(_Identity(game))


@dataclass(frozen=True)
class SpinWindows:
    """One set of strips, ready for the kernels."""

    model: SpinModel
    reels: tuple[tuple[str, ...], ...]
    arrays: ReelTables

    @property
    def cycle(self) -> int:
        """Number of stop combinations."""
        return prod(len(strip) for strip in self.reels)

    def scatters(self, symbol: str, on: Sequence[int]) -> NDArray[np.int64]:
        """(R, L): cells that show ``symbol`` at each stop of the reels ``on``, padded with 0."""
        counts = window_counts(self.model.game, self.reels, symbol, on)
        padded = np.zeros(self.arrays.mask.shape[:2], dtype=np.int64)
        for r, row in enumerate(counts):
            padded[r, : len(row)] = row
        return padded


@dataclass(frozen=True)
class SpinCounts:
    """Stop combinations by (paid line or not, scatters): ``counts[hit, k]``, k cut at the last column."""

    counts: NDArray[np.int64]
    cycle: int

    @property
    def hits(self) -> int:
        """Stop combinations that pay at least one line."""
        return int(self.counts[1].sum())

    @property
    def hit_frequency(self) -> float:
        """P(a spin pays a line)."""
        return self.hits / self.cycle

    def scatters_at_least(self, least: int) -> int:
        """Stop combinations with at least that many scatters."""
        return int(self.counts[:, least:].sum())


def count_spins(windows: SpinWindows, scatters: NDArray[np.int64], most: int) -> SpinCounts:
    """Law of (paid line, scatters in sight); ``scatters`` as from :meth:`SpinWindows.scatters`."""
    t, a = windows.model.tables, windows.arrays
    counts = spin_counts(
        a.stops, a.cover, scatters, a.show, t.line_rows, t.law.step, t.award_coins, t.wild_state,
        t.least, t.least_wild, t.depth, most,
    )  # fmt: skip
    return SpinCounts(counts, windows.cycle)


@dataclass(frozen=True)
class TriggerLaw:
    """Law of (collectable, start board, scatters) over the spins that trigger a hold-and-spin.

    Entry e: symbol index, board as bits (cell of reel r and row y is bit offset[r] + y), scatters (cut at
    ``most_scatters``) and the number of stop combinations.
    """

    symbol: NDArray[np.int64]
    board: NDArray[np.uint64]
    scatters: NDArray[np.int64]
    weight: NDArray[np.int64]
    cycle: int
    most_scatters: int

    @property
    def total(self) -> int:
        """Stop combinations that trigger."""
        return int(self.weight.sum())


def trigger_law(
    windows: SpinWindows, scatters: NDArray[np.int64], trigger: Trigger, most: int, last_resort: bool
) -> TriggerLaw:
    """Law of the start of a hold-and-spin whose trigger asks for a line win and ``trigger.least`` scatters.

    ``last_resort``: lines won by Wilds alone name the collectable only if no other line won.
    """
    t, a = windows.model.tables, windows.arrays
    size = 1 << 15
    while True:
        prefixes, boards, fits = trigger_prefixes(
            a.stops, a.cover, a.mask, scatters, a.show, t.line_rows, t.row_lines, t.rows, t.offsets,
            t.law.step, t.award_symbol, t.award_length, t.award_wild_only, t.least, t.least_wild, t.depth,
            t.wild_depth, trigger.least, most, last_resort, size,
        )  # fmt: skip
        if fits and trigger_boards(
            prefixes, boards, a.stops, a.cover, a.mask, scatters, t.row_lines, t.rows, t.offsets,
            t.least, t.depth, trigger.least, most,
        ):  # fmt: skip
            break
        size *= 4
    keys, tags, used, weights, _, _ = boards
    tag = tags[used]
    return TriggerLaw(
        symbol=tag // (most + 1),
        board=keys[used, 1],
        scatters=tag % (most + 1),
        weight=weights[used],
        cycle=windows.cycle,
        most_scatters=most,
    )
