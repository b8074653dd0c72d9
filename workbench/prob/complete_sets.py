"""Complete sets: items of several kinds are drawn, and every d-th of a kind completes a set of that kind.

After G draws let c_x be the number of kind x, r_x = c_x mod d what is left of it, and W the worth of all sets
completed so far, w_x each. One more draw is of kind x with p_x and completes a set iff r_x = d - 1. So

    E[sets of x]  grows by p_x P(r_x = d-1),
    E[W]          grows by sum_x p_x w_x P(r_x = d-1),
    E[W^2]        grows by sum_x p_x (2 w_x E[W; r_x = d-1] + w_x^2 P(r_x = d-1)),

and P(r_x), P(r_x, r_y) and E[W; r_x] follow recursions of the same kind that only add. Every term is positive, so
a frequency of one in 1e12 keeps its digits.

The number of sets is also (c_x - r_x)/d, and r_x is a sum of powers of the d-th roots of unity omega:
r = sum_j alpha_j omega^(j r). With a random G whose generating function F(z) = E[Y z^G] is known, E[Y c_x] = p_x F'(1)
and E[Y omega^(j c_x)] = F(1 - p_x + p_x omega^j): the joint mean of W with any Y, without the law of G.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.prob._set_kernels import set_moments


@dataclass(frozen=True)
class CompleteSets:
    """Moments after G = 0, 1, ... draws: ``sets[G, kind]``, ``mean[G]`` and ``second[G]`` of the worth."""

    sets: NDArray[np.float64]
    mean: NDArray[np.float64]
    second: NDArray[np.float64]


def complete_sets(p: NDArray[np.float64], worth: NDArray[np.float64], size: int, most: int) -> CompleteSets:
    """Moments of the sets of ``size`` after 0 .. ``most`` draws; relative error below 8 ``most`` 2^-53.

    Three coins, each heads or tails with 1/2: a set of three is complete with 1/8 each.

    >>> complete_sets(np.array([0.5, 0.5]), np.array([1.0, 2.0]), size=3, most=3).mean[3]
    np.float64(0.375)
    """
    return CompleteSets(*set_moments(p, worth, size, most))


@dataclass(frozen=True)
class RootPoint:
    """A point z for a generating function in G, and its part of E[Y W]: the real part of ``factor`` F(z)."""

    z: complex
    factor: complex


def root_points(p: NDArray[np.float64], worth: NDArray[np.float64], size: int) -> tuple[RootPoint, ...]:
    """Points z with E[Y W] = sum_x p_x w_x F'(1)/d - sum over points of Re(factor F(z)), for real F.

    For d = 1 there is none: every draw is a set. Conjugate points are listed once, with twice the factor.

    >>> [point.z for point in root_points(np.array([1.0]), np.array([1.0]), size=2)]
    [(1+0j), (-1+0j)]
    """
    alpha = np.fft.fft(np.arange(size)) / size
    points = []
    for j in range(size // 2 + 1):
        omega = np.exp(2j * np.pi * j / size) if 2 * j != size else -1.0
        twice = 1 if 2 * j in (0, size) else 2
        if j == 0:
            points.append(RootPoint(1.0 + 0j, complex(alpha[0] * (worth.sum() / size))))
            continue
        for px, wx in zip(p, worth, strict=True):
            points.append(RootPoint(complex(1 - px + px * omega), complex(twice * alpha[j] * wx / size)))
    return tuple(points)
