"""A round of a game with banked Keys as a move of the bank with what it wins: the matrices of generating functions.

From bank b a round moves to b + d: Keys saved in the hold-and-spin add to it, Free Spins use some of it. The laws of lines
don't depend on b (:mod:`workbench.value.key_law`); the policy tells for each b which prize and which move go with an end of the
hold-and-spin, and how many Keys Free Spins use. Banks with the same choices are one class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.features.free_spins import law_of_wheel
from workbench.features.keys import Solution
from workbench.prob.bank_sums import BLOCK, BankRounds, fold
from workbench.prob.product_chain import Array
from workbench.value.key_law import KeyRounds

Ints = NDArray[np.int64]
# ends of a hold-and-spin less likely than this a round aren't followed
RARE = 1e-18
# what transforms of the laws of a round leave where nothing is
NOISE = 1e-17

_Law = tuple[Ints, Array]


@dataclass(frozen=True)
class _Choices:
    """Classes of banks: ``of`` (B + 1,), and for each class its choices: ``save`` (C, 2, steps, K), ``used`` (C, K)."""

    of: Ints
    save: NDArray[np.bool_]
    used: Ints


def _choices(solution: Solution, most_used: int, keys: int) -> _Choices:
    policy = solution.policy
    last = len(policy.use) - 1
    reach = np.minimum(np.arange(last + keys + 1), last)
    banked = np.arange(last + keys + 1)
    used = np.where(policy.use[reach], np.minimum(banked, most_used), 0)
    ahead = np.stack([used[b : b + keys] for b in range(last + 1)])
    rows = np.concatenate([policy.save.reshape(last + 1, -1).astype(np.int64), ahead], axis=1)
    _, first, of = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    of = of.ravel()
    # the last class holds beyond: no need to tell its banks apart
    begins = last
    while begins > 0 and of[begins - 1] == of[last]:
        begins -= 1
    return _Choices(of[: begins + 1], policy.save[first], ahead[first])


@dataclass(frozen=True)
class KeyBank:
    """The rounds of a strip set under a policy, as :class:`~workbench.prob.bank_sums.BankRounds`."""

    rounds: KeyRounds
    solution: Solution

    @cached_property
    def _laws(self) -> list[_Law]:
        """The sparse laws everything is made of: plain 0, plain 1, Free Spins by (step, k), ends by (f, step, k)."""
        laws = self.rounds.laws
        parts = [laws.plain[0], laws.plain[1], *np.moveaxis(laws.free, 0, 2).reshape(-1, len(laws.free))]
        parts += [laws.hold[f, :, s, k] for f, s, k in self._ends]
        coin = self.rounds.prizes.coin
        found = []
        for part in parts:
            seen = np.flatnonzero(part)
            found.append((seen.astype(np.int64) * coin, part[seen]))
        return found

    @cached_property
    def _ends(self) -> list[tuple[int, int, int]]:
        mass = self.rounds.laws.hold.sum(axis=1)
        return [(int(f), int(s), int(k)) for f, s, k in np.argwhere(mass > RARE)]

    @cached_property
    def _choices(self) -> _Choices:
        return _choices(self.solution, self.most_used, self.rounds.laws.hold.shape[3])

    @property
    def most_used(self) -> int:
        """The most Keys used at once."""
        return self.rounds.value.key_game.most_used

    def bank_rounds(self) -> BankRounds:
        """The rounds with their generating functions."""
        steps = [int(law[0].max(initial=0)) for law in self._laws]
        prizes = self.rounds.prizes
        hold = max(steps) + int(max(prizes.used.max(), prizes.saved.max()))
        largest = hold + max(steps) + int(prizes.free.max())
        return BankRounds(self._choices.of, self.most_used, largest, self._tilted, self._block)

    def _tilted(self, tilt: float) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            at = np.array([float(law[1] @ np.exp(tilt * law[0])) for law in self._laws])
            found = self._moves(at[:, None], lambda steps: np.exp(np.array([tilt * steps])))
        return np.asarray(found[:, :, 0].real)

    def _block(self, residue: int, size: int) -> NDArray[np.complex128]:
        points = residue + (size // BLOCK) * np.arange(BLOCK)
        laws = fold(self._laws, residue, size)
        return self._moves(laws, lambda steps: np.exp(-2j * np.pi * (points * steps % size) / size))

    def below(self, steps: int) -> Array:
        """(classes, moves, steps): the laws of wins of fewer steps, with each move."""
        size = 4 * steps
        kept = np.zeros((len(self._laws), size // 2 + 1), dtype=np.complex128)
        for i, (place, chances) in enumerate(self._laws):
            here = place < steps
            kept[i] = np.fft.rfft(np.bincount(place[here], weights=chances[here], minlength=size))
        points = np.arange(size // 2 + 1)

        def moved(prize: int) -> NDArray[np.complex128]:
            if prize >= steps:
                return np.zeros(len(points), dtype=np.complex128)
            return np.asarray(np.exp(-2j * np.pi * (points * prize % size) / size))

        found = np.fft.irfft(self._moves(kept, moved), size, axis=2)[:, :, :steps]
        return np.where(found > NOISE, found, 0.0)

    def _moves(self, laws: NDArray[Any], moved: Callable[[int], NDArray[Any]]) -> NDArray[Any]:
        """(classes, moves, points) from the laws at these points; ``moved(steps)`` is w^steps."""
        choices, prizes = self._choices, self.rounds.prizes
        keys = self.rounds.laws.hold.shape[3]
        found = np.zeros((len(choices.save), self.most_used + keys, laws.shape[1]), dtype=laws.dtype)
        powers = {p: moved(p) for p in self._prizes}
        free = self._free(laws, powers)
        ends = laws[len(laws) - len(self._ends) :]
        used_at_once = [
            law * powers[int(prizes.used[s, k])] for (_, s, k), law in zip(self._ends, ends, strict=True)
        ]
        kept = [law * powers[int(prizes.saved[s])] for (_, s, _), law in zip(self._ends, ends, strict=True)]
        for c, (save, used) in enumerate(zip(choices.save, choices.used, strict=True)):
            begun = {0: laws[1].copy()}
            found[c, self.most_used] += laws[0]
            for i, (f, s, k) in enumerate(self._ends):
                saved = bool(save[f, s, k])
                won, up = (kept[i], k) if saved else (used_at_once[i], 0)
                if f:
                    begun[up] = begun[up] + won if up in begun else won
                else:
                    found[c, self.most_used + up] += won
            for up, won in begun.items():
                found[c, self.most_used + up - used[up]] += won * free[int(used[up])]
        return found

    @cached_property
    def _prizes(self) -> list[int]:
        """Every prize there is, in lattice steps."""
        prizes = self.rounds.prizes
        return sorted({int(p) for part in (prizes.used, prizes.saved, prizes.free) for p in part.ravel()})

    def _free(self, laws: NDArray[Any], powers: Mapping[int, NDArray[Any]]) -> dict[int, NDArray[Any]]:
        """What Free Spins win, by Keys used."""
        value, table = self.rounds.value, self.rounds.prizes.free
        feature, tables = value.game.free_spins, value.free_tables
        if feature is None or tables is None:
            return {int(u): laws[2] for u in np.unique(self._choices.used)}
        _, steps, keys = self.rounds.laws.free.shape
        by_end = laws[2 : 2 + steps * keys].reshape(steps, keys, -1)
        chances = law_of_wheel(value.strips, feature.wheels.keys, tables.wheel_keys)
        found = {}
        for used in np.unique(self._choices.used).tolist():
            total = np.zeros_like(by_end[0, 0])
            for chance, wheel in zip(chances, tables.wheel_keys, strict=True):
                for k in range(keys if chance else 0):
                    level = min(feature.start_level + used + wheel + k, len(table)) - 1
                    for s in range(steps):
                        total = total + chance * by_end[s, k] * powers[int(table[level, s])]
            found[int(used)] = total
        return found
