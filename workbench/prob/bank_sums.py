"""The sum of what many rounds win where each round also moves a bank: products of matrices of generating functions.

In bank b a round moves to b + d and wins x with chance A_(b,d)(x). With M(w)[b, b + d] = sum over x of A_(b,d)(x) w^x, the sum of N
rounds from the start law a has the generating function a M(w)^N 1, taken at roots of unity. Most rounds leave the bank alone
and win by one law, m(w): with M = m I + S, S small,

    M^N = sum over j of C(N, j) m^(N - j) S^j,

and the terms beyond J are bounded by the same sum at w = 1, with the norm of S. Banks of one class have the same laws; banks
beyond the last one looked at are bounded by the chance to come there.

Points are taken in residues: those r, r + R, r + 2 R .. of a size R * block need only transforms of one block.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import exp, lgamma, log

import numpy as np
from numpy.typing import NDArray

from workbench.prob._bank_sum_kernels import powers_at
from workbench.prob.lattice_laws import without_noise

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
Ints = NDArray[np.int64]

THREADS = 2
BLOCK = 1 << 14
TILTS = 48
LEAST_BANKS = 8
# each factor of a power is a transform, rounded a few times
ROUNDING = 4 * 2.0**-52
# the terms of the sum may be so much larger than the sum: digits lost
MOST_GROWTH = 100.0


@dataclass(frozen=True)
class BankRounds:
    """A round by bank: class of each bank, the last one's holding beyond; moves -``down`` .. in column order.

    ``at(points)`` are the generating functions (classes, moves, points) of a class's wins with each move, at complex or
    real points given by the logarithms of w (points,).
    ``block(residue, size)`` those at the points residue, residue + size / BLOCK, .. of ``size`` roots of unity.
    """

    classes: Ints
    down: int
    largest: int
    tilted: Callable[[float], Array]
    block: Callable[[int, int], Complex]

    def rows(self, banks: int) -> Ints:
        """The classes of banks 0 .. banks - 1."""
        found: Ints = self.classes[np.minimum(np.arange(banks), len(self.classes) - 1)]
        return found

    def matrix(self, moves: Array, banks: int) -> Array:
        """(banks, banks) from (classes, moves): what leads beyond the last bank stays there."""
        found = np.zeros((banks, banks))
        for b, c in enumerate(self.rows(banks).tolist()):
            for d in np.flatnonzero(moves[c]).tolist():
                found[b, min(b + d - self.down, banks - 1)] += moves[c, d]
        return found


@dataclass(frozen=True)
class BankSum:
    """``chances[x]``: P(the rounds win x steps together); ``left_out`` bounds what is elsewhere, ``error`` an entry's rounding."""

    chances: Array
    left_out: float
    error: float


def banks_needed(
    rounds: BankRounds, start: Array, number: int, wanted: float, most: int
) -> tuple[int, float]:
    """How many banks to look at so that more is come to with at most ``wanted`` (or ``most`` of them), and that chance."""
    moves = rounds.tilted(0.0)
    banks = max(LEAST_BANKS, len(rounds.classes), len(start))
    if not moves[:, : rounds.down].any():
        return banks, 0.0
    while True:
        held = np.zeros(banks)
        held[: len(start)] = start
        matrix = rounds.matrix(moves, banks)
        matrix[-1] = np.eye(1, banks, banks - 1)
        for _ in range(number):
            held = held @ matrix
        if held[-1] <= wanted or banks >= most:
            return banks, float(held[-1])
        banks = min(2 * banks, most)


