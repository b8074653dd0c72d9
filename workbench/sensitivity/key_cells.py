"""Units of weight of the cells of position reels: the numbers of every edited set, from one count of the starts.

A hold-and-spin's start enters the laws of :mod:`workbench.features.board_moments` by the open cells of each reel, n, and by
how many lines, or pairs of lines, need which open cells A of each reel. These sums over the starts of a set are taken once;
an edited cell moves only P(n -> c, k), the chances of the ends. With V(n, c) the sums times P(A held | n -> c), whatever is
wanted is

    sum over n, c of V(n, c) P(n -> c, k).

Reels alike in the edited set are a group, and their numbers of cells are added. Edits of alike reels share their chains.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from workbench.errors import WorkbenchError
from workbench.exact.start_law import StartLaw
from workbench.features.board_chain import BoardChain, board_chain
from workbench.features.board_moments import ends_by_state, steps_of
from workbench.game.definition import GameDefinition
from workbench.game.features import HoldAndSpin
from workbench.prob.product_chain import Array, ProductChain
from workbench.reels.strip_set import StripSet
from workbench.sensitivity.changes import Unit
from workbench.sensitivity.key_batch import KeyBatch
from workbench.sensitivity.start_sums import StartSums, pair_most, start_sums

Ints = NDArray[np.int64]
THREADS = 2


@dataclass(frozen=True)
class _Edited:
    """An edited set's chain, its groups in an order of their laws alone, and the sums by its states and groups.

    ``mass``, ``coins`` are (2, N), the others (1 or 2, N, A) with as many cells of a group as ``one``, ``two`` say.
    """

    boards: BoardChain
    mass: Array
    coins: Array
    needs: Array
    coin_needs: Array
    pair_needs: Array
    one: tuple[int, ...]
    two: tuple[int, ...]

    @property
    def key(self) -> tuple[bytes, ...]:
        """What its ends depend on."""
        return tuple(law.tobytes() for _, chain in self.boards.stages for law in chain.local)

    def at_ends(self, states: Ints) -> Array:
        """(6, F, N): V of P by f, of C and E[L] by f, of 2 C E[L] + E[L^2], and of E[L], by start and end."""
        shape = (2, len(states), self.boards.last.states)
        mass, coins = (np.broadcast_to(x[:, states, None], shape) for x in (self.mass, self.coins))
        needs, coin_needs = (
            _held_at(self.boards, states, x, self.one) for x in (self.needs, self.coin_needs)
        )
        pairs = _held_at(self.boards, states, self.pair_needs, self.two)
        lines = needs.sum(axis=0, keepdims=True)
        return np.concatenate([mass, coins + needs, 2 * coin_needs + pairs, lines])


def _held_at(boards: BoardChain, states: Ints, sums: Array, most: tuple[int, ...]) -> Array:
    """(V, F, N): sum over A of sums[v, f, A] P(A held | f -> n), the product over the groups of (n - f)_a / (m)_a."""
    found = sums[:, states, :, None]
    digits = boards.digits()[states]
    for g, size in enumerate(boards.last.sizes):
        gained = np.arange(size) - digits[:, g, None]
        left = size - 1 - digits[:, g, None]
        powers = [np.ones(gained.shape)]
        for a in range(most[g]):
            powers.append(powers[-1] * np.maximum(gained - a, 0) / np.maximum(left - a, 1))
        chance = np.stack(powers, axis=2)
        x = found.reshape(*found.shape[:2], -1, most[g] + 1, found.shape[3])
        found = np.einsum("vfrad,fea->vfrde", x, chance).reshape(*x.shape[:3], -1)
    return found[:, :, 0]


def _edited(game: GameDefinition, sums: StartSums, boards: BoardChain) -> _Edited:
    """The sums of a chain's states and groups."""
    order = sorted(
        range(len(boards.groups)), key=lambda g: tuple(c.local[g].tobytes() for _, c in boards.stages)
    )
    stages = tuple((start, ProductChain(tuple(c.local[g] for g in order))) for start, c in boards.stages)
    boards = replace(boards, groups=tuple(boards.groups[g] for g in order), stages=stages)
    groups = [list(group) for group in boards.groups]
    digits = tuple(sums.held[:, group].sum(axis=1) for group in groups)
    state = np.ravel_multi_index(digits, boards.last.sizes)

    def by_state(values: Array) -> Array:
        return np.array([np.bincount(state, x, boards.last.states) for x in values], dtype=np.float64)

    one, two = np.ones(game.reel_count, dtype=np.int64), pair_most(game)
    return _Edited(
        boards=boards,
        mass=by_state(sums.mass),
        coins=by_state(sums.coins),
        needs=_grouped(boards, state, sums.needs, one),
        coin_needs=_grouped(boards, state, sums.coin_needs[None], one),
        pair_needs=_grouped(boards, state, sums.pair_needs[None], two),
        one=tuple(int(one[group].sum()) for group in groups),
        two=tuple(int(two[group].sum()) for group in groups),
    )


