"""The automaton that reads a line reel by reel, as beginnings of spins need it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.exact.spin import SpinModel
from workbench.exact.start_law import settled_states

Ints = NDArray[np.int64]


class LineAutomaton:
    """The lines' automaton with every settled state taken to the last one it ends in."""

    def __init__(self, model: SpinModel) -> None:
        t = model.tables
        ends = settled_states(t.law)
        self.settled = ends >= 0
        last = np.where(self.settled, ends, np.arange(len(ends)))
        self.step = last[t.law.step].astype(np.int64)
        self.coins = t.award_coins
        self.dead = self.settled & (t.award_coins[last] == 0)
        self.is_wild = np.zeros(self.step.shape[1], dtype=np.bool_)
        if t.pays.wild is not None:
            self.is_wild[t.pays.wild] = True
        self.waits = self._waits()

    def _waits(self) -> Ints:
        """(Q,): the symbols, as bits, after which a state goes elsewhere than most lead; the Wild always among them."""
        found = np.zeros(len(self.step), dtype=np.int64)
        bit = 1 << np.arange(self.step.shape[1], dtype=np.int64)
        for q, row in enumerate(self.step):
            values, times = np.unique(row, return_counts=True)
            found[q] = bit[row != values[times.argmax()]].sum() | bit[self.is_wild].sum()
        return np.where(self.settled, 0, found)
