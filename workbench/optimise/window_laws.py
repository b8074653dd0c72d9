"""How often a reel can show a symbol: every law of the number in its window that some strip has, with such a strip.

A cyclic strip of L stops, each holding the symbol or not, is a closed walk over the last rows - 1 stops; every step
completes a window. With w_k windows that show k symbols, the vectors (w_1, .., w_m) that a walk from rows - 1 empty stops
back to them can reach in L steps are found by setting bits: reach[i, s, w] after i stops in state s. Walking back from
(L, empty, w) gives a strip of that law. Strips without rows - 1 empty stops in a row are left out.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

MOST_CELLS = 1 << 26


@dataclass(frozen=True)
class WindowLaws:
    """The laws of strips of ``stops`` stops whose windows of ``rows`` cells show at most ``most`` of the symbol.

    ``windows`` (N, most + 1): in each law the number of windows that show 0, 1, .. most.
    """

    stops: int
    rows: int
    most: int
    windows: NDArray[np.int64]
    reach: NDArray[np.bool_]

    @property
    def chances(self) -> NDArray[np.float64]:
        """(N, most + 1): the laws as probabilities."""
        return self.windows / self.stops

    def strip(self, law: int, rng: random.Random) -> list[bool]:
        """A random strip of that law: whether each stop holds the symbol."""
        left = tuple(int(w) for w in self.windows[law, 1:])
        state, held = 0, []
        for i in range(self.stops, 0, -1):
            before = [
                (s, bit, w)
                for s, bit, w in _steps_back(state, left, self.rows, self.most)
                if self.reach[(i - 1, s, *w)]
            ]
            state, bit, left = rng.choice(before)
            held.append(bool(bit))
        turn = rng.randrange(self.stops)
        return [*held[turn:], *held[:turn]]


def _steps_back(
    state: int, windows: tuple[int, ...], rows: int, most: int
) -> list[tuple[int, int, tuple[int, ...]]]:
    """What may have come before: (state, the stop added, windows so far)."""
    found = []
    bit = state & 1 if rows > 1 else None
    for oldest in (0, 1):
        for added in (0, 1) if bit is None else (bit,):
            before = (state >> 1 | oldest << (rows - 2)) if rows > 1 else 0
            shown = before.bit_count() + added
            if rows == 1 and oldest:
                continue
            if shown > most or (shown and not windows[shown - 1]):
                continue
            left = list(windows)
            if shown:
                left[shown - 1] -= 1
            found.append((before, added, tuple(left)))
    return found


@lru_cache(maxsize=32)
def window_laws(stops: int, rows: int, most: int) -> WindowLaws:
    """All laws of strips of that length; numbers of windows are cut so that the table stays within memory.

    >>> window_laws(6, 3, 1).windows.tolist()
    [[6, 0], [3, 3], [0, 6]]
    """
    most = min(most, rows)
    states = 1 << (rows - 1)
    cap = stops
    while most and (stops + 1) * states * (cap + 1) ** most > MOST_CELLS:
        cap -= 1
    reach = np.zeros((stops + 1, states, *[cap + 1] * most), dtype=np.bool_)
    reach[(0, 0, *[0] * most)] = True
    for i in range(stops):
        for state in range(states):
            for added in (0, 1):
                shown = state.bit_count() + added
                if shown > most:
                    continue
                after = ((state << 1) | added) & (states - 1)
                into, source = _shifted(reach[i + 1, after], reach[i, state], shown)
                into |= source
    found = np.argwhere(reach[stops, 0])
    found = found[found.sum(axis=1) <= stops]
    windows = np.concatenate([stops - found.sum(axis=1, keepdims=True), found], axis=1)
    return WindowLaws(stops, rows, most, windows[np.argsort(found.sum(axis=1), kind="stable")], reach)


def _shifted(
    into: NDArray[np.bool_], source: NDArray[np.bool_], shown: int
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Views of two tables such that one window more that shows ``shown`` leads from the second to the first."""
    if not shown:
        return into, source
    ahead: list[slice] = [slice(None)] * into.ndim
    behind = list(ahead)
    ahead[shown - 1], behind[shown - 1] = slice(1, None), slice(None, -1)
    return into[tuple(ahead)], source[tuple(behind)]
