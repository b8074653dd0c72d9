"""A monotone product chain with a counter.

R coordinates move independently, each upward in a partial order whose linear extension is 0, 1, 2, ...; while they
move, counts occur. One step from (c, k):

    P(c -> c', k -> k + j) = sum over j_0 + .. + j_{R-1} = j of  prod_r local_r[c_r, c'_r, j_r].

The chain ends at the first step that changes neither c nor k. As c only rises, the equations are triangular, and
as the kernel is a product, the sum over all c' <= c is taken one coordinate at a time with partial sums

    S_0 = v,   S_{r+1}(c_0 .. c_r; rest) = sum over x <= c_r of local_r[x, c_r] S_r(c_0 .. c_{r-1}; x, rest),

so a solve costs N (size_0 + .. + size_{R-1}) multiply-adds instead of N^2. All terms are positive: no cancellation.

The count may be *capped* (what would raise it beyond is nothing), or not; then it is carried to K - 1 and the mass
beyond is reported, or left out altogether.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from workbench.prob._product_chain_kernels import backward, ended_by_label, forward

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ProductChain:
    """One step's local laws: ``local[r]`` is (size_r, size_r, J_r + 1), upper triangular, rows summing to 1."""

    local: tuple[Array, ...]

    @property
    def sizes(self) -> tuple[int, ...]:
        """Local states of each coordinate."""
        return tuple(law.shape[0] for law in self.local)

    @property
    def states(self) -> int:
        """Number N of states."""
        return prod(self.sizes)

    def _padded(self) -> tuple[NDArray[np.int64], Array, NDArray[np.int64]]:
        sizes = np.array(self.sizes, dtype=np.int64)
        counts = np.array([law.shape[2] - 1 for law in self.local], dtype=np.int64)
        local = np.zeros((len(self.local), sizes.max(), sizes.max(), counts.max() + 1))
        for r, law in enumerate(self.local):
            local[r, : law.shape[0], : law.shape[1], : law.shape[2]] = law
        return sizes, local, counts

    def stay(self) -> Array:
        """(N, J + 1): probability of keeping the state while j counts occur; J the sum of all J_r."""
        found = np.ones((1, 1))
        for law in self.local:
            keep = law[np.arange(law.shape[0]), np.arange(law.shape[0])]
            grown = np.zeros((found.shape[0], keep.shape[0], found.shape[1] + keep.shape[1] - 1))
            for j in range(keep.shape[1]):
                grown[:, :, j : j + found.shape[1]] += found[:, None, :] * keep[None, :, j, None]
            found = grown.reshape(-1, grown.shape[2])
        return found

    def visits(self, start: Array, capped: bool) -> Array:
        """(N, K, F): expected visits to (state, count), from the starting masses ``start`` of that shape."""
        sizes, local, counts = self._padded()
        return np.asarray(forward(sizes, local, counts, capped, np.ascontiguousarray(start)))

    def ended_by(self, mass: Array, capped: bool, label: NDArray[np.int64], labels: int) -> Array:
        """(labels, K, F): what of a mass (N, K, F) ends at the next step, summed by the label of its state."""
        return np.asarray(ended_by_label(np.ascontiguousarray(mass), self.stay(), capped, label, labels))

    def expected_end(self, end: Array, cap: int | None) -> Array:
        """(N, K, F): expected value of ``end`` (N, F) at the state the chain ends in, from (state, count).

        K = cap + 1; without a cap the count doesn't matter and K = 1.
        """
        sizes, local, counts = self._padded()
        levels = 1 if cap is None else cap + 1
        return np.asarray(backward(sizes, local, counts, levels, cap is not None, np.ascontiguousarray(end)))

    def moved_on(self, mass: Array, capped: bool) -> Array:
        """Masses (N, K, F) that go on after one step; without a cap what passes count K - 1 is dropped."""
        stay = self.stay()
        ended = mass * stay[:, :1, None]
        if capped:
            ended[:, -1] = mass[:, -1] * stay.sum(axis=1)[:, None]
        return self._push(mass, capped) - ended

    def step_backward(self, later: Array, end: Array, cap: int | None) -> Array:
        """(N, K, F): value before one step whose outcome is worth ``end`` (N, F) if it ends, else ``later``."""
        stay = self.stay()
        value = self._pull(later)
        if cap is None:
            ends = stay[:, :1]
        else:
            ends = np.repeat(stay[:, :1], cap + 1, axis=1)
            ends[:, -1] = stay.sum(axis=1)
        return value + ends[:, :, None] * (end[:, None, :] - later)

    def _push(self, mass: Array, capped: bool) -> Array:
        levels = mass.shape[1]
        found = mass.reshape(*self.sizes, *mass.shape[1:])
        for r, law in enumerate(self.local):
            moved = np.zeros_like(found)
            for j in range(law.shape[2]):
                part = np.moveaxis(np.tensordot(law[:, :, j], found, axes=(0, r)), 0, r)
                for k in range(levels):
                    if k + j < levels or capped:
                        moved[..., min(k + j, levels - 1), :] += part[..., k, :]
            found = moved
        return found.reshape(mass.shape)

    def _pull(self, later: Array) -> Array:
        levels = later.shape[1]
        found = later.reshape(*self.sizes, *later.shape[1:])
        for r, law in enumerate(self.local):
            moved = np.zeros_like(found)
            for j in range(law.shape[2]):
                part = np.moveaxis(np.tensordot(law[:, :, j], found, axes=(1, r)), 0, r)
                for k in range(levels):
                    moved[..., k, :] += part[..., min(k + j, levels - 1), :]
            found = moved
        return found.reshape(later.shape)
