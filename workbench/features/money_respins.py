"""What respins that fill a grid with Money are worth, exactly: the chain of one modifier set.

The chain. All open cells are alike, so with n cells filled the future depends on n alone, counted at *resets* (the
start and every respin on which something lands). With m = cells - n open cells and land[n] = (blank, money, charge,
multiply, jackpot) on one cell, u = blank^m is the chance that nothing lands. Before the next event up to
``respins`` - 1 respins are blank, so

    resets[n] = arrivals[n] + loop resets[n],   ready[n] = (1 + u + .. + u^(respins-1)) resets[n],

where an *event* lands k Money with C(m, k) money^k and leaves m - k cells that show no Money (k = 0 and nothing else
is no event but the loop's u), and the feature ends with u^respins resets[n], or with the full grid.

Values. Carry with the chance the expected sums over one tagged Money symbol of class a (times multiplied, 0 .. K-1):
C its count, S its value, Q its square, and over two tagged ones: N, M (value of the first), P (product), so that
E[T^2] = sum Q + sum P for the total T. Everything a respin does is linear in them. With n symbols in sight:

    land       k symbols of class 0 join: C += k, S += k E[money], Q += k E[money^2], and pairs with k and k(k-1);
    charge     an Orb picks the tagged symbol with 1/n, never both: S += C c, Q += 2 c S + C E[V^2]/n per Orb, c = E[V]/n;
    multiply   one Orb picks min(X, n) of n symbols, X drawn from the count wheel: a tagged one with
               pick = E[min(X, n)]/n, both with pick2 = E[min(X, n)(min(X, n) - 1)]/(n(n-1)); the class goes up by one
               and the value is multiplied, unless the class is K-1.

The cells that show no Money are independent, each neutral, charging or multiplying: m - k steps of a sparse matrix
R = (neutral + charging) + multiply * (one Orb's action). Charging comes before multiplying, so B, the number of Orbs that
charge on a respin, is carried as a moment: with falling factorials, b of them land in front of R^(m-k) as
    sum over i of (m-k)(m-k-1)..(i terms) charge^i R^(m-k-i) act(lift_i x),   i = 0, 1, 2;
higher i vanish in second moments. Orbs that go on acting (the other reading of S-6) keep B from respin to respin,
the default sets it to 0. The loop is solved row by row: R is lower triangular.

Jackpots. The golden Orbs that land in a feature, G, split over names by the jackpot wheel whatever else happens; see
:mod:`workbench.prob.complete_sets`. The law of G comes from the chain with a coordinate G (all terms positive), the
joint mean of T and the jackpots J from the chain with golden Orbs marked by z.

A full grid pays ``full_grid_pays`` in place of all else: money, charge, multiply, jackpots and the second moment count
only paths that end otherwise. Counts of Orbs, awards and respins are of all paths. There is no cut at the win cap.

Errors. Every figure is a sum of positive terms but for 1 - loop, so a relative error is at most about
2^-53 (steps of a path) (respins to come while n stays as it is): ``error_bound`` states it times the figure's size.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.errors import EndlessFeatureError
from workbench.features._golden_kernels import golden_law
from workbench.features._one_symbol_kernels import one_symbol
from workbench.features._two_symbols_kernels import two_symbols
from workbench.features.money_chain import MoneyChain, money_chain
from workbench.game.definition import GameDefinition
from workbench.game.features import ModifierTrigger
from workbench.prob.complete_sets import complete_sets, root_points
from workbench.reels.strip_set import StripSet

# Golden Orbs beyond the last layer: their weight is at most this, far below 2^-53 of any second moment.
LEFT_OUT = 1e-30
MOST_GOLDEN = 4096
# The imaginary part of 1 + i STEP carries the derivative by z, exact to double precision since STEP^2 vanishes.
STEP = 1e-30

Real = NDArray[np.float64]
Complex = NDArray[np.complex128]


@dataclass(frozen=True)
class RespinsValue:
    """Figures of the respins under one modifier set, per start of the respins, wins in total bets.

    money, charge, multiply, jackpots
        parts of the mean win over paths without a full grid: money and charge before any multiplication.
    second_moment
        E[win^2; no full grid].
    full_grid, full_grid_pays
        P(full grid) and what it pays.
    filled
        P(n cells filled at the end), n = 0 .. cells.
    respins
        expected number of respins played.
    orbs
        expected Orbs that land, by modifier.
    awards
        expected awards of each jackpot, by name.
    error_bound
        bound on the error of ``mean``.
    """

    modifiers: str
    money: float
    charge: float
    multiply: float
    jackpots: float
    second_moment: float
    full_grid: float
    full_grid_pays: float
    filled: tuple[float, ...]
    respins: float
    orbs: Mapping[str, float]
    awards: Mapping[str, float]
    error_bound: float

    @property
    def partial_mean(self) -> float:
        """E[win; no full grid]."""
        return self.money + self.charge + self.multiply + self.jackpots

    @property
    def mean(self) -> float:
        """E[win], the full grid included and nothing cut at the win cap."""
        return self.partial_mean + self.full_grid * self.full_grid_pays

    @property
    def variance(self) -> float:
        """Variance of the win, the full grid included."""
        return self.second_moment + self.full_grid * self.full_grid_pays**2 - self.mean**2


class _Base(NamedTuple):
    """The chain of one tagged symbol; ``tangent`` is E[T golden; no full grid]."""

    resets: Real
    ready: Real
    ends: Real
    full: float
    tangent: float


class _Solution:
    """The kernels' results for one chain, each computed once."""

    def __init__(self, chain: MoneyChain) -> None:
        self.chain = chain

    def one(self, z: complex, mu: Real, rows: int) -> tuple[Complex, Complex, Complex, complex]:
        c = self.chain
        found: tuple[Complex, Complex, Complex, complex] = one_symbol(
            c.cells, c.respins, c.land, c.stage, c.binomial, c.pick, c.money, c.charge, mu, c.classes, c.persist, z, rows
        )  # fmt: skip
        return found

    @cached_property
    def base(self) -> _Base:
        """The chain at z = 1 and its derivative by z."""
        resets, ready, ends, full = self.one(complex(1.0, STEP), self.chain.mu, 9)
        tangent = float(ends[:, 6].imag.sum() / STEP)
        return _Base(resets.real, np.ascontiguousarray(ready.real), ends.real, full.real, tangent)

    def values(self, z: complex) -> complex:
        """E[T z^golden; no full grid]."""
        return complex(self.one(z, self.chain.mu, 8)[2][:, 6].sum())

    @cached_property
    def unmultiplied(self) -> float:
        """E[money and charge before any multiplication; no full grid]."""
        if self.chain.classes == 1:
            return float(self.base.ends[:, 6].sum())
        return float(self.one(1.0 + 0j, np.ones(3), 8)[2][:, 6].sum().real)

    @cached_property
    def squares(self) -> float:
        """E[T^2; no full grid]."""
        c = self.chain
        pairs = two_symbols(
            c.cells, c.respins, c.land, c.stage, c.binomial, c.pick, c.pick2, c.money, c.charge, c.mu, c.classes,
            c.shared, c.persist, self.base.ready,
        )  # fmt: skip
        return float(self.base.ends[:, 8].sum() + pairs[5].sum())

    @cached_property
    def golden(self) -> Real:
        """law[G, 0]: G golden Orbs and no full grid; law[G, 1]: and a full grid."""
        c = self.chain
        most = 256
        while True:
            law, layers, beyond = golden_law(c.cells, c.respins, c.land, c.binomial, most, LEFT_OUT)
            if beyond <= LEFT_OUT:
                found: Real = law[:layers]
                return found
            most *= 4
            if most > MOST_GOLDEN:
                raise EndlessFeatureError(
                    f"position_reels.respins.{c.modifiers}: golden Orbs must end, but more than {MOST_GOLDEN}"
                    f" land with probability {beyond:.3g}; give them less weight"
                )


