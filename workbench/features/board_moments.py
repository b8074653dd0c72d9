"""The final lines of a hold-and-spin jointly with what it ends with, and their mean square.

A feature begun in chain state n (:mod:`workbench.features.board_chain`) ends in state c with k Keys, P(n -> c, k). Given
both, the cells that each group g of alike reels gained are a uniform choice among those that were open, m_g, so for cells
A, all open at the start, a_g of them in group g,

    P(A held at the end, c, k) = P(n -> c, k) prod_g (c_g - n_g)_a_g / (m_g)_a_g,        (m)_a = m (m - 1) .. (m - a + 1).

With d_j the coins a run of j + 1 pays more than one of j, and N_l,j the open cells that line l needs for such a run,

    E[L; c, k] = sum over l, j of d_j P(N_l,j held, c, k),
    E[L^2]     = sum over l, l', i, j of d_i d_j P(N_l,i and N_l',j held).

So boards enter only by how many lines, or pairs of lines, need which numbers of open cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.exact.tables import pays_of
from workbench.features._board_moment_kernels import pairs_held, runs_needed
from workbench.features.board_chain import BoardChain
from workbench.features.hold_and_spin import ends_of, pay_increments
from workbench.game.definition import GameDefinition
from workbench.game.features import HoldAndSpin
from workbench.prob.product_chain import Array

Ints = NDArray[np.int64]
Boards = NDArray[np.uint64]
# start states followed at once: their ends take states x Keys x these numbers
STATES_AT_ONCE = 64


@dataclass(frozen=True)
class FinalLines:
    """Moments of the final line coins of each start e, given as (symbol, board).

    with_end
        (E, steps, K): E[coins; step, Keys].
    second
        (E,): E[coins^2].
    ends
        (E, steps, K): P(step, Keys).
    """

    with_end: Array
    second: Array
    ends: Array


@dataclass(frozen=True)
class Needs:
    """Numbers of open cells by group as one index: at most ``most[g]`` of group g, of stride ``stride[g]``."""

    most: tuple[int, ...]

    @property
    def size(self) -> int:
        return int(np.prod([m + 1 for m in self.most], dtype=np.int64))

    def by_reel(self, boards: BoardChain) -> Ints:
        """(R,): the stride of each reel's group."""
        strides = np.cumprod([1, *(m + 1 for m in self.most)], dtype=np.int64)
        found = np.zeros(len(boards.rows), dtype=np.int64)
        for group, one in zip(boards.groups, strides, strict=False):
            found[list(group)] = one
        return found

    def chances(self, gained: Array, open_cells: Array) -> Array:
        """(N, A): P(given open cells of index A are gained), ``gained`` (N, G) of ``open_cells`` (G,); 0 if there are fewer."""
        found = np.ones((len(gained), 1))
        for g, most in enumerate(self.most):
            powers = [np.ones(len(gained))]
            for a in range(most):
                left = open_cells[g] - a
                powers.append(
                    powers[-1] * np.maximum(gained[:, g] - a, 0) / left if left > 0 else 0 * powers[0]
                )
            found = (np.stack(powers, axis=1)[:, :, None] * found[:, None, :]).reshape(len(gained), -1)
        return found


