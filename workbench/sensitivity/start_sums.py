"""Sums over the starts of hold-and-spins by the cells that are held and by those that lines need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from workbench.exact.start_law import StartLaw
from workbench.exact.tables import pays_of
from workbench.features._board_moment_kernels import runs_needed
from workbench.features.board_moments import line_shifts
from workbench.features.hold_and_spin import pay_increments
from workbench.game.definition import GameDefinition
from workbench.prob.product_chain import Array
from workbench.sensitivity._cell_kernels import pairs_needed

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class StartSums:
    """Sums over a set's starts, in stop combinations times coins; f = 1 where Free Spins follow.

    held
        (S, R): cells held on each reel in the different starts.
    mass, coins
        (2, S): stop combinations, and with the coins of their lines, by f.
    needs, coin_needs
        (2, S, 2^R) by f, and (S, 2^R) with the spin's coins: what final lines pay that need one open cell on some reels.
    pair_needs
        (S, A): the same of pairs of lines, A = at most two cells on each reel (one where a reel has one row).
    """

    held: Ints
    mass: Array
    coins: Array
    needs: Array
    coin_needs: Array
    pair_needs: Array


def start_sums(game: GameDefinition, starts: StartLaw) -> StartSums:
    """The sums of a law of starts."""
    symbol, board, place = starts.starts()
    free = game.free_spins
    follows = starts.scatters >= free.trigger.least if free else np.zeros(len(place), dtype=np.bool_)
    weight, coins = (
        np.stack([np.bincount(place, w * side, minlength=len(symbol)) for side in (~follows, follows)])
        for w in (starts.weight, starts.weight * starts.coins)
    )
    different, number = np.unique(board, return_inverse=True)
    held, state = np.unique(_held(game, different), axis=0, return_inverse=True)
    state = state.ravel()
    steps_up = pay_increments(pays_of(game))
    runs = np.flatnonzero(steps_up.any(axis=0)) + 1
    pays = steps_up[:, runs - 1][symbol]
    one = 1 << np.arange(game.reel_count, dtype=np.int64)
    needed = runs_needed(different, line_shifts(game), one, runs, 1 << game.reel_count)

    def needs(weights: Array) -> Array:
        by_board = _added(weights[:, None] * pays, number, len(different))
        return _added(np.einsum("bj,bja->ba", by_board, needed), state, len(held))

    pairs = np.einsum("e,ei,ej->eij", weight.sum(axis=0), pays, pays)
    return StartSums(
        held=held,
        mass=np.stack([_added(w, state[number], len(held)) for w in weight]),
        coins=np.stack([_added(w, state[number], len(held)) for w in coins]),
        needs=np.stack([needs(w) for w in weight]),
        coin_needs=needs(coins.sum(axis=0)),
        pair_needs=_pairs(game, different, state, _added(pairs, number, len(different)), runs, len(held)),
    )


def _added(values: Array, place: Ints, size: int) -> Array:
    """(size, ...): values (N, ...) added up by their places."""
    found = np.zeros((size, *values.shape[1:]))
    np.add.at(found, place, values)
    return found


def _held(game: GameDefinition, boards: NDArray[np.uint64]) -> Ints:
    """(B, R): cells held on each reel."""
    found, offset = [], 0
    for rows in game.grid.rows:
        mask = (boards >> np.uint64(offset)) & np.uint64((1 << rows) - 1)
        found.append(np.bitwise_count(mask).astype(np.int64))
        offset += rows
    return np.stack(found, axis=1)


def pair_most(game: GameDefinition) -> Ints:
    return np.minimum(np.array(game.grid.rows, dtype=np.int64), 2)


def _pairs(
    game: GameDefinition, boards: NDArray[np.uint64], state: Ints, weight: Array, runs: Ints, states: int
) -> Array:
    rows = np.array(game.lines, dtype=np.int64)
    bits = 1 << np.arange(game.reel_count)
    same = ((rows[:, None, :] == rows[None, :, :]) @ bits).astype(np.int64)
    most = pair_most(game)
    stride = np.cumprod([1, *(most[:-1] + 1)], dtype=np.int64)
    index = ((np.arange(1 << game.reel_count)[:, None] >> np.arange(game.reel_count)) & 1) @ stride
    size = int(np.prod(most + 1))
    found = pairs_needed(boards, state, weight, line_shifts(game), same, index, runs, states, size)
    return cast(Array, found)
