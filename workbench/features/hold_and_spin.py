"""Hold-and-spin: the winning symbols stay, the open cells spin until nothing lands.

The state is what each reel holds; reels move independently and upward, so the feature is a
:class:`~workbench.prob.product_chain.ProductChain` whose counter is the Keys. Two ways to spin:

*Position reels.* Every open cell of reel r lands Collectable, Key or Blank with p, q, b. The open cells of a reel
are exchangeable, so its state is the number held, c_r, and from c_r with m = rows_r - c_r open cells

    P(c_r -> c_r + a, j Keys) = m! / (a! j! (m - a - j)!) p^a q^j b^(m - a - j).

The new cells of a reel are a uniform choice among its open ones, so for cells A, one on each of several reels,
all open at the start (counts c), P(A held at the end) = sum over B in A of (-1)^|B| h_B(c) / prod_B (rows - c_r) with
h_B(c) = E[prod over B of (rows_r - final c_r)]: 2^R value functions serve every start board and every symbol.

*Strips.* Reel r stops on a strip with a window as high as the reel; only open cells land. Its state is the mask of
held rows and the value functions are the numbers of lines whose first j cells are held.

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

from workbench.errors import EndlessFeatureError, StripSetError
from workbench.exact.line_law import Pays, pays_of
from workbench.exact.spin import TriggerLaw
from workbench.exact.tables import window_masks
from workbench.features._board_kernels import line_coins_by_counts, lines_held
from workbench.game.definition import GameDefinition
from workbench.game.features import HoldAndSpin
from workbench.prob.product_chain import Array, ProductChain
from workbench.reels.strip_set import Stage, StripSet

MAX_STATES = 1 << 21
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


def local_law_of_cells(rows: int, collectable: float, key: float, blank: float, keys: int) -> Array:
    """(rows + 1, rows + 1, keys + 1): one re-spin of a reel whose open cells spin alone."""
    law = np.zeros((rows + 1, rows + 1, keys + 1))
    for held in range(rows + 1):
        m = rows - held
        for a in range(m + 1):
            for j in range(min(keys, m - a) + 1):
                ways = comb(m, a) * comb(m - a, j)
                law[held, held + a, j] = ways * collectable**a * key**j * blank ** (m - a - j)
    return law


def local_law_of_strip(rows: int, held: NDArray[np.bool_], keys: NDArray[np.bool_]) -> Array:
    """(2^rows, 2^rows, rows + 1): one re-spin of a reel on a strip with these stops holding Collectable, Key."""
    masks = window_masks(held.astype(np.int64) + 2 * keys.astype(np.int64), rows, 3)
    law = np.zeros((1 << rows, 1 << rows, (rows if keys.any() else 0) + 1))
    for x in range(1 << rows):
        for stop in range(len(held)):
            law[x, x | int(masks[stop, 1]), int(masks[stop, 2] & ~x).bit_count()] += 1
    return law / len(held)


def hold_chains(
    game: GameDefinition, feature: HoldAndSpin, strips: StripSet
) -> tuple[tuple[int, ProductChain], ...]:
    """The chain of every stage with the re-spin it begins with; the last one is in force for ever."""
    if feature.spun == "strips":
        chains: tuple[tuple[int, ProductChain], ...] = ((1, _strip_chain(game, feature, strips)),)
    else:
        stages = strips.position_reels[feature.name]
        chains = tuple((stage.start, _cell_chain(game, feature, stage)) for stage in stages)
    for _, chain in chains:
        if chain.states > MAX_STATES:
            raise StripSetError(
                f"{feature.name}: at most {MAX_STATES} boards can be told apart, but got {chain.states}"
            )
    if feature.key.at_most == "no-limit":
        _check_ends(feature.name, chains[-1][1])
    return chains


def _cell_chain(game: GameDefinition, feature: HoldAndSpin, stage: Stage) -> ProductChain:
    local = []
    for r, rows in enumerate(game.grid.rows):
        cell = stage.cell(r)
        key = cell.probability(feature.key.symbol)
        law = local_law_of_cells(
            rows,
            cell.probability(feature.held_symbol),
            key,
            cell.probability(feature.blank_symbol),
            rows if key else 0,
        )
        local.append(law)
    return ProductChain(tuple(local))


def _strip_chain(game: GameDefinition, feature: HoldAndSpin, strips: StripSet) -> ProductChain:
    local = []
    for r, strip in enumerate(strips.reels[feature.name]):
        held = np.array([symbol == feature.held_symbol for symbol in strip])
        key = np.array([symbol == feature.key.symbol and r in feature.key.reels for symbol in strip])
        local.append(local_law_of_strip(game.grid.rows[r], held, key))
    return ProductChain(tuple(local))


def _check_ends(name: str, chain: ProductChain) -> None:
    """EndlessFeatureError where a board can stay as it is while every re-spin lands a Key."""
    if np.any(chain.stay()[:, 1:].sum(axis=1) >= 1 - 1e-12):
        raise EndlessFeatureError(f"{name}: must end, but its weights land a Key at every re-spin")


def start_states(game: GameDefinition, chain: ProductChain, boards: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The chain's state of each start board: counts per reel, or masks where the chain has 2^rows local states."""
    state = np.zeros(len(boards), dtype=np.int64)
    offset = 0
    for rows, size in zip(game.grid.rows, chain.sizes, strict=True):
        mask = ((boards >> np.uint64(offset)) & np.uint64((1 << rows) - 1)).astype(np.int64)
        local = mask if size == 1 << rows and rows > 1 else np.bitwise_count(mask).astype(np.int64)
        state = state * size + local
        offset += rows
    return state


