"""The whole law of what respins that fill a grid with Money win under one modifier set, on a lattice of steps.

Without Multiply it is exact. Let T be what Money symbols and charges come to, G the number of golden Orbs, V(x) and C(x)
the generating functions of the money and the charge wheel. In the chain of :mod:`workbench.features.money_respins`, with
n filled and m open cells, k Money and golden or charging Orbs land with

    binomial[m, k] (money V(x))^k (blank + charge C(x) + golden z)^(m-k),

whatever symbol a charge goes to; C(x) is 1 as long as none is in sight. So one pass over n at each point gives
E[x^T z^G; no full grid], and Fourier's inverse at roots of unity the joint law of T and G. Given G = g the names are
multinomial, and every ``of_a_name``-th of a name pays (:mod:`workbench.prob.set_worth`).

Where Orbs go on acting, every respin with b of them puts a factor C(x)^b, also one on which nothing lands; b is one more
coordinate of the chain, cut where at most LEFT_OUT of the mass lies beyond. With golden Orbs too that would be too much work.

What a size N of the transform leaves out comes back at the front: P(T >= N) <= E[e^(t T)] e^(-t N) for every t > 0 at
which the chain has that moment. The law is computed at x = e^t w for several t, each entry taken from the t that errs least
there, so that small chances of large wins have digits of their own.

With Multiply each symbol's value is multiplied on its own, and no lattice is small enough; see
:mod:`workbench.features.money_plays`.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.fft import next_fast_len

from workbench.errors import UsageError
from workbench.features._golden_kernels import golden_law
from workbench.features._money_law_kernels import acting_at, respins_at
from workbench.features.money_chain import JackpotChances, MoneyChain, MoneyWheels
from workbench.prob.lattice import exact, in_steps, largest_step
from workbench.prob.set_worth import set_worth

LEFT_OUT = 1e-18
MOST_LEFT_OUT = 1e-12
LEAST_SIZE = 16
# points of the transform, each a pass over the chain of some microseconds
MOST_POINTS = 1 << 22
MOST_PRIZES = 1 << 25
MOST_ORBS = 4096
POINTS = 256
TILTS = 60
# places of the law, as shares of its size, at which a tilt is chosen to err least
PLACES = (0.4,)
CHUNK = 256

Real = NDArray[np.float64]
Complex = NDArray[np.complex128]
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class MoneyLaw:
    """``chances[k]``: the respins win k steps and don't fill the grid; the last entry is of a cap in steps, or more.

    ``left_out`` bounds what is in no entry or in a wrong one, ``error`` the rounding of one entry.
    """

    chances: Real
    left_out: float
    error: float


def has_exact_law(chain: MoneyChain) -> bool:
    """Whether :func:`money_law` knows the law of a set: no Multiply, and golden Orbs or Orbs that go on acting."""
    return chain.classes == 1 and not (chain.persist and chain.jackpots)


def money_step(chain: MoneyChain, wheels: MoneyWheels) -> Fraction:
    """The largest part of a bet that every win without a full grid is a whole number of.

    Values and charges are multiples of g, products of k multipliers of h^k, so a symbol is one of g h^k, k = 0, 1, ..
    """
    values = largest_step(exact(v) for v in (*wheels.money, *wheels.charge))
    factor = largest_step(exact(v) for v in wheels.multiplier) if len(wheels.multiplier) else Fraction(1)
    prizes = [exact(w) for w in chain.jackpots.worth] if chain.jackpots else []
    return largest_step([*(values * factor**k for k in range(chain.classes)), *prizes])


def money_law(
    chain: MoneyChain, wheels: MoneyWheels, step: Fraction, cap: int | None, pool: Executor
) -> MoneyLaw:
    """The law of a set that has an exact one; wins of ``cap`` steps or more are put there.

    Raises UsageError where more points than can be worked through would leave out more than MOST_LEFT_OUT.
    """
    symbols = _symbols(chain, wheels, step)
    golden, beyond = _golden(chain)
    size, wrapped = symbols.size(len(golden))
    if wrapped > MOST_LEFT_OUT:
        raise UsageError(
            f"law: with steps of {float(step):.3g} bets the law of respins.{chain.modifiers} needs more than {size} entries"
        )
    joint = symbols.law(size, len(golden), pool)
    prizes, chance, dropped = _prizes(chain.jackpots, golden, step, cap)
    left_out = wrapped + beyond + dropped + symbols.beyond
    return MoneyLaw(_summed(joint, prizes, chance, cap), left_out, symbols.rounding)


def _symbols(chain: MoneyChain, wheels: MoneyWheels, step: Fraction) -> _Symbols:
    money, charge = (in_steps(map(exact, w), step) for w in (wheels.money, wheels.charge))
    start = _Symbols(chain, (money, wheels.money_chance), (charge, wheels.charge_chance), 0, 0.0)
    if not chain.persist:
        return start
    orbs = 32
    while orbs <= MOST_ORBS:
        beyond = start.acting_beyond(orbs)
        if beyond <= LEFT_OUT:
            return _Symbols(chain, start.money, start.charge, orbs, beyond)
        orbs *= 2
    raise UsageError(f"law: more than {MOST_ORBS} Orbs go on acting in respins.{chain.modifiers}")


@dataclass(frozen=True)
class _Symbols:
    """T of a chain: amounts in steps with their chances; ``orbs`` can act at most, ``beyond`` bounds the mass of more."""

    chain: MoneyChain
    money: tuple[Ints, Real]
    charge: tuple[Ints, Real]
    orbs: int
    beyond: float

    @property
    def rounding(self) -> float:
        """A bound on the relative error of a transform's entry: a dozen operations a cell and step of a path, times the
        respins to come that land only Orbs."""
        cells, land, respins = self.chain.cells, self.chain.land, self.chain.respins
        m = cells - np.arange(cells)
        blank = land[:, 0] ** m
        scale = (blank[:, None] ** np.arange(respins)).sum(axis=1)
        again = scale * ((1 - land[:, 1]) ** m - blank)
        return float(2**-52 * 12 * cells * (cells + 1) / 2 / (1 - again.max()))

    def at(self, money: Complex, charge: Complex, golden: Complex) -> Complex:
        """(P, Z): E[x^T z^G; no full grid], from V(x), C(x) and z."""
        c = self.chain
        if c.persist:
            found, _ = acting_at(money, charge, c.cells, c.respins, c.land, c.binomial, self.orbs)
            return np.asarray(found[:, None])
        return np.asarray(respins_at(money, charge, golden, c.cells, c.respins, c.land, c.stage, c.binomial))

    def acting_beyond(self, orbs: int) -> float:
        """The mass of paths on which more than so many Orbs act."""
        c, one = self.chain, np.ones(1, dtype=np.complex128)
        _, beyond = acting_at(one, one, c.cells, c.respins, c.land, c.binomial, orbs)
        return float(beyond[0])

    def tilts(self) -> tuple[Real, Real]:
        """Some t from 0 on and log E[e^(t T)], as far as it is finite."""
        largest = max(1, *self.money[0], *self.charge[0])
        tilts = np.concatenate([[0.0], np.geomspace(1e-3, 300, TILTS) / largest])
        with np.errstate(all="ignore"):
            ends = [
                np.exp(np.outer(tilts, v)) @ p if len(v) else np.ones(len(tilts)) for v, p in self._wheels
            ]
            money, charge = (e.astype(np.complex128) for e in ends)
            found = self.at(money, charge, np.ones(1, dtype=np.complex128))[:, 0].real
        bad = np.flatnonzero(~(np.isfinite(found) & (found > 0)))
        kept = int(bad[0]) if len(bad) else len(tilts)
        return tilts[:kept], np.log(found[:kept])

    @property
    def _wheels(self) -> Sequence[tuple[Ints, Real]]:
        return self.money, self.charge

    def size(self, golden: int) -> tuple[int, float]:
        """(entries of the law, bound on what they leave out), for a number of golden coordinates."""
        tilts, logs = self.tilts()
        needed = float(np.min((logs[1:] - np.log(LEFT_OUT)) / tilts[1:], initial=np.inf))
        if not len(self.charge[0]):
            needed = min(needed, float((self.chain.cells - 1) * self.money[0].max() + 1))
        most = MOST_POINTS // max(golden, self.orbs)
        size = next_fast_len(max(LEAST_SIZE, int(np.ceil(min(needed, most)))), real=True)
        if size >= needed:
            return size, LEFT_OUT
        return size, float(np.exp(np.min(logs[1:] - tilts[1:] * size, initial=0.0)))

    def law(self, size: int, golden: int, pool: Executor) -> Real:
        """(G, size): P(G = g, T = k; no full grid)."""
        tilts, logs = self.tilts()
        best, error = np.zeros((golden, size)), np.full(size, np.inf)
        places = np.arange(size)
        for i in _chosen(tilts, logs, size):
            scale = np.logaddexp(np.log(self.rounding) + logs[i], _wrapped(tilts, logs, i, size))
            errs = scale - tilts[i] * places
            better = errs < error
            found = self._tilted(size, golden, float(tilts[i]), pool)
            best[:, better] = found[:, better] * np.exp(-tilts[i] * places[better])
            error[better] = errs[better]
        return np.maximum(best, 0.0)

    def _tilted(self, size: int, golden: int, tilt: float, pool: Executor) -> Real:
        """(G, size): the law times e^(tilt k)."""
        money, charge = (_transform(v, p, size, tilt) for v, p in self._wheels)
        roots = np.exp(-2j * np.pi * np.arange(golden) / golden)
        parts = range(0, len(money), POINTS)
        ends = pool.map(lambda i: self.at(money[i : i + POINTS], charge[i : i + POINTS], roots), parts)
        at_roots = np.fft.ifft(np.concatenate(list(ends)), axis=1)
        return np.asarray(np.fft.irfft(at_roots.T, size, axis=1))


def _transform(values: Ints, chances: Real, size: int, tilt: float) -> Complex:
    """A wheel's generating function at the roots of unity a real transform needs, times e^tilt; 1 for no wheel."""
    if not len(values):
        return np.ones(size // 2 + 1, dtype=np.complex128)
    lifted = chances * np.exp(tilt * values)
    return np.asarray(np.fft.rfft(np.bincount(values % size, weights=lifted, minlength=size)))


def _wrapped(tilts: Real, logs: Real, i: int, size: int) -> float:
    """The logarithm of a bound on what lies at ``size`` and beyond, lifted by a tilt."""
    return float(np.min(logs[i:] - (tilts[i:] - tilts[i]) * size))


def _chosen(tilts: Real, logs: Real, size: int) -> list[int]:
    """No tilt, and those that err least at PLACES."""
    scale = [np.logaddexp(logs[i] - 36, _wrapped(tilts, logs, i, size)) for i in range(len(tilts))]
    return sorted({0, *(int(np.argmin(np.array(scale) - tilts * size * place)) for place in PLACES)})


def _golden(chain: MoneyChain) -> tuple[Real, float]:
    """P(G = g; no full grid), and the mass beyond."""
    if not chain.jackpots:
        return np.ones(1), 0.0
    most = 256
    while True:
        law, layers, beyond = golden_law(
            chain.cells, chain.respins, chain.land, chain.binomial, most, LEFT_OUT
        )
        if beyond <= LEFT_OUT:
            return np.asarray(law[:layers, 0]), float(beyond)
        most *= 4
        if most > MOST_ORBS:
            raise UsageError(f"law: more than {MOST_ORBS} golden Orbs land in respins.{chain.modifiers}")


def _prizes(
    jackpots: JackpotChances | None, golden: Real, step: Fraction, cap: int | None
) -> tuple[Ints, Real, float]:
    """(amounts in steps, (G, V) chances of each given g golden Orbs, mass of the amounts dropped)."""
    if not jackpots:
        return np.zeros(1, dtype=np.int64), np.ones((1, 1)), 0.0
    unit = largest_step(map(exact, jackpots.worth))
    worth = in_steps(map(exact, jackpots.worth), unit)
    top = int(worth.max(initial=0)) * ((len(golden) - 1) // jackpots.of_a_name)
    if cap is not None:
        top = min(top, int(-(-cap * step // unit)))
    if top * len(golden) > MOST_PRIZES:
        raise UsageError(f"law: jackpots come to {top} different amounts, more than fit into the memory")
    chance = set_worth(jackpots.p, worth, jackpots.of_a_name, len(golden) - 1, top)
    weight = golden @ chance
    order = np.argsort(weight)
    dropped = order[: int(np.searchsorted(np.cumsum(weight[order]), LEFT_OUT, side="right"))]
    kept = np.setdiff1d(np.arange(top + 1), dropped)
    amounts = in_steps((int(k) * unit for k in kept), step)
    return amounts, chance[:, kept], float(weight[dropped].sum())


def _summed(joint: Real, prizes: Ints, chance: Real, cap: int | None) -> Real:
    """The law of T and the prizes together, from the joint law of G and T and that of the prizes given G."""
    size = joint.shape[1]
    found = np.zeros(int(prizes.max()) + size)
    for first in range(0, len(prizes), CHUNK):
        sums = chance[:, first : first + CHUNK].T @ joint
        for prize, row in zip(prizes[first : first + CHUNK].tolist(), sums, strict=True):
            found[prize : prize + size] += row
    return cut(found, cap)


def cut(law: Real, cap: int | None) -> Real:
    """A law with all that is at ``cap`` or beyond put there."""
    if cap is None or len(law) <= cap:
        return law
    return np.append(law[:cap], law[cap:].sum())
