"""Figures that a target may name although ``evaluate`` doesn't print them: chances of large wins, sizes of what is tuned.

``win_at_least.X``
    P(a round wins at least X total bets), from the law of a round; exact, or estimated where the law is.
``sizes.largest_weight``, ``sizes.largest_total``
    of all wheels and cells of position reels; ``sizes.longest``, ``sizes.shortest``: stops of a strip.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from workbench.errors import TargetError
from workbench.game.definition import GameDefinition
from workbench.optimise.target import Target
from workbench.reels.strip_set import StripSet

WINS = "win_at_least."


def asked_of(
    game: GameDefinition, target: Target, strips: StripSet, figures: Mapping[str, Any]
) -> dict[str, Any]:
    """The figures with those that the target names besides; the law is computed only if it is asked for."""
    wins = asked_wins(target)
    found = {**figures, "sizes": sizes(strips)}
    if wins:
        from workbench.value.round_law import law_of

        law = law_of(game, strips)
        found["win_at_least"] = {text: law.at_least(win) for text, win in wins.items()}
    return found


def asked_wins(target: Target) -> dict[str, Fraction]:
    """The wins whose chance a target names; TargetError if one isn't a number of bets."""
    found = {}
    for figure in target.figures:
        if figure.figure.startswith(WINS):
            text = figure.figure.removeprefix(WINS)
            try:
                found[text] = Fraction(text)
            except (ValueError, ZeroDivisionError):
                raise TargetError(
                    f"{figure.figure}: must name a number of total bets, as {WINS}100, but got {text!r}"
                ) from None
    return found


def sizes(strips: StripSet) -> dict[str, int]:
    """The largest weight and total of wheels and cells, the longest and the shortest strip."""
    cells = [cell for stages in strips.position_reels.values() for stage in stages for cell in stage.cells]
    tables = [*strips.wheels.values(), *cells]
    lengths = [len(strip) for reels in strips.reels.values() for strip in reels]
    found = {"longest": max(lengths, default=0), "shortest": min(lengths, default=0)}
    if tables:
        found["largest_weight"] = max(max(table.weights) for table in tables)
        found["largest_total"] = max(table.total for table in tables)
    return found
