"""What the simulator counts: the names and places of its integers.

All first-order counts of a run lie in one flat int64 array, cut into named parts; a batch is the difference
of that array before and after. Places in ``sums`` are plain constants so that kernels can use them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.game import GameDefinition
from workbench.simulate._shapes_kernels import MOST_KEYS, MOST_SCATTERS, SUMS, CodexCounts


@dataclass(frozen=True)
class Layout:
    """Names and shapes of the parts of a flat array, in its order."""

    shapes: tuple[tuple[str, tuple[int, ...]], ...]

    @property
    def size(self) -> int:
        """Length of the flat array."""
        return sum(math.prod(shape) for _, shape in self.shapes)

    def parts(self, flat: NDArray[np.int64]) -> dict[str, NDArray[np.int64]]:
        """Views of a flat array by name."""
        found: dict[str, NDArray[np.int64]] = {}
        at = 0
        for name, shape in self.shapes:
            size = math.prod(shape)
            found[name] = flat[at : at + size].reshape(shape)
            at += size
        return found


def codex_layout(game: GameDefinition) -> Layout:
    """The counts of a game of lines, hold-and-spin, free spins and banked Keys."""
    hold, free, banked = game.hold_and_spin, game.free_spins, game.banked_keys
    symbols, lengths, cells = len(game.symbols.regular) + 1, game.reel_count + 1, sum(game.grid.rows) + 1
    re_ladder = game.ladder(hold.ladder) if hold else None
    free_ladder = game.ladder(free.ladder) if free else None
    re_shape = (re_ladder.levels, re_ladder.steps) if re_ladder else (1, 1)
    tiers = [len(game.wheel(name).values) if free else 1 for name in _wheel_names(game)]
    shapes: dict[str, tuple[int, ...]] = {
        "sums": (len(SUMS),),
        "base_hits": (symbols, lengths),
        "free_hits": (symbols, lengths),
        "final_hits": (symbols, lengths),
        "scatters": (2, MOST_SCATTERS + 1),
        "collectables": (symbols,),
        "start_held": (cells,),
        "final_held": (cells,),
        "re_spins": (2, re_shape[1], MOST_KEYS + 1),
        "saves": (2, re_shape[1], MOST_KEYS + 1),
        "re_fortune": re_shape,
        "free_fortune": (free_ladder.levels, free_ladder.steps) if free_ladder else (1, 1),
        "wheel_spins": (tiers[0],),
        "wheel_collectable": (tiers[1],),
        "wheel_keys": (tiers[2],),
        "free_used": ((banked.use_at_most if banked else 0) + 1,),
    }
    return Layout(tuple((name, shapes[name]) for name in CodexCounts._fields))


def _wheel_names(game: GameDefinition) -> tuple[str, str, str]:
    free = game.free_spins
    if free is None:
        return "", "", ""
    return free.wheels.spins, free.wheels.collectable, free.wheels.keys
