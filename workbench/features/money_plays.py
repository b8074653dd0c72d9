"""Fair plays of the respins of one modifier set: a law where no lattice is small enough for an exact one.

Unlike the weighted plays of :mod:`workbench.features.money_cap` each counts as one, so what they say of a chance is a
binomial's interval.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from workbench.features._money_law_kernels import fair_plays
from workbench.features.money_chain import MoneyChain, MoneyWheels
from workbench.prob.lattice import exact, in_steps

Ints = NDArray[np.int64]


def played(
    chain: MoneyChain, wheels: MoneyWheels, step: Fraction, plays: int, rng: np.random.Generator
) -> Ints:
    """What fair plays of a set win, in steps that every win is a multiple of; -1 where the grid fills."""
    win = np.zeros(plays, dtype=np.int64)
    open_cells = chain.cells - np.arange(chain.cells)
    landing = 1.0 - chain.land[:, 0]
    k = np.arange(chain.cells + 1)
    chances = (
        chain.binomial[open_cells]
        * landing[:, None] ** k
        * chain.land[:, :1] ** np.maximum(open_cells[:, None] - k, 0)
    )
    kinds = chain.land[:, 1:] / np.where(landing > 0, landing, 1.0)[:, None]
    jackpots = chain.jackpots
    money, charge, worth = (
        in_steps(map(exact, amounts), step).astype(np.float64)
        for amounts in (wheels.money, wheels.charge, jackpots.worth if jackpots else np.zeros(1))
    )
    fair_plays(
        rng, chain.cells, chain.respins, np.cumsum(chances, axis=1), np.cumsum(kinds, axis=1), money,
        np.cumsum(wheels.money_chance), charge, np.cumsum(wheels.charge_chance), chain.persist,
        wheels.counts, np.cumsum(wheels.count_chance), wheels.multiplier, np.cumsum(wheels.multiplier_chance),
        chain.classes - 1, chain.shared, np.cumsum(jackpots.p) if jackpots else np.ones(1), worth,
        jackpots.of_a_name if jackpots else 1, win,
    )  # fmt: skip
    return win