def hold_law(
    game: GameDefinition, feature: HoldAndSpin, strips: StripSet, starts: TriggerLaw, sides: Sequence[Array]
) -> HoldLaw:
    """Everything the feature ends with, from the law of its start.

    ``sides[f]`` is a mass for each entry of ``starts``; the laws are kept apart by side.
    """
    chains = hold_chains(game, feature, strips)
    last = chains[-1][1]
    state = start_states(game, last, starts.board)
    mass = np.stack([np.bincount(state, side, minlength=last.states) for side in sides], axis=1).astype(float)
    ended, re_spins, lost = _forward(chains, mass, feature)
    cells = _held_cells(game, last)
    count = sum(game.grid.rows) + 1
    chosen = (cells == np.arange(count)[:, None]).astype(float)
    by_cells = (chosen @ ended.reshape(len(cells), -1)).reshape(count, *ended.shape[1:])
    return HoldLaw(by_cells, re_spins, _line_coins(game, feature, chains, starts, state), lost)


def _cap(feature: HoldAndSpin) -> int | None:
    return None if feature.key.at_most == "no-limit" else feature.key.at_most


def _forward(
    chains: tuple[tuple[int, ProductChain], ...], mass: Array, feature: HoldAndSpin
) -> tuple[Array, Array, float]:
    """(ended (N, K, F), expected re-spins (F,), lost mass), with as many Key levels as the lost mass allows."""
    cap = _cap(feature)
    levels = FIRST_KEY_LEVELS if cap is None else cap + 1
    while True:
        start = np.zeros((mass.shape[0], levels, mass.shape[1]))
        start[:, 0] = mass
        ended, re_spins = _forward_levels(chains, start, cap is not None)
        lost = float(mass.sum() - ended.sum())
        if cap is not None or lost <= LOST_SHARE * float(mass.sum()):
            return ended, re_spins, max(lost, 0.0)
        if levels >= MAX_KEY_LEVELS:
            raise EndlessFeatureError(
                f"{feature.name}: at most {MAX_KEY_LEVELS} Keys can be followed in one feature, but more are likely"
            )
        levels *= 2