def bank_sum(
    rounds: BankRounds,
    start: Array,
    number: int,
    wanted: float,
    most_steps: int,
    most_banks: int,
    progress: Callable[[int, int], None] | None = None,
) -> BankSum:
    """The law of the sum of ``number`` rounds; ValueError if it had to look at more than ``most_steps`` steps.

    ``progress`` is told (1, how many in all) for each residue done.
    """
    banks, beyond = banks_needed(rounds, start, number, wanted, most_banks)
    held = np.zeros(banks)
    held[: len(start)] = start
    size, tail = _size(rounds, held, number, wanted, most_steps)
    terms = _terms(rounds, held, number, wanted)
    residues = size // BLOCK
    by_residue = np.zeros((BLOCK, residues), dtype=np.complex128)

    def solve(residue: int) -> None:
        by_residue[:, residue] = _at_residue(rounds, held, number, terms, residue, size)
        if progress:
            progress(1, residues // 2 + 1)

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(solve, range(residues // 2 + 1)))
    # the transform of a real law at the other residues
    for residue in range(residues // 2 + 1, residues):
        by_residue[:, residue] = by_residue[::-1, residues - residue].conj()
    law = np.fft.irfft(by_residue.ravel()[: size // 2 + 1], size)
    kept, noise = without_noise(law)
    return BankSum(kept, tail + beyond + terms.left_out + noise, number * ROUNDING)


def _at_residue(
    rounds: BankRounds, start: Array, number: int, terms: _Terms, residue: int, size: int
) -> Complex:
    """start M^number 1 at the points of a residue."""
    at = rounds.block(residue, size)
    found = np.zeros(BLOCK, dtype=np.complex128)
    powers_at(
        np.ascontiguousarray(at.real), np.ascontiguousarray(at.imag), rounds.tilted(0.0) != 0,
        rounds.rows(len(start)), rounds.down, terms.main, terms.stay, start, terms.weights, terms.scale, number,
        found,
    )  # fmt: skip
    return found


def _size(rounds: BankRounds, start: Array, number: int, wanted: float, most: int) -> tuple[int, float]:
    """The least power of two that the sum passes with at most ``wanted``, and that chance."""
    tilts = np.geomspace(1e-6, 300, TILTS) / rounds.largest
    logs = [(t, _log_moment(rounds, start, number, t)) for t in tilts.tolist()]
    size = BLOCK
    while (
        tail := exp(min(0.0, *(log - t * size for t, log in logs)))
    ) > wanted and size <= rounds.largest * number:
        size *= 2
        if size > most:
            raise ValueError(f"the sum must stay below {most} steps, but doesn't with chance {tail:.3g}")
    return size, tail if size <= rounds.largest * number else 0.0


def _log_moment(rounds: BankRounds, start: Array, number: int, tilt: float) -> float:
    """log E[e^(tilt sum)]; infinite where that is beyond doubles."""
    with np.errstate(over="ignore", invalid="ignore"):
        matrix = rounds.matrix(rounds.tilted(tilt), len(start))
        held, total = start, 0.0
        for _ in range(number):
            held = held @ matrix
            size = float(held.sum())
            if not np.isfinite(size):
                return float("inf")
            held, total = held / size, total + log(size)
    return total


@dataclass(frozen=True)
class _Terms:
    """How M^N is summed: class ``main`` gives m (-1: m = 0), which is ``stay`` at 1; ``scale`` = 1 / sigma.

    ``weights[j]`` = C(N, j) stay^(N - j) sigma^j for j = 0 .. J, ``left_out`` bounds the terms beyond.
    """

    main: int
    stay: float
    weights: Array
    scale: float
    left_out: float


def _terms(rounds: BankRounds, start: Array, number: int, wanted: float) -> _Terms:
    """The terms that matter, m being that of the likeliest class at the start."""
    moves, own = rounds.tilted(0.0), rounds.down
    main = int(np.bincount(rounds.rows(len(start)), weights=start).argmax())
    rest = moves.copy()
    rest[:, own] = np.abs(rest[:, own] - moves[main, own])
    sigma, stay = float(rest.sum(axis=1).max()), float(moves[main, own])
    if sigma == 0.0:
        return _Terms(main, stay, np.array([stay**number]), 1.0, 0.0)
    if stay == 0.0 or number * log(sigma + stay) > log(MOST_GROWTH):
        return _Terms(-1, 1.0, np.eye(1, number + 1, number)[0], 1.0, 0.0)
    j = np.arange(number + 1)
    choose = np.array([lgamma(number + 1) - lgamma(i + 1) - lgamma(number - i + 1) for i in j.tolist()])
    terms = np.exp(choose + j * log(sigma) + (number - j) * log(stay))
    beyond = np.append(np.cumsum(terms[::-1])[::-1], 0.0)
    last = int(np.flatnonzero(beyond > wanted)[-1])
    return _Terms(main, stay, terms[: last + 1], 1 / sigma, float(beyond[last + 1]))


def fold(values: Sequence[tuple[Ints, Array]], residue: int, size: int) -> Complex:
    """(laws, BLOCK): transforms of sparse laws (steps, chances) at the points of a residue."""
    found = np.zeros((len(values), BLOCK), dtype=np.complex128)
    for i, (steps, chances) in enumerate(values):
        angle = -2 * np.pi * (residue * steps % size) / size
        place = steps % BLOCK
        found[i].real = np.bincount(place, weights=chances * np.cos(angle), minlength=BLOCK)
        found[i].imag = np.bincount(place, weights=chances * np.sin(angle), minlength=BLOCK)
    return np.asarray(np.fft.fft(found, axis=1))