def final_lines(
    game: GameDefinition, feature: HoldAndSpin, boards: BoardChain, symbol: Ints, board: Boards
) -> FinalLines:
    """The moments for starts (``symbol[e]``, ``board[e]``); ``boards`` must count cells, not masks."""
    steps_up = pay_increments(pays_of(game))
    runs = np.flatnonzero(steps_up.any(axis=0)) + 1
    steps_up = steps_up[:, runs - 1]
    different, place = np.unique(board, return_inverse=True)
    state = boards.states_of(different)
    shift, line_rows = line_shifts(game), np.array(game.lines, dtype=np.int64)
    one, two = Needs(tuple(len(g) for g in boards.groups)), pair_needs(boards)
    needed = runs_needed(different, shift, one.by_reel(boards), runs, one.size)
    steps = game.ladder(feature.ladder).steps
    step = steps_of(boards, feature.meter.per_step, steps)
    found: list[tuple[Ints, FinalLines]] = []
    for states, ends in ends_by_state(boards, feature, np.unique(state)):
        here = np.flatnonzero(np.isin(state, states))
        number = np.searchsorted(states, state[here])
        by_step, joint, filled = end_tables(boards, states, ends, step, steps, (one, two))
        products = pairs_held(
            different[here], number, shift, line_rows, two.by_reel(boards), runs, np.ascontiguousarray(filled)
        )
        starts = np.flatnonzero(np.isin(place, here))
        local = np.searchsorted(here, place[starts])
        pays = steps_up[symbol[starts]]
        lines = np.einsum("ej,eja->ea", pays, needed[here][local])
        with_end = _at_states(lines, joint, number[local])
        second = np.einsum("ei,eij,ej->e", pays, products[local], pays)
        found.append((starts, FinalLines(with_end, second, by_step[number[local]])))
    keys = found[0][1].ends.shape[2] if found else 1
    return _together(found, (len(symbol), steps, keys))


def line_shifts(game: GameDefinition) -> Boards:
    """(lines, R): the place of each line's cell on each reel, as a bit number."""
    offsets = np.concatenate([[0], np.cumsum(game.grid.rows)[:-1]])
    return np.asarray(np.array(game.lines) + offsets, dtype=np.uint64)


def pair_needs(boards: BoardChain) -> Needs:
    """Two lines need at most two cells of a reel."""
    return Needs(tuple(sum(min(2, boards.rows[r]) for r in group) for group in boards.groups))


def ends_by_state(boards: BoardChain, feature: HoldAndSpin, states: Ints) -> Iterator[tuple[Ints, Array]]:
    """Start states, some at a time, with (F, N, K) P(end state, Keys)."""
    for first in range(0, len(states), STATES_AT_ONCE):
        some = states[first : first + STATES_AT_ONCE]
        yield some, np.ascontiguousarray(np.moveaxis(ends_of(boards, feature, some), 2, 0))


def steps_of(boards: BoardChain, per_step: int, steps: int) -> Ints:
    """(N,): the ladder's step, from 0, of each state a feature ends in."""
    return np.minimum(boards.held() // per_step, steps - 1)


def end_tables(
    boards: BoardChain, states: Ints, ends: Array, step: Ints, steps: int, needs: tuple[Needs, Needs]
) -> tuple[Array, Array, Array]:
    """By start state f: P(step, Keys), (F, steps, K); the same with open cells of index A held, (F, A, steps, K);
    P(open cells of index A held) for pairs of lines, (F, A')."""
    digits, open_cells = boards.digits(), boards.open_cells()
    one, two = needs
    by_step = np.stack([ends[:, step == s].sum(axis=1) for s in range(steps)], axis=1)
    joint = np.zeros((len(states), one.size, *by_step.shape[1:]))
    filled = np.zeros((len(states), two.size))
    for f, state in enumerate(states.tolist()):
        gained = digits - digits[state]
        chance = one.chances(gained, open_cells[state])
        for s in range(steps):
            joint[f, :, s] = chance[step == s].T @ ends[f, step == s]
        filled[f] = ends[f].sum(axis=1) @ two.chances(gained, open_cells[state])
    return by_step, joint, filled


def _at_states(lines: Array, joint: Array, number: Ints) -> Array:
    """(E, steps, K): lines[e] @ joint[number[e]]."""
    found = np.zeros((len(lines), *joint.shape[2:]))
    for n in range(len(joint)):
        here = number == n
        found[here] = np.tensordot(lines[here], joint[n], axes=1)
    return found


def _together(parts: list[tuple[Ints, FinalLines]], shape: tuple[int, ...]) -> FinalLines:
    """The starts of all parts in their order; ``shape`` is that of ``ends``."""
    with_end, second, ends = np.zeros(shape), np.zeros(shape[0]), np.zeros(shape)
    for places, part in parts:
        with_end[places], second[places], ends[places] = part.with_end, part.second, part.ends
    return FinalLines(with_end, second, ends)
