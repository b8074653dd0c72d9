"""What P(some line wins one of some awards) depends on: the places of the symbols that such a line tells apart.

Symbols are alike for an event of a line where exchanging them never changes whether it happens: their columns in the automaton
of the event are equal. The event's chance depends on each reel only through which class stands where.
"""

from __future__ import annotations

from collections.abc import Callable

from workbench.exact.line_law import LineLaw, merged
from workbench.exact.line_rules import Award
from workbench.report.xlsx.formula import Expr, both
from workbench.report.xlsx.strips import ReelSet, StripCells


def told_apart(law: LineLaw, wins: Callable[[Award], bool]) -> list[list[int]]:
    """Classes of symbols that are alike for the event that a line's award is one of those.

    >>> from workbench.exact.line_law import line_law
    >>> from workbench.game import find_game, load_definition
    >>> game = load_definition(find_game("codex-of-fortune"))
    >>> law = line_law(game)
    >>> classes = told_apart(law, lambda award: award.coins == 200)
    >>> [[game.symbols.all[s] for s in c] for c in classes][:2]
    [['Lion', 'Wild'], ['Owl', 'Turtle', 'Koi', 'Shell', 'A', 'K', 'Q', 'J', 'Scatter', 'Key', '+10', 'Collectable', 'Blank']]
    """
    happens = [bool(award is not None and wins(award)) for award in law.award[law.first[-2] :]]
    classes, _ = merged(happens)
    columns: list[tuple[int, ...]] = [() for _ in range(law.step.shape[1])]
    for depth in range(law.reels - 1, -1, -1):
        first, after = law.first[depth], law.first[depth + 1]
        rows = [tuple(classes[int(s) - after] for s in row) for row in law.step[first : law.first[depth + 1]]]
        columns = [(*column, *(row[s] for row in rows)) for s, column in enumerate(columns)]
        classes, _ = merged(rows)
    numbers, members = merged(columns)
    return [[s for s, n in enumerate(numbers) if n == k] for k in range(len(members))]


def places_check(cells: StripCells, reels: ReelSet, classes: list[list[int]]) -> Expr:
    """Whether every class but the largest stands where it stood, on strips of the same length."""
    names = list(cells.symbol)
    largest = max(classes, key=len)
    checks = [Expr(f"{reel.length.text}={reel.length.value}", True) for reel in reels.reels]
    for group in classes:
        if group is not largest:
            now, then = (
                "+".join(f"EXACT({block},{cells.symbol[names[s]].text})" for s in group)
                for block in (reels.block, reels.evaluated)
            )
            checks.append(Expr(f"SUMPRODUCT(ABS(({now})-({then})))=0", True))
    return both(checks)
