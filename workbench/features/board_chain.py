"""The boards of held cells a hold-and-spin walks through, as a chain.

The state is what each reel, or group of reels, holds; they move independently and upward, so the feature is a
:class:`~workbench.prob.product_chain.ProductChain` whose counter is the Keys. Two ways to spin:

*Position reels.* Every open cell lands Collectable, Key or Blank with p, q, b, which are its reel's. The open cells of
all reels with the same p, q, b are exchangeable: such a group of n cells is one coordinate, its state the number held,
c, and from c with m = n - c open cells

    P(c -> c + a, j Keys) = m! / (a! j! (m - a - j)!) p^a q^j b^(m - a - j).

*Strips.* Reel r stops on a strip with a window as high as the reel; only open cells land. Its state is the mask of
held rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import NDArray

from workbench.errors import EndlessFeatureError, StripSetError
from workbench.exact.tables import window_masks
from workbench.game.definition import GameDefinition
from workbench.game.features import HoldAndSpin
from workbench.prob.product_chain import Array, ProductChain
from workbench.reels.strip_set import Stage, StripSet, Weights

MAX_STATES = 1 << 21

Stages = tuple[tuple[int, ProductChain], ...]


@dataclass(frozen=True)
class BoardChain:
    """The chain of every stage with the re-spin it begins with; the last one is in force for ever.

    ``groups[g]`` are the reels of coordinate g, whose local state is the number of held cells, or with ``masks`` the
    mask of held rows of the one reel. ``rows[r]`` is the height of reel r.
    """

    rows: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    masks: bool
    stages: Stages

    @property
    def last(self) -> ProductChain:
        """The chain of the stage that is in force for ever."""
        return self.stages[-1][1]

    def digits(self) -> NDArray[np.int64]:
        """(N, G): the local state of every coordinate in every state."""
        return np.stack(np.unravel_index(np.arange(self.last.states), self.last.sizes), axis=1)

    def held(self) -> NDArray[np.int64]:
        """(N,): cells held."""
        local = self.digits()
        return np.asarray((np.bitwise_count(local) if self.masks else local).sum(axis=1, dtype=np.int64))

    def open_cells(self) -> Array:
        """(N, G): open cells of every group; not for masks."""
        cells = np.array([sum(self.rows[r] for r in group) for group in self.groups])
        return np.asarray(cells - self.digits(), dtype=np.float64)

    def states_of(self, boards: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The state of each board, given as cell bits, reel by reel and row by row."""
        state = np.zeros(len(boards), dtype=np.int64)
        offsets = np.concatenate([[0], np.cumsum(self.rows)])
        for group, size in zip(self.groups, self.last.sizes, strict=True):
            local = np.zeros(len(boards), dtype=np.int64)
            for r in group:
                mask = (boards >> np.uint64(offsets[r])) & np.uint64((1 << self.rows[r]) - 1)
                local += (mask if self.masks else np.bitwise_count(mask)).astype(np.int64)
            state = state * size + local
        return state


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


def board_chain(game: GameDefinition, feature: HoldAndSpin, strips: StripSet) -> BoardChain:
    """The chain of a feature's boards.

    Raises StripSetError where there are too many to follow, EndlessFeatureError where the feature need not end.
    """
    rows = game.grid.rows
    if feature.spun == "strips":
        groups: tuple[tuple[int, ...], ...] = tuple((r,) for r in range(len(rows)))
        stages: Stages = ((1, _strip_chain(game, feature, strips)),)
    else:
        spun = strips.position_reels[feature.name]
        groups = alike(spun, len(rows))
        stages = tuple((stage.start, _cell_chain(game, feature, stage, groups)) for stage in spun)
    if stages[-1][1].states > MAX_STATES:
        raise StripSetError(
            f"{feature.name}: at most {MAX_STATES} boards can be told apart, but got {stages[-1][1].states}"
        )
    if feature.key.at_most == "no-limit":
        _check_ends(feature.name, stages[-1][1])
    return BoardChain(rows, groups, feature.spun == "strips", stages)


def alike(stages: tuple[Stage, ...], reels: int) -> tuple[tuple[int, ...], ...]:
    """The reels whose cells spin alike at every stage, together."""
    found: dict[tuple[frozenset[tuple[str, float]], ...], list[int]] = {}
    for r in range(reels):
        found.setdefault(tuple(_chances(stage.cell(r)) for stage in stages), []).append(r)
    return tuple(tuple(group) for group in found.values())


def _chances(cell: Weights) -> frozenset[tuple[str, float]]:
    return frozenset((symbol, cell.probability(symbol)) for symbol, weight in cell.items() if weight)


def _cell_chain(
    game: GameDefinition, feature: HoldAndSpin, stage: Stage, groups: tuple[tuple[int, ...], ...]
) -> ProductChain:
    local = []
    for group in groups:
        cell, cells = stage.cell(group[0]), sum(game.grid.rows[r] for r in group)
        key = cell.probability(feature.key.symbol)
        law = local_law_of_cells(
            cells,
            cell.probability(feature.held_symbol),
            key,
            cell.probability(feature.blank_symbol),
            cells if key else 0,
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