def respins_value(chain: MoneyChain) -> RespinsValue:
    """The exact figures of one modifier set's chain.

    >>> from workbench.features.money_chain import example_chain
    >>> value = respins_value(example_chain())
    >>> round(value.mean, 12), round(value.full_grid, 12)
    (6.3984375, 0.90234375)
    """
    solution = _Solution(chain)
    resets, ready, ends, full, _ = solution.base
    count, total = float(ends[:, 3].sum()), float(ends[:, 6].sum())
    money = float(chain.money[0]) * count
    jackpots, cross, squares, awards = _jackpots(solution)
    filled = (*(float(x) for x in ends[:, 0, 0]), full)
    return RespinsValue(
        modifiers=chain.modifiers,
        money=money,
        charge=solution.unmultiplied - money if chain.charge.any() else 0.0,
        multiply=total - solution.unmultiplied if chain.classes > 1 else 0.0,
        jackpots=jackpots,
        second_moment=solution.squares + 2 * cross + squares,
        full_grid=full,
        full_grid_pays=chain.full_grid_pays,
        filled=filled,
        respins=float(ready[:, 0, 0].sum()),
        orbs=MappingProxyType(_orbs(chain, ready[:, 0, 0])),
        awards=MappingProxyType(awards),
        error_bound=_error_bound(chain, resets, total + jackpots + full * chain.full_grid_pays),
    )


def all_respins(game: GameDefinition, strips: StripSet) -> dict[str, RespinsValue]:
    """The figures of every modifier set of a game."""
    trigger = game.only(ModifierTrigger)
    assert trigger is not None
    return {m: respins_value(money_chain(game, strips, m)) for m in trigger.modifier_sets}


def _jackpots(solution: _Solution) -> tuple[float, float, float, dict[str, float]]:
    """E[J], E[T J] and E[J^2] without a full grid, and the expected awards by name on all paths."""
    chain = solution.chain
    if chain.jackpots is None:
        return 0.0, 0.0, 0.0, {}
    rule = chain.jackpots
    law = solution.golden
    sets = complete_sets(rule.p, rule.worth, rule.of_a_name, len(law) - 1)
    awards = law.sum(axis=1) @ sets.sets
    cross = solution.base.tangent * float(rule.p @ rule.worth) / rule.of_a_name
    for point in root_points(rule.p, rule.worth, rule.of_a_name):
        cross -= (point.factor * solution.values(point.z)).real
    by_name = dict(zip(rule.names, (float(a) for a in awards), strict=True))
    return float(law[:, 0] @ sets.mean), cross, float(law[:, 0] @ sets.second), by_name


def _orbs(chain: MoneyChain, respins_at: Real) -> dict[str, float]:
    """Expected Orbs that land: respins played with n filled, times open cells, times the chance on one cell."""
    open_cells = chain.cells - np.arange(chain.cells)
    landing = (respins_at * open_cells) @ chain.land[:, 2:]
    return {m: float(count) for m, count in zip(chain.landing, landing, strict=True) if m}


def _error_bound(chain: MoneyChain, resets: Real, size: float) -> float:
    """2^-52 times the operations on a path times the resets at one filled count, times the figure's size.

    A path passes ``cells`` filled counts; at each, an event takes at most ``cells`` steps of a dozen operations.
    """
    operations = 12 * chain.cells * (chain.cells + 1) / 2
    return float(2**-52 * operations * max(1.0, float(resets[:, 0, 0].max())) * size)
