"""Hold-and-spin: the winning symbols stay, the open cells spin until nothing lands.

The boards are those of :mod:`workbench.features.board_chain`; here are the laws of what the feature ends with. Two
sets of value functions serve every start board and every symbol:

*Position reels.* The new cells of a group of alike reels are a uniform choice among its open ones. So for cells A, all
open at the start, a_g of them in group g with m_g open cells,

    P(A held at the end) = sum over b <= a of  prod_g (-1)^b_g C(a_g, b_g) / (m_g)_b_g  h_b,
    h_b = E[prod_g (open cells of g at the end)_b_g],        (m)_b = m (m - 1) .. (m - b + 1).

*Strips.* The value functions are the numbers of lines whose first j cells are held.

Weights that change with the number of the re-spin are steps played before the last, stationary stage.
A cap on Keys is the chain's cap. A symbol's line pay for a run of k is a sum of increments over j <= k.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import comb

import numpy as np
from numpy.typing import NDArray

from workbench.errors import EndlessFeatureError
from workbench.exact.spin import TriggerLaw
from workbench.exact.tables import Pays, pays_of
from workbench.features._board_kernels import line_coins_by_counts, lines_held
from workbench.features.board_chain import BoardChain, Stages, board_chain
from workbench.game.definition import GameDefinition
from workbench.game.features import HoldAndSpin
from workbench.prob.product_chain import Array
from workbench.reels.strip_set import StripSet

FIRST_KEY_LEVELS = 16
MAX_KEY_LEVELS = 3072
LOST_SHARE = 4e-15


@dataclass(frozen=True)
class HoldLaw:
    """What a hold-and-spin ends with, given the law of its start.

    ended
        (cells + 1, K, F): P(held cells, Keys; side f), the sides f being those of the start masses; sums to their sum.
    re_spins
        (F,): expected re-spins.
    line_coins
        (E,): expected final line coins of each start.
    lost
        mass beyond the last Key level, left out of ``ended``.
    """

    ended: Array
    re_spins: Array
    line_coins: Array
    lost: float

    def ladder(self, per_step: int, steps: int) -> Array:
        """(steps, K, F): P(step, Keys; side), the step being 1 + held // per_step, at most the last."""
        found = np.zeros((steps, *self.ended.shape[1:]))
        for held, law in enumerate(self.ended):
            found[min(held // per_step, steps - 1)] += law
        return found


def hold_law(
    game: GameDefinition, feature: HoldAndSpin, strips: StripSet, starts: TriggerLaw, sides: Sequence[Array]
) -> HoldLaw:
    """Everything the feature ends with, from the law of its start.

    ``sides[f]`` is a mass for each entry of ``starts``; the laws are kept apart by side.
    """
    boards = board_chain(game, feature, strips)
    states = boards.last.states
    state = boards.states_of(starts.board)
    mass = np.stack([np.bincount(state, side, minlength=states) for side in sides], axis=1).astype(float)
    by_cells = Label(boards.held(), sum(boards.rows) + 1)
    ended, re_spins, lost = _forward(boards, mass, feature, by_cells)
    return HoldLaw(ended, re_spins, _line_coins(game, feature, boards, starts, state), lost)


def ends_of(boards: BoardChain, feature: HoldAndSpin, states: NDArray[np.int64]) -> Array:
    """(N, K, F): P(the feature ends in state n with k Keys), begun in each of F states."""
    mass = np.zeros((boards.last.states, len(states)))
    mass[states, np.arange(len(states))] = 1.0
    each = Label(np.arange(boards.last.states, dtype=np.int64), boards.last.states)
    return _forward(boards, mass, feature, each)[0]


@dataclass(frozen=True)
class Label:
    """What is told of a board: ``of`` (N,) for each state, below ``count``."""

    of: NDArray[np.int64]
    count: int


def _cap(feature: HoldAndSpin) -> int | None:
    return None if feature.key.at_most == "no-limit" else feature.key.at_most


def _forward(
    boards: BoardChain, mass: Array, feature: HoldAndSpin, label: Label
) -> tuple[Array, Array, float]:
    """(``ended`` of the law, expected re-spins (F,), lost mass), with as many Key levels as the lost mass allows."""
    cap = _cap(feature)
    levels = FIRST_KEY_LEVELS if cap is None else cap + 1
    while True:
        start = np.zeros((mass.shape[0], levels, mass.shape[1]))
        start[:, 0] = mass
        ended, re_spins = _forward_levels(boards, start, cap is not None, label)
        lost = float(mass.sum() - ended.sum())
        if cap is not None or lost <= LOST_SHARE * float(mass.sum()):
            return ended, re_spins, max(lost, 0.0)
        if levels >= MAX_KEY_LEVELS:
            raise EndlessFeatureError(
                f"{feature.name}: at most {MAX_KEY_LEVELS} Keys can be followed in one feature, but more are likely"
            )
        levels *= 2


def _forward_levels(boards: BoardChain, mass: Array, capped: bool, label: Label) -> tuple[Array, Array]:
    """(mass that ended by (label, Keys; side), expected re-spins (F,)) from a mass on (state, Keys; side)."""
    ended = np.zeros((label.count, *mass.shape[1:]))
    re_spins = np.zeros(mass.shape[2])
    for (start, chain), (end, _) in pairwise(boards.stages):
        for _ in range(start, end):
            re_spins += mass[:-1].sum(axis=(0, 1))
            ended += chain.ended_by(mass, capped, label.of, label.count)
            mass = chain.moved_on(mass, capped)
    visits = boards.last.visits(mass, capped)
    re_spins += visits[:-1].sum(axis=(0, 1))
    return ended + boards.last.ended_by(visits, capped, label.of, label.count), re_spins


def _backward(chains: Stages, end: Array, cap: int | None) -> Array:
    """(N, F): expected value of ``end`` (N, F) at the end of the feature, from its first re-spin on, no Keys won yet."""
    value = chains[-1][1].expected_end(end, cap)
    for (start, chain), (stop, _) in reversed(list(pairwise(chains))):
        for _ in range(start, stop):
            value = chain.step_backward(value, end, cap)
    return value[:, 0]


def _filled(moments: Array, open_cells: Array, most: Sequence[int]) -> Array:
    """(N, A): P(a given choice of open cells is held at the end), by inclusion and exclusion.

    A numbers the cells chosen of each group, at most ``most[g]`` of group g, the first group fastest; so are
    ``moments[n, B]`` = E[product of the falling powers B of the open cells at the end], begun with ``open_cells[n]``.
    """
    filled = moments
    for g, a_most in enumerate(most):
        falling = np.ones((len(moments), a_most + 1))
        for b in range(a_most):
            falling[:, b + 1] = falling[:, b] * (open_cells[:, g] - b)
        signed = np.array([[(-1) ** b * comb(a, b) for b in range(a_most + 1)] for a in range(a_most + 1)])
        share = signed / np.where(falling > 0, falling, np.inf)[:, None, :]
        inner = int(np.prod([m + 1 for m in most[:g]], dtype=np.int64))
        parts = filled.reshape(len(moments), -1, a_most + 1, inner)
        filled = np.matmul(share[:, None], parts)
    return np.ascontiguousarray(filled.reshape(moments.shape))


def _falling_powers(open_cells: Array, most: Sequence[int]) -> Array:
    """(N, B): products of falling powers of the open cells, numbered as in :func:`_filled`."""
    found = np.ones((len(open_cells), 1))
    for g, b_most in enumerate(most):
        powers = [found]
        for b in range(b_most):
            powers.append(powers[-1] * (open_cells[:, g : g + 1] - b))
        found = np.concatenate(powers, axis=1)
    return found


def pay_increments(pays: Pays) -> Array:
    """(S, R): coins of a run of j + 1 less coins of a run of j, for every regular symbol."""
    table = np.array(
        [[pays.of(s, k) for k in range(pays.reels + 1)] for s in range(pays.regular)], dtype=float
    )
    return np.diff(table, axis=1)


def _line_coins(
    game: GameDefinition,
    feature: HoldAndSpin,
    boards: BoardChain,
    starts: TriggerLaw,
    state: NDArray[np.int64],
) -> Array:
    """(E,): expected final line coins of each start board."""
    line_rows, cap = np.array(game.lines, dtype=np.int64), _cap(feature)
    steps_up = pay_increments(pays_of(game))
    if boards.masks:
        value = _backward(boards.stages, lines_held(boards.digits(), line_rows), cap)
        return np.asarray((value[state] * steps_up[starts.symbol]).sum(axis=1))
    open_cells, most = boards.open_cells(), [len(group) for group in boards.groups]
    chance = _filled(_backward(boards.stages, _falling_powers(open_cells, most), cap), open_cells, most)
    strides = np.cumprod([1, *(m + 1 for m in most)], dtype=np.int64)
    stride = np.zeros(len(game.grid.rows), dtype=np.int64)
    for group, one in zip(boards.groups, strides, strict=False):
        stride[list(group)] = one
    offsets = np.concatenate([[0], np.cumsum(game.grid.rows)[:-1]]).astype(np.int64)
    return np.asarray(
        line_coins_by_counts(starts.board, starts.symbol, state, stride, offsets, line_rows, steps_up, chance)
    )
