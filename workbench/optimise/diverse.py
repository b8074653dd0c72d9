"""Sets that all meet a target and differ most from one another.

The distance of two sets is how many stops differ, reel by reel and up to rotation, plus how many weights
(:func:`workbench.optimise.family.changes`). The sets come from searches with the next seeds until there are twice as many
as wanted; chosen are those whose nearest two are farthest apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb
from typing import Any

from workbench.game.definition import GameDefinition
from workbench.optimise.context import Progress
from workbench.optimise.family import changes
from workbench.optimise.run import full_figures, one_round
from workbench.optimise.study import StudySettings
from workbench.optimise.target import Target
from workbench.reels.strip_set import StripSet

Table = Sequence[Sequence[int]]
POOL = 2
MOST_SUBSETS = 50_000


def distances(sets: Sequence[StripSet]) -> list[list[int]]:
    """[i][j] the distance of two sets."""
    found = [[0] * len(sets) for _ in sets]
    for i, j in combinations(range(len(sets)), 2):
        differing = changes(sets[i], sets[j])
        found[i][j] = found[j][i] = differing["stops"] + differing["weights"]
    return found


def farthest(table: Table, k: int) -> tuple[int, ...]:
    """The ``k`` places whose least distance is largest; among equals of the largest sum, then the first.

    All choices are looked at while there are at most 50 000 of them. Beyond that the two farthest are taken, then always the
    one farthest from those taken, whose least distance is at least half the largest where distances obey the triangle.

    >>> farthest([[0, 1, 5], [1, 0, 6], [5, 6, 0]], 2)
    (1, 2)
    """
    if k >= len(table):
        return tuple(range(len(table)))
    if comb(len(table), k) <= MOST_SUBSETS:
        return best_of(table, combinations(range(len(table)), k))
    return greedy(table, k)


def best_of(table: Table, choices: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """The choice whose least distance is largest; among equals of the largest sum, then the first."""

    def rank(choice: tuple[int, ...]) -> tuple[int, int]:
        pairs = [table[i][j] for i, j in combinations(choice, 2)]
        return min(pairs, default=0), sum(pairs)

    return max(choices, key=rank)


def greedy(table: Table, k: int) -> tuple[int, ...]:
    """The two farthest, then always the one farthest from those taken."""
    taken = list(best_of(table, combinations(range(len(table)), 2)))
    while len(taken) < k:
        others = [i for i in range(len(table)) if i not in taken]
        taken.append(max(others, key=lambda i: min(table[i][j] for j in taken)))
    return tuple(sorted(taken[:k]))


def met_sets(
    game: GameDefinition,
    target: Target,
    settings: StudySettings,
    wanted: int,
    rounds: int,
    progress: Progress,
) -> list[tuple[StripSet, dict[str, Any]]]:
    """At most ``wanted`` unlike sets that meet the target, with their figures, from at most ``rounds`` seeds in turn."""
    found: list[tuple[StripSet, dict[str, Any]]] = []
    for i in range(rounds):
        if len(found) >= wanted or (i and settings.late):
            break

        def told(stage: str, done: int, of: int, best: float, label: str = f"search {i + 1}") -> None:
            progress(f"{label}: {stage}", done, of, best)

        missed, _, strips, figures = one_round(game, target, settings, i, None, told)
        if missed == 0.0 and all(distances([strips, other])[0][1] for other, _ in found):
            found.append((strips, figures or full_figures(game, strips)))
    return found
