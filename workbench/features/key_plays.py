"""Fair plays of hold-and-spins and Free Spins: for an answer within seconds, where their exact laws take longer.

The end (state, Keys) of a hold-and-spin is drawn from its exact law (:func:`workbench.features.hold_and_spin.ends_of`), the
cells gained by each group from all choices alike; Free Spins are played spin by spin on their strips.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.exact.line_law import award_arrays, line_law
from workbench.exact.start_law import StartLaw, settled_states
from workbench.exact.tables import pays_of
from workbench.exact.weighted_lines import shown_symbols
from workbench.features._key_play_kernels import draw_boards, draw_ends, draw_free_spins
from workbench.features.board_chain import BoardChain, board_chain
from workbench.features.board_moments import line_shifts, steps_of
from workbench.features.free_spins import FreeSpinsTables, law_of_wheel
from workbench.features.free_spins_moments import marks_of_spin
from workbench.features.hold_and_spin import ends_of, pay_increments
from workbench.game.definition import GameDefinition
from workbench.game.features import FreeSpins, HoldAndSpin
from workbench.reels.strip_set import StripSet, free_reels

Ints = NDArray[np.int64]
Rng = np.random.Generator


@dataclass(frozen=True)
class PlayedHolds:
    """Of each play: line coins of spin and final board, step from 0, Keys, and 1 where Free Spins follow."""

    coins: Ints
    step: Ints
    keys: Ints
    follows: Ints


def play_holds(
    game: GameDefinition,
    feature: HoldAndSpin,
    strips: StripSet,
    starts: StartLaw,
    follows: Ints,
    plays: int,
    rng: Rng,
) -> PlayedHolds:
    """Plays begun as the start law has it; ``follows[e]`` tells whether Free Spins follow its entry e."""
    boards = board_chain(game, feature, strips)
    entry = np.searchsorted(
        np.cumsum(starts.weight), rng.integers(starts.weight.sum(), size=plays), side="right"
    )
    board, symbol = starts.board[entry], starts.symbol[entry]
    different, number = np.unique(boards.states_of(board), return_inverse=True)
    ends = np.moveaxis(ends_of(boards, feature, different), 2, 0)
    place = np.zeros(plays, dtype=np.int64)
    draw_ends(rng, number.ravel(), np.cumsum(ends.reshape(len(different), -1), axis=1), place)
    state, keys = np.divmod(place, ends.shape[2])
    digits = boards.digits()
    gained = digits[state] - digits[different[number.ravel()]]
    final = np.zeros(plays)
    draw_boards(
        rng,
        board,
        symbol,
        gained,
        _group_cells(boards),
        line_shifts(game),
        pay_increments(pays_of(game)),
        final,
    )
    steps = game.ladder(feature.ladder).steps
    coins = starts.coins[entry] + np.rint(final).astype(np.int64)
    return PlayedHolds(coins, steps_of(boards, feature.meter.per_step, steps)[state], keys, follows[entry])


def _group_cells(boards: BoardChain) -> NDArray[np.uint64]:
    """(G,): the cells of each group of reels as bits."""
    offsets = np.concatenate([[0], np.cumsum(boards.rows)])
    masks = [sum(((1 << boards.rows[r]) - 1) << int(offsets[r]) for r in group) for group in boards.groups]
    return np.array(masks, dtype=np.uint64)


@dataclass(frozen=True)
class PlayedFreeSpins:
    """Of each play: line coins, step from 0, Keys of the reels, Keys of the wheel."""

    coins: Ints
    step: Ints
    keys: Ints
    wheel_keys: Ints


def play_free_spins(
    game: GameDefinition, feature: FreeSpins, strips: StripSet, tables: FreeSpinsTables, plays: int, rng: Rng
) -> PlayedFreeSpins:
    """Plays of Free Spins under the strip set's wheels."""
    collectable = _drawn(law_of_wheel(strips, feature.wheels.collectable, tables.collectables), plays, rng)
    spins = np.array(tables.wheel_spins)[
        _drawn(law_of_wheel(strips, feature.wheels.spins, tables.wheel_spins), plays, rng)
    ]
    wheel = np.array(tables.wheel_keys)[
        _drawn(law_of_wheel(strips, feature.wheels.keys, tables.wheel_keys), plays, rng)
    ]
    found = np.zeros((plays, 3), dtype=np.int64)
    law = line_law(game)
    draw_free_spins(
        rng, spins, collectable, *_windows(game, feature, strips, tables), np.array(game.lines, dtype=np.int64),
        law.step, settled_states(law), award_arrays(law)[2], found,
    )  # fmt: skip
    coins, meter, keys = found.T
    ladder = game.ladder(feature.ladder)
    return PlayedFreeSpins(coins, np.minimum(meter // feature.meter.per_step, ladder.steps - 1), keys, wheel)


def _drawn(chances: NDArray[np.float64], plays: int, rng: Rng) -> Ints:
    whole = np.cumsum(chances)
    places = np.searchsorted(whole, rng.random(plays) * whole[-1], side="right")
    return np.asarray(places, dtype=np.int64)


def _windows(
    game: GameDefinition, feature: FreeSpins, strips: StripSet, tables: FreeSpinsTables
) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """(C, R) stops; (C, R, L, rows) shown; (C, R, L) meter, Keys and Scatters of each window."""
    reels = [free_reels(strips, game, c) for c in tables.collectables]
    longest = max(len(strip) for some in reels for strip in some)
    shape = (len(reels), len(game.grid.rows), longest)
    stops = np.array([[len(strip) for strip in some] for some in reels], dtype=np.int64)
    shown = np.zeros((*shape, max(game.grid.rows)), dtype=np.int64)
    marks = np.zeros((3, *shape), dtype=np.int64)
    for c, (some, name) in enumerate(zip(reels, tables.collectables, strict=True)):
        windows, _ = shown_symbols(game, some)
        shown[c, :, : windows.shape[1]] = windows
        spin = marks_of_spin(game, feature, some, name)
        marks[:, c, :, : spin.marks.codes.shape[1]] = np.moveaxis(spin.numbers[spin.marks.codes], 2, 0)
    return stops, shown, marks[0], marks[1], marks[2]