def _grouped(boards: BoardChain, state: Ints, values: Array, most: Ints) -> Array:
    """(V, N, A'): sums (V, S, A) by cells of each reel, added up by cells of each group and by the groups' states."""
    groups = [list(group) for group in boards.groups]
    cells = np.stack(np.unravel_index(np.arange(values.shape[2]), tuple(most[::-1] + 1)), axis=1)[:, ::-1]
    width = tuple(int(most[group].sum()) + 1 for group in groups)
    need = np.ravel_multi_index(tuple(cells[:, group].sum(axis=1) for group in groups[::-1]), width[::-1])
    size = int(np.prod(width))
    place = (state[:, None] * size + need).ravel()
    found = [np.bincount(place, x.ravel(), boards.last.states * size) for x in values]
    return np.array(found, dtype=np.float64).reshape(len(values), boards.last.states, size)


@dataclass(frozen=True)
class _Ends:
    """Of one edited set, in stop combinations and coins: law and first (2, steps, K), what E[X^2] has more, line win."""

    law: Array
    first: Array
    more: float
    line_win: float


def _ends(game: GameDefinition, feature: HoldAndSpin, alike: Sequence[_Edited]) -> list[_Ends]:
    """The ends of edited sets that share their chain."""
    boards, steps = alike[0].boards, game.ladder(feature.ladder).steps
    states = np.unique(np.concatenate([np.flatnonzero(e.mass.any(axis=0)) for e in alike]))
    step = steps_of(boards, feature.meter.per_step, steps)
    found = [np.zeros((6, steps, 1)) for _ in alike]
    for some, ends in ends_by_state(boards, feature, states):
        for i, one in enumerate(alike):
            by_end = np.einsum("vfn,fnk->vnk", one.at_ends(some), ends)
            by_step = np.stack([by_end[:, step == s].sum(axis=1) for s in range(steps)], axis=1)
            found[i] = _padded(found[i], by_step.shape[2]) + _padded(by_step, found[i].shape[2])
    return [_Ends(x[:2], x[2:4], float(x[4].sum()), float(x[5].sum())) for x in found]


def _padded(law: Array, keys: int) -> Array:
    """A law with room for so many numbers of Keys at least."""
    return np.pad(law, [(0, 0)] * (law.ndim - 1) + [(0, max(keys - law.shape[-1], 0))])


Alike = dict[tuple[bytes, ...], list[tuple[Unit, _Edited]]]


def _alike(
    game: GameDefinition, feature: HoldAndSpin, strips: StripSet, sums: StartSums, changes: Sequence[Unit]
) -> tuple[Alike, dict[Unit, str]]:
    """The edited sets by what their ends depend on, and why some have no chain."""
    found: Alike = {}
    refused: dict[Unit, str] = {}
    for unit in changes:
        try:
            edited = _edited(game, sums, board_chain(game, feature, unit.edited(strips)))
        except WorkbenchError as error:
            refused[unit] = str(error)
        else:
            found.setdefault(edited.key, []).append((unit, edited))
    return found, refused


def cell_batches(
    game: GameDefinition,
    feature: HoldAndSpin,
    strips: StripSet,
    starts: StartLaw,
    changes: Sequence[Unit],
    base: KeyBatch,
    second_of_spins: float,
) -> tuple[dict[Unit, KeyBatch], dict[Unit, str]]:
    """The numbers of each edited set, or why it has none; ``base`` is the set itself, once.

    ``second_of_spins`` is the sum over the cycle of the squared line coins of paid spins.
    """
    alike, refused = _alike(game, feature, strips, start_sums(game, starts), changes)

    def solved(some: list[tuple[Unit, _Edited]]) -> list[_Ends] | str:
        try:
            return _ends(game, feature, [edited for _, edited in some])
        except WorkbenchError as error:
            return str(error)

    found: dict[Unit, KeyBatch] = {}
    cycle, bet = float(starts.cycle), float(game.bet.coins)
    with ThreadPoolExecutor(THREADS) as pool:
        for some, ends in zip(alike.values(), pool.map(solved, alike.values()), strict=True):
            if isinstance(ends, str):
                refused |= dict.fromkeys((unit for unit, _ in some), ends)
                continue
            for (unit, _), one in zip(some, ends, strict=True):
                found[unit] = replace(
                    base,
                    law=one.law[None] / cycle,
                    hold_line_win=np.array([one.line_win / (cycle * bet)]),
                    hold_first=one.first[None] / (cycle * bet),
                    second=np.array([(second_of_spins + one.more) / (cycle * bet**2)]),
                )
    return found, refused
