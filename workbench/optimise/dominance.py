"""Fronts: which of several are dominated by none, an archive that keeps only those, and a few that stand for many.

Costs are tuples of numbers to be made small. One tuple dominates another if it is nowhere larger and somewhere smaller.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

Costs = tuple[float, ...]
Item = TypeVar("Item")
MOST_KEPT = 2048
THINNED = 1024


def dominates(one: Costs, other: Costs) -> bool:
    """Whether ``one`` is nowhere worse and somewhere better.

    >>> dominates((1, 2), (1, 3)), dominates((1, 2), (1, 2)), dominates((0, 9), (1, 2))
    (True, False, False)
    """
    return one != other and all(a <= b for a, b in zip(one, other, strict=True))


def front_of(costs: Sequence[Costs]) -> list[int]:
    """The places of those that none dominates, in order; of equal ones the first.

    >>> front_of([(1, 3), (2, 2), (2, 3), (3, 1), (2, 2)])
    [0, 1, 3]
    """
    kept: list[int] = []
    # what dominates a tuple comes before it in this order, so those kept never fall
    for i in sorted(range(len(costs)), key=lambda i: (costs[i], i)):
        if not any(all(a <= b for a, b in zip(costs[k], costs[i], strict=True)) for k in kept):
            kept.append(i)
    return sorted(kept)


@dataclass
class Archive(Generic[Item]):
    """What none of all that were offered dominates, in the order in which they came.

    Above 2048 a well spread half is kept, so that memory is bounded; ``at_zero`` is as in :func:`spread`.
    """

    at_zero: int | None = None
    costs: list[Costs] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)

    def takes(self, costs: Costs) -> bool:
        """Whether nothing that is there dominates or equals it."""
        return not self.costs or not bool((np.array(self.costs) <= np.array(costs)).all(axis=1).any())

    def offer(self, costs: Costs, item: Item) -> bool:
        """Take it unless one that is there dominates or equals it; those it dominates go."""
        if not self.takes(costs):
            return False
        if self.costs:
            kept = ~(np.array(costs) <= np.array(self.costs)).all(axis=1)
            self._keep([int(i) for i in np.flatnonzero(kept)])
        self.costs.append(costs)
        self.items.append(item)
        if len(self.costs) > MOST_KEPT:
            self._keep(spread(self.costs, THINNED, self.at_zero))
        return True

    def drop(self, item: Item) -> None:
        """Forget one."""
        self._keep([i for i, one in enumerate(self.items) if one is not item])

    def _keep(self, places: Sequence[int]) -> None:
        if len(places) < len(self.costs):
            self.costs = [self.costs[i] for i in places]
            self.items = [self.items[i] for i in places]


def spread(costs: Sequence[Costs], most: int, at_zero: int | None = None) -> list[int]:
    """At most ``most`` places that stand for all, in order: the best by each cost, then always the one farthest from those.

    Costs are laid over each other by their ranges. Those whose cost number ``at_zero`` is 0 go before all others.

    >>> spread([(0, 10), (1, 9), (5, 5), (10, 0)], 3)
    [0, 2, 3]
    """
    if len(costs) <= most:
        return list(range(len(costs)))
    first = [i for i, one in enumerate(costs) if at_zero is None or one[at_zero] == 0.0]
    rest = [i for i in range(len(costs)) if i not in set(first)]
    chosen = _spread(costs, first, [], most)
    return sorted(_spread(costs, rest, chosen, most))


def _spread(costs: Sequence[Costs], among: Sequence[int], chosen: list[int], most: int) -> list[int]:
    """``chosen`` and more of ``among``, up to ``most``."""
    if not among or len(chosen) >= most:
        return chosen
    table = _scaled(costs)
    best = dict.fromkeys(min(among, key=lambda i: (costs[i][k], costs[i], i)) for k in range(len(costs[0])))
    found = [*chosen, *best][:most]
    distance = np.full(len(costs), -1.0)
    distance[list(among)] = np.inf
    for i in found:
        distance = np.minimum(distance, np.linalg.norm(table - table[i], axis=1))
    while len(found) < most:
        distance[found] = -1.0
        farthest = int(np.argmax(distance))
        if distance[farthest] < 0:
            break
        found.append(farthest)
        distance = np.minimum(distance, np.linalg.norm(table - table[farthest], axis=1))
    return found


def _scaled(costs: Sequence[Costs]) -> NDArray[np.float64]:
    table = np.array(costs, dtype=np.float64)
    width = np.ptp(table, axis=0)
    return np.asarray((table - table.min(axis=0)) / np.where(width > 0, width, 1.0))
