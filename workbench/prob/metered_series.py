"""The whole law of spins that beget spins, what they win, and what they add to a meter and to Keys.

One spin wins v lattice steps, adds m to the meter, k Keys and begets s spins: G_s(x, y, z) is the joint law's generating
function, and one spin with all it leads to has F = sum_s G_s F^s (:mod:`workbench.prob.branching`). At roots of unity x and y
this is solved point by point: first for the z^0 of F, a scalar equation; the z^j that follow are linear in what is known.
n spins, n with chance w_n, have sum_n w_n F^n. The transform in y is undone at once into the meter's bins, that in x at
the end. Keys from some number on are told together: all the law at z = 1 has left.

What wraps round is bounded as in :mod:`workbench.prob.win_series`.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.prob._metered_kernels import metered
from workbench.prob.win_series import Part, Spins, size_for

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
Ints = NDArray[np.int64]
THREADS = 2
POINTS_AT_ONCE = 256
MOST_METER = 1 << 14
# a transform of 2^20 points rounds once a level, and so does the equation solved at each
ROUNDING = 40 * 2.0**-52


@dataclass(frozen=True)
class SpinOutcomes:
    """The joint law of one spin: (N,) steps won, meter, Keys, spins begot, and chances."""

    steps: Ints
    meter: Ints
    keys: Ints
    begets: Ints
    chances: Array

    def of(self, marks: Ints) -> Spins:
        """One mark and the spins begot."""
        kinds = np.unique(self.begets)
        parts = []
        for s in kinds.tolist():
            here = self.begets == s
            law = np.asarray(np.bincount(marks[here], weights=self.chances[here]), dtype=np.float64)
            seen = np.flatnonzero(law)
            parts.append(Part(seen.astype(np.int64), law[seen], s, ()))
        return Spins(tuple(parts), ())


@dataclass(frozen=True)
class MeteredLaw:
    """``chances[v, bin, k]``: P(v steps won, the meter in its bin, k Keys), the last k being that many or more.

    ``left_out`` bounds what isn't in it, or in a wrong place; ``error`` the rounding of an entry.
    """

    chances: Array
    left_out: float
    error: float


def metered_law(
    spin: SpinOutcomes, numbers: Array, bins: Sequence[int], keys: int, wanted: float, most_steps: int
) -> MeteredLaw:
    """The law of n spins and all they lead to, n with chance ``numbers[n]``.

    ``bins`` are the meter's values at which its bins begin, the first 0; ``keys`` those told apart, 0 .. keys - 1.
    ValueError where ``most_steps`` don't hold all but ``wanted`` of the law.
    """
    most = len(numbers) - 1
    size, left_out = size_for(spin.of(spin.steps), most, wanted, most_steps)
    around, wrapped = (1, 0.0) if len(bins) == 1 else size_for(spin.of(spin.meter), most, wanted, MOST_METER)
    size *= 2
    by_class = _transforms(spin, size)
    unfold = _unfold(bins, around)
    found = np.zeros((size // 2 + 1, len(bins), keys + 1), dtype=np.complex128)

    def solve(first: int) -> None:
        points = slice(first, first + POINTS_AT_ONCE)
        metered(_at_points(spin, by_class, points, around), numbers, unfold, found[points])

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(solve, range(0, len(found), POINTS_AT_ONCE)))
    law = np.fft.irfft(found, size, axis=0)[: size // 2]
    return MeteredLaw(law, left_out + wrapped, ROUNDING)


def _classes(spin: SpinOutcomes) -> tuple[Ints, Ints]:
    """((C, 3) the different (begets, Keys, meter), (N,) that of each outcome)."""
    marks = np.stack([spin.begets, spin.keys, spin.meter], axis=1)
    different, place = np.unique(marks, axis=0, return_inverse=True)
    return different, place.ravel()


def _transforms(spin: SpinOutcomes, size: int) -> tuple[Ints, Complex]:
    """The marks of each class, and (C, points) its law of steps at the roots of unity."""
    different, place = _classes(spin)
    laws = np.zeros((len(different), size))
    np.add.at(laws, (place, spin.steps % size), spin.chances)
    return different, np.fft.rfft(laws, axis=1)


def _at_points(spin: SpinOutcomes, by_class: tuple[Ints, Complex], points: slice, around: int) -> Complex:
    """g[x, s, j, y] for some x."""
    different, laws = by_class
    here = laws[:, points].T
    shape = (here.shape[0], int(spin.begets.max()) + 1, int(spin.keys.max()) + 1, around)
    by_meter = np.zeros(shape, dtype=np.complex128)
    begets, keys, meter = different.T
    for c in range(len(different)):
        by_meter[:, begets[c], keys[c], meter[c] % around] += here[:, c]
    return np.ascontiguousarray(np.fft.fft(by_meter, axis=3))


def _unfold(bins: Sequence[int], around: int) -> Complex:
    """(bins, y): the inverse transform, summed over the meter's values in each bin."""
    inverse = np.fft.ifft(np.eye(around), axis=0)
    ends = [*bins[1:], around]
    rows = [
        inverse[min(b, around) : max(min(e, around), min(b, around))].sum(axis=0)
        for b, e in zip(bins, ends, strict=True)
    ]
    return np.ascontiguousarray(np.array(rows))