def _forward_levels(
    chains: tuple[tuple[int, ProductChain], ...], mass: Array, capped: bool
) -> tuple[Array, Array]:
    ended = np.zeros_like(mass)
    open_states = np.ones(mass.shape[0])
    open_states[-1] = 0.0
    re_spins = np.zeros(mass.shape[2])
    for (start, chain), (end, _) in pairwise(chains):
        for _ in range(start, end):
            re_spins += np.einsum("nkf,n->f", mass, open_states)
            done, mass = chain.step_forward(mass, capped)
            ended += done
    last = chains[-1][1]
    visits = last.visits(mass, capped)
    re_spins += np.einsum("nkf,n->f", visits, open_states)
    return ended + last.ended(visits, capped), re_spins


def _backward(chains: tuple[tuple[int, ProductChain], ...], end: Array, cap: int | None) -> Array:
    """(N, F): expected value of ``end`` (N, F) at the end of the feature, from its first re-spin on, no Keys won yet."""
    value = chains[-1][1].expected_end(end, cap)
    for (start, chain), (stop, _) in reversed(list(pairwise(chains))):
        for _ in range(start, stop):
            value = chain.step_backward(value, end, cap)
    return value[:, 0]


def _digits(chain: ProductChain) -> NDArray[np.int64]:
    """(N, R): the local state of every coordinate in every state."""
    return np.stack(np.unravel_index(np.arange(chain.states), chain.sizes), axis=1)


def _held_cells(game: GameDefinition, chain: ProductChain) -> NDArray[np.int64]:
    digits = _digits(chain)
    for r, (rows, size) in enumerate(zip(game.grid.rows, chain.sizes, strict=True)):
        if size == 1 << rows and rows > 1:
            digits[:, r] = np.bitwise_count(digits[:, r])
    return np.asarray(digits.sum(axis=1))


def _filled(moments: Array, open_cells: Array) -> Array:
    """(N, 2^R): P(one given open cell on each reel of A is held at the end), by inclusion and exclusion.

    ``moments[n, B]`` is E[product over B of the open cells at the end], begun with ``open_cells[n]``.
    """
    filled = moments.copy()
    opened = np.where(open_cells > 0, open_cells, np.inf)
    for r in range(open_cells.shape[1]):
        pairs = filled.reshape(len(filled), -1, 2, 1 << r)
        pairs[:, :, 1] = pairs[:, :, 0] - pairs[:, :, 1] / opened[:, r, None, None]
    return filled


def pay_increments(pays: Pays) -> Array:
    """(S, R): coins of a run of j + 1 less coins of a run of j, for every regular symbol."""
    table = np.array(
        [[pays.of(s, k) for k in range(pays.reels + 1)] for s in range(pays.regular)], dtype=float
    )
    return np.diff(table, axis=1)


def _line_coins(
    game: GameDefinition,
    feature: HoldAndSpin,
    chains: tuple[tuple[int, ProductChain], ...],
    starts: TriggerLaw,
    state: NDArray[np.int64],
) -> Array:
    last, line_rows = chains[-1][1], np.array(game.lines, dtype=np.int64)
    steps_up = pay_increments(pays_of(game))
    rows = np.array(game.grid.rows, dtype=np.int64)
    if feature.spun == "strips":
        value = _backward(chains, lines_held(_digits(last), line_rows), _cap(feature))
        return np.asarray((value[state] * steps_up[starts.symbol]).sum(axis=1))
    open_cells = (rows - _digits(last)).astype(float)
    moments = np.ones((last.states, 1))
    for r in range(len(rows)):
        moments = np.concatenate([moments, moments * open_cells[:, r : r + 1]], axis=1)
    value = _backward(chains, moments, _cap(feature))
    offsets = np.concatenate([[0], np.cumsum(rows)[:-1]]).astype(np.int64)
    return np.asarray(
        line_coins_by_counts(
            starts.board,
            starts.symbol,
            state,
            rows,
            offsets,
            line_rows,
            steps_up,
            _filled(value, open_cells),
        )
    )
