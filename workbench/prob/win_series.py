"""Laws of sums on a lattice through their generating functions: spins that lead to more spins of their kind.

A *part* is the joint law of what one spin wins, v lattice steps, on condition of what it leads to: m further spins, each worth
an independent F, and independent extras (a bonus, say) with generating functions B_i, s_i of each. With A_(m,s)(x) = sum of
p x^v over the outcomes that lead to (m, s),

    F(x) = sum over (m, s) of A_(m,s)(x) B(x)^s F(x)^m,

solved by Newton steps at each n-th root of unity; the derivative in F is at most the mean number of spins a spin leads to, which
must be below 1, so the steps settle. The inverse transform gives the law of F modulo n: what lies at n and beyond comes back
at the front, and is bounded by P(F >= n) <= F(e^t) e^(-tn) for any t > 0 at which the equation has a solution.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

LEAST_SIZE = 1 << 10
NEWTON_STEPS = 20
# tilts go as far as a spin still leads to so many others in the tilted sense
MOST_SLOPE = 0.9
NEAR = 1e-3
ROUNDING = 2.0**-52
SETTLED = 1e-15
FIXED_POINT_STEPS = 4000
TILTS = 60
# a transform adds up to 2^25 of E[e^(t win)], which must stay a double
MOST_LIFTED = 1e290


@dataclass(frozen=True)
class Part:
    """Outcomes that lead to ``spins`` further spins and ``extras[i]`` extras of kind i: steps won and their chances."""

    steps: NDArray[np.int64]
    chances: Array
    spins: int
    extras: tuple[int, ...]

    def transform(self, size: int, tilt: float) -> Complex:
        """A(e^tilt w) at the roots of unity w that a real transform needs."""
        lifted = self.chances * np.exp(tilt * self.steps)
        return np.fft.rfft(np.bincount(self.steps % size, weights=lifted, minlength=size))

    def at(self, tilt: float) -> float:
        """A(e^tilt); infinite where that is beyond doubles."""
        return float(self.chances @ np.exp(tilt * self.steps))


@dataclass(frozen=True)
class Extra:
    """A sum of a random number of independent draws: steps and chances of one draw, chances of 0, 1, .. draws."""

    steps: NDArray[np.int64]
    chances: Array
    draws: Array

    def transform(self, size: int, tilt: float) -> Complex:
        """Its generating function, as that of a part."""
        one = Part(self.steps, self.chances, 0, ()).transform(size, tilt)
        return np.asarray(np.polynomial.polynomial.polyval(one, self.draws))

    def at(self, tilt: float) -> float:
        """At the real point e^tilt."""
        one = Part(self.steps, self.chances, 0, ()).at(tilt)
        return float(np.polynomial.polynomial.polyval(one, self.draws))


@dataclass(frozen=True)
class Spins:
    """One kind of spin: its parts and the extras they start."""

    parts: tuple[Part, ...]
    extras: tuple[Extra, ...]

    @property
    def largest(self) -> int:
        """The most steps one spin wins, its extras included."""
        extras = [int(one.steps.max()) * (len(one.draws) - 1) for one in self.extras]
        return max(
            int(part.steps.max()) + sum(n * most for n, most in zip(part.extras, extras, strict=True))
            for part in self.parts
        )

    def terms(self, of: Callable[[Part | Extra], Any]) -> list[Any]:
        """A B^s of each part."""
        begun = [any(part.extras[i] for part in self.parts) for i in range(len(self.extras))]
        worth = [of(extra) if used else 1.0 for extra, used in zip(self.extras, begun, strict=True)]
        found = []
        for part in self.parts:
            term = of(part)
            for one, number in zip(worth, part.extras, strict=True):
                if number:
                    term = term * one**number
            found.append(term)
        return found


def sum_law(first: Spins, later: Spins | None, most_steps: int, wanted: float) -> tuple[Array, float]:
    """The law of a first spin and all it leads to, and a bound on what lies beyond it.

    The size is the least power of two at which that is at most ``wanted``; ValueError if it had to pass ``most_steps``.
    Entries are computed at several tilts and each is taken from the tilt that errs least there: so small chances of large
    wins have digits of their own.
    """
    later = later if any(part.spins for part in first.parts) else None
    tilts = _tilts(first, later)
    size = LEAST_SIZE
    while (left_out := _bound(tilts, size)) > wanted:
        size *= 2
        if size > most_steps:
            raise ValueError(f"wins must stay below {most_steps} steps, but don't with chance {left_out:.3g}")
    size *= 2
    best, error = np.zeros(size), np.full(size, np.inf)
    places = np.arange(size)
    for tilt, scale in _chosen(tilts, size):
        law = started(first, led_to(later, size, tilt) if later else None, size, tilt)
        errs = scale - tilt * places
        better = errs < error
        best[better] = law[better] * np.exp(-tilt * places[better])
        error[better] = errs[better]
    return np.maximum(best, 0.0), left_out


def size_for(spins: Spins, number: int, wanted: float, most_steps: int) -> tuple[int, float]:
    """The least power of two that ``number`` spins with all they lead to pass with at most ``wanted``, and that chance.

    ValueError if it had to pass ``most_steps``.
    """
    bounds = []
    with np.errstate(over="ignore", invalid="ignore"):
        for tilt in (np.geomspace(1e-3, 300, TILTS) / max(1, spins.largest)).tolist():
            worth = _fixed_point(spins, tilt)
            if not np.isfinite(worth):
                break
            bounds.append((tilt, number * float(np.log(worth))))
    size = 2
    while (beyond := float(np.exp(min(log - tilt * size for tilt, log in bounds)))) > wanted:
        size *= 2
        if size > most_steps:
            raise ValueError(f"wins must stay below {most_steps} steps, but don't with chance {beyond:.3g}")
    return size, beyond


def led_to(spins: Spins, size: int, tilt: float) -> Complex:
    """F at the roots of unity times e^tilt.

    In the disc |F| <= F(e^tilt) the equation contracts, so plain steps lead to the root that is meant; Newton steps, which
    outside the unit circle may lead to another one, only finish what those have begun.
    """
    terms = spins.terms(lambda one: one.transform(size, tilt))
    found = np.zeros(size // 2 + 1, dtype=np.complex128)
    moved = np.inf
    for _ in range(FIXED_POINT_STEPS):
        after, _ = _step(spins, terms, found)
        moved = float(np.abs(after - found).max())
        found = after
        if moved <= NEAR * (1 - MOST_SLOPE) * float(np.abs(found).max()):
            break
    for _ in range(NEWTON_STEPS):
        after, slope = _step(spins, terms, found)
        change = (after - found) / (1.0 - slope)
        found = found + change
        if np.abs(change).max() <= SETTLED * np.abs(found).max():
            break
    return found


def _step(spins: Spins, terms: list[Complex], found: Complex) -> tuple[Complex, Complex]:
    """The right-hand side of the equation at F, and its derivative there."""
    value, slope = np.zeros_like(found), np.zeros_like(found)
    for part, term in zip(spins.parts, terms, strict=True):
        if part.spins == 0:
            value += term
        else:
            power = term * found ** (part.spins - 1)
            value += power * found
            slope += part.spins * power
    return value, slope


def started(first: Spins, later: Complex | None, size: int, tilt: float) -> Array:
    """The tilted law of a first spin and all it leads to, F being ``later``; modulo ``size``."""
    total = np.zeros(size // 2 + 1, dtype=np.complex128)
    for part, term in zip(first.parts, first.terms(lambda one: one.transform(size, tilt)), strict=True):
        total += term if later is None or part.spins == 0 else term * later**part.spins
    return np.asarray(np.fft.irfft(total, size))


def _tilts(first: Spins, later: Spins | None) -> list[tuple[float, float]]:
    """(t, E[e^(t win)]) for rising t, as far as the law has such a moment."""
    largest = max(1, first.largest, later.largest if later else 0)
    found = [(0.0, 1.0)]
    with np.errstate(over="ignore", invalid="ignore"):
        for tilt in (np.geomspace(1e-3, 300, TILTS) / largest).tolist():
            worth = _fixed_point(later, tilt) if later else 1.0
            terms = np.array(first.terms(lambda one, t=tilt: np.float64(one.at(t))))  # type: ignore[misc]
            total = float(
                sum(t * np.float64(worth) ** p.spins for t, p in zip(terms, first.parts, strict=True))
            )
            if not total <= MOST_LIFTED or not np.isfinite(worth):
                break
            found.append((tilt, total))
    return found


def _fixed_point(spins: Spins, tilt: float) -> float:
    """F(e^tilt), the least solution; infinite where there is none, or the equation's slope there passes MOST_SLOPE."""
    terms = [np.float64(term) for term in spins.terms(lambda one: np.float64(one.at(tilt)))]
    found = np.float64(0.0)
    for _ in range(FIXED_POINT_STEPS):
        after = np.float64(sum(t * found**p.spins for t, p in zip(terms, spins.parts, strict=True)))
        if not np.isfinite(after) or after > 1e100:
            return float("inf")
        if after - found <= 1e-13 * after:
            pairs = [(t, p.spins) for t, p in zip(terms, spins.parts, strict=True) if p.spins]
            slope = sum(m * t * after ** (m - 1) for t, m in pairs)
            return float(after) if slope <= MOST_SLOPE else float("inf")
        found = after
    return float("inf")


def _bound(tilts: list[tuple[float, float]], size: int) -> float:
    """P(win >= size) is at most E[e^(t win)] e^(-t size) for each t."""
    return float(min(np.exp(np.log(total) - tilt * size) for tilt, total in tilts))


def _chosen(tilts: list[tuple[float, float]], size: int) -> list[tuple[float, float]]:
    """No tilt, and those that err least at places of growing distance; each with the logarithm of its error at place 0.

    A tilt errs by the rounding of its own sum and by what it lifts of the law at ``size`` and beyond, which wraps round.
    """
    scales = []
    for tilt, total in tilts:
        wrapped = min(np.log(more) - (steeper - tilt) * size for steeper, more in tilts)
        scales.append(float(np.logaddexp(np.log(ROUNDING * total), wrapped)))
    chosen = {0}
    for place in np.geomspace(8, size, 8):
        chosen.add(
            int(np.argmin([scale - tilt * place for (tilt, _), scale in zip(tilts, scales, strict=True)]))
        )
    return [(tilts[i][0], scales[i]) for i in sorted(chosen)]
