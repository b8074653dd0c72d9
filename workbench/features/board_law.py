"""The law of what a hold-and-spin's final lines win, jointly with the spin that began it and with what it ends with.

A feature begun on board m, in chain state n, ends in state c with k Keys with P(n -> c, k), on each of the boards above m
that have state c with the same chance: there are prod_g C(open cells of g, cells gained in g) of them. So for each start the
boards above it are counted by (final coins, end state), and only these counts meet the chain and the coins of the spin.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from workbench.errors import UsageError
from workbench.exact.start_law import StartLaw
from workbench.exact.tables import pays_of
from workbench.features._board_law_kernels import add_final_lines, lines_of_boards
from workbench.features.board_chain import BoardChain
from workbench.features.board_moments import line_shifts, steps_of
from workbench.features.hold_and_spin import ends_of, pay_increments
from workbench.game.definition import GameDefinition
from workbench.game.features import HoldAndSpin
from workbench.prob.product_chain import Array

Ints = NDArray[np.int64]
THREADS = 2
MOST_CELLS = 24
MOST_BOARDS = 1 << 36
MOST_ENDS = 1 << 27


@dataclass(frozen=True)
class _Kinds:
    """Boards by what they are worth to a symbol: ``of[b]`` numbers the pairs (coins, end state).

    Pair p has end state ``state[p]`` and row ``row[p]``; rows are pairs (coins, step).
    """

    of: NDArray[np.int32]
    row: Ints
    state: Ints
    coins: Ints
    step: Ints


def final_line_law(
    game: GameDefinition, feature: HoldAndSpin, boards: BoardChain, starts: StartLaw, sides: Ints
) -> Array:
    """(F, coins, steps, K): P(a round's spin triggers, side f, wins with its final lines so many coins; step, Keys).

    ``sides[e]`` is the side of each entry. Raises UsageError where the boards are too many to be counted.
    """
    symbol, board, place = starts.starts()
    _check(feature, boards, board)
    states = boards.states_of(board)
    different, number = np.unique(states, return_inverse=True)
    ends = np.ascontiguousarray(np.moveaxis(ends_of(boards, feature, different), 2, 0))
    ladder = game.ladder(feature.ladder)
    step = steps_of(boards, feature.meter.per_step, ladder.steps)
    ways = _ways(boards, different)
    shift = line_shifts(game).astype(np.int64)
    held = lines_of_boards(shift, sum(boards.rows))
    end_state = boards.states_of(np.arange(1 << sum(boards.rows), dtype=np.uint64))
    most = int(starts.coins.max(initial=0)) + _most_final(game)
    shape = (int(sides.max(initial=0)) + 1, most + 1, ladder.steps, ends.shape[2])
    found = np.zeros((THREADS, *shape))
    steps_up = pay_increments(pays_of(game))
    first = np.searchsorted(place, np.arange(len(symbol) + 1))
    weight = starts.weight / starts.cycle
    for s in np.unique(symbol).tolist():
        kinds = _kinds(held, end_state, steps_up[s], step)
        mine = np.flatnonzero(symbol == s)

        def add(bounds: tuple[int, int, int], kinds: _Kinds = kinds) -> None:
            thread, begin, end = bounds
            add_final_lines(
                begin, end, board, number, kinds.of, kinds.row, kinds.state, kinds.coins, kinds.step, ways, ends,
                first, starts.coins, weight, sides, sum(boards.rows), found[thread],
            )  # fmt: skip

        with ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(add, _shared(board, mine)))
    return np.asarray(found.sum(axis=0))


def _check(feature: HoldAndSpin, boards: BoardChain, board: NDArray[np.uint64]) -> None:
    cells = sum(boards.rows)
    if boards.masks:
        raise UsageError(
            f"{feature.name}: the law of a round is known for position reels, not for re-spin strips"
        )
    above = float((2.0 ** (cells - np.bitwise_count(board).astype(np.int64))).sum())
    if cells > MOST_CELLS or above > MOST_BOARDS:
        raise UsageError(
            f"{feature.name}: at most {MOST_BOARDS} final boards can be counted, but there are {above:.3g}"
        )


def _most_final(game: GameDefinition) -> int:
    """The most coins that final lines can pay."""
    pays = pays_of(game)
    return len(game.lines) * max(pays.of(s, k) for s in range(pays.regular) for k in range(pays.reels + 1))


def _ways(boards: BoardChain, states: Ints) -> Array:
    """(F, N): boards alike above a board of state n that have state c; 1 where there are none."""
    digits, open_cells = boards.digits(), boards.open_cells().astype(np.int64)
    gained = digits[None, :, :] - digits[states][:, None, :]
    found = np.ones((len(states), len(digits)))
    for g in range(digits.shape[1]):
        most = int(open_cells[:, g].max())
        table = np.array([[comb(m, a) for a in range(most + 1)] for m in range(most + 1)], dtype=np.float64)
        found *= table[open_cells[states, g][:, None], np.clip(gained[:, :, g], 0, most)]
    return np.where((gained >= 0).all(axis=2), found, 1.0)


def _kinds(held: NDArray[np.uint16], end_state: Ints, steps_up: Array, step: Ints) -> _Kinds:
    """The pairs of coins and end state of all boards; ``step`` (N,) is that of each state."""
    coins = np.rint(held @ steps_up).astype(np.int64)
    pairs, of = np.unique(coins * len(step) + end_state, return_inverse=True)
    coins, state = np.divmod(pairs, len(step))
    steps = int(step.max()) + 1
    rows, row = np.unique(coins * steps + step[state], return_inverse=True)
    return _Kinds(of.ravel().astype(np.int32), row.ravel(), state, *np.divmod(rows, steps))


def _shared(board: NDArray[np.uint64], mine: Ints) -> list[tuple[int, int, int]]:
    """(thread, first, last) start of each thread, of about the same number of boards above."""
    work = np.cumsum(2.0 ** -np.bitwise_count(board[mine]).astype(np.float64))
    cuts = np.searchsorted(work, work[-1] * np.arange(1, THREADS) / THREADS).tolist()
    bounds = [int(mine[0]), *(int(mine[min(c, len(mine) - 1)]) for c in cuts), int(mine[-1]) + 1]
    return [(t, bounds[t], bounds[t + 1]) for t in range(THREADS)]
