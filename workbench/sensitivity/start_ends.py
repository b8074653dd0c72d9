"""What hold-and-spins begun with many (collectable, board) end with, for sums over them.

Boards enter the laws of :mod:`workbench.features.board_moments` by the chain's state n they begin in and by how many lines
need which numbers A of open cells, each line with what it pays. So for weights x_e of the starts e

    sum of x_e P(step, Keys)      = sum over n of (sum of x_e in state n) P(step, Keys | n),
    sum of x_e E[L; step, Keys]   = sum over n, A of (sum of x_e need_e(A) in state n) P(A held; step, Keys | n),

and only E[L^2] belongs to each start by itself.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.exact.tables import pays_of
from workbench.features._board_moment_kernels import runs_needed
from workbench.features.board_chain import board_chain
from workbench.features.board_moments import (
    Needs,
    end_tables,
    ends_by_state,
    line_shifts,
    pair_needs,
    steps_of,
)
from workbench.features.hold_and_spin import pay_increments
from workbench.game.definition import GameDefinition
from workbench.game.features import HoldAndSpin
from workbench.prob.product_chain import Array
from workbench.reels.strip_set import StripSet
from workbench.sensitivity._end_kernels import pairs_of_lines

Ints = NDArray[np.int64]
THREADS = 2


@dataclass(frozen=True)
class StartEnds:
    """Starts e: ``sums`` (E, F + F A + 2), sparse: its state, its needs, E[L^2] and E[L]; by state P(step, Keys) and needs' shares.

    ``ends`` is (F, steps, K), ``joint`` (F A, steps, K).
    """

    sums: Any
    ends: Array
    joint: Array

    def of(self, started: Any) -> tuple[Array, Array, Array, Array, Array]:
        """(E[L], 2 C E[L] + E[L^2], C, law, first) of sparse sums (W, E): starts, and as imaginary parts coins C won before."""
        states, shape = len(self.ends), self.ends.shape[1:]
        size = shape[0] * shape[1]
        both = (started @ self.sums).toarray()
        x, y = both.real, both.imag
        flat, joint = self.ends.reshape(-1, size), self.joint.reshape(-1, size)
        law = x[:, :states] @ flat
        first = y[:, :states] @ flat + x[:, states:-2] @ joint
        coins = y[:, :states].sum(axis=1)
        return x[:, -1], 2 * y[:, -1] + x[:, -2], coins, law.reshape(-1, *shape), first.reshape(-1, *shape)


def start_ends(
    game: GameDefinition,
    feature: HoldAndSpin,
    strips: StripSet,
    symbol: Ints,
    board: NDArray[np.uint64],
    pool: ThreadPoolExecutor,
) -> StartEnds:
    """The ends of starts (``symbol[e]``, ``board[e]``) on position reels."""
    from scipy.sparse import coo_array, hstack

    boards = board_chain(game, feature, strips)
    pays, runs = _pays(game)
    different, place = np.unique(board, return_inverse=True)
    states, number = np.unique(boards.states_of(different), return_inverse=True)
    one, two = Needs(tuple(len(g) for g in boards.groups)), pair_needs(boards)
    ends, joint, filled = _tables(game, feature, strips, states, (one, two))
    needed = runs_needed(different, line_shifts(game), one.by_reel(boards), runs, one.size)
    products = _products(game, different, number, two.by_reel(boards), runs, filled, pool)
    mine = pays[symbol]
    need = np.einsum("ej,eja->ea", mine, needed[place])
    second = np.einsum("ei,eij,ej->e", mine, products[place], mine)
    state = number[place]
    mean = np.einsum("ea,ea->e", need, joint.sum(axis=(2, 3))[state])
    e, a = np.nonzero(need)
    rows = np.arange(len(symbol))
    parts = [
        coo_array((np.ones(len(rows)), (rows, state)), shape=(len(rows), len(states))),
        coo_array((need[e, a], (e, state[e] * one.size + a)), shape=(len(rows), len(states) * one.size)),
        coo_array(np.stack([second, mean], axis=1)),
    ]
    return StartEnds(hstack(parts, format="csr"), ends, joint.reshape(-1, *joint.shape[2:]))


def _pays(game: GameDefinition) -> tuple[Array, Ints]:
    """What a run pays more than a shorter one, by symbol and those lengths at which any pays more; these lengths."""
    steps_up = pay_increments(pays_of(game))
    runs = np.flatnonzero(steps_up.any(axis=0)) + 1
    return steps_up[:, runs - 1], runs


def _tables(
    game: GameDefinition, feature: HoldAndSpin, strips: StripSet, states: Ints, needs: tuple[Needs, Needs]
) -> tuple[Array, Array, Array]:
    """The ends' tables of all states, in their order, with room for as many Keys as any needs."""
    boards = board_chain(game, feature, strips)
    steps = game.ladder(feature.ladder).steps
    step = steps_of(boards, feature.meter.per_step, steps)
    found = [
        end_tables(boards, some, ends, step, steps, needs)
        for some, ends in ends_by_state(boards, feature, states)
    ]
    if not found:
        none = np.zeros((0, steps, 1))
        return none, np.zeros((0, needs[0].size, steps, 1)), np.zeros((0, needs[1].size))
    keys = max(one[0].shape[2] for one in found)
    by_step = [np.pad(one[0], ((0, 0), (0, 0), (0, keys - one[0].shape[2]))) for one in found]
    joint = [np.pad(one[1], ((0, 0), (0, 0), (0, 0), (0, keys - one[1].shape[3]))) for one in found]
    return np.concatenate(by_step), np.concatenate(joint), np.concatenate([one[2] for one in found])


def _products(
    game: GameDefinition,
    boards: NDArray[np.uint64],
    number: Ints,
    stride: Ints,
    runs: Ints,
    filled: Array,
    pool: ThreadPoolExecutor,
) -> Array:
    """(boards, runs, runs): sums over pairs of lines, in parts side by side."""
    rows = np.array(game.lines, dtype=np.int64)
    bits = 1 << np.arange(rows.shape[1])
    same = ((rows[:, None, :] == rows[None, :, :]) @ bits).astype(np.int64)
    masks = (np.arange(1 << rows.shape[1])[:, None] >> np.arange(rows.shape[1])) & 1
    index, shift = (masks @ stride).astype(np.int64), line_shifts(game)
    filled = np.ascontiguousarray(filled)
    bounds = np.linspace(0, len(boards), 4 * THREADS + 1).astype(int)

    def part(ends: tuple[int, int]) -> Array:
        some = slice(*ends)
        return np.asarray(pairs_of_lines(boards[some], number[some], shift, same, index, runs, filled))

    return np.concatenate(list(pool.map(part, pairwise(bounds.tolist()))))
