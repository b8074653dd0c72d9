"""Shapes and places of line games that kernels and the Python around them share.

Kinds of spin are 0, a paid spin, and 1, a free game. A *component* of a spin's win is its lines, a Scatter or a bonus, in
that order; there are n of them.
"""

from __future__ import annotations

from typing import NamedTuple

from workbench.simulate._shapes_kernels import Ints, Words

SUMS = (
    "rounds",
    "win",
    "hits",
    "line_hits",
    "top_prizes",
    "top_prize",
    "features",
    "played",
    "free_hits",
    "retriggers",
)
(
    ROUNDS,
    WIN,
    HITS,
    LINE_HITS,
    TOP_PRIZES,
    TOP_PRIZE,
    FEATURES,
    PLAYED,
    FREE_HITS,
    RETRIGGERS,
) = range(len(SUMS))
"""``hits``: paid spins that pay; ``line_hits``: those that win a line. ``top_prizes``: those with a line that wins the most;
``top_prize``: that win, added every round. ``features``: rounds with free games, ``played`` of them in all, ``free_hits``
of which pay and ``retriggers`` award more."""

NOT_COUNTED = -1
"""In place of a mark: nothing is counted in sight."""

SQ_WIN, SQ_SPIN, SQ_FREE_SPIN, SQ_FREE, SQ_PLAYED, SQ_PARTS = range(6)
"""Sums of squares: of a round's win, of a paid spin's, of a free game's, of all free games of a round, of their number;
from the last place on those of the components of paid spins, then of a round's free games."""


class LineCounts(NamedTuple):
    """Named parts of the flat array of counts; kernels add to them."""

    sums: Ints
    parts: Ints
    """[kind][component]: wins in units."""
    paid: Ints
    """[component]: paid spins in which a Scatter pays or a bonus is triggered; lines are counted as ``line_hits``."""
    in_sight: Ints
    """[kind][mark][number in sight]: spins."""
    hits: Ints
    """[kind][combination][length]: lines won."""


class SpinReels(NamedTuple):
    """All windows of the reels of both kinds of spin, one row of a table each."""

    first: Words
    length: Words
    """[kind][reel]: the row of a strip's stop 0, and its stops."""
    weighted: Ints
    """[kind]: whether stops have weights."""
    total: Words
    shift: Words
    guide_at: Words
    """[kind][reel]: sum of the weights; how a number drawn leads to its place in ``guide``."""
    guide: Words
    """The row of the first stop that numbers from here on may mean."""
    cumulative: Words
    """[row]: weight of the stops up to this one."""
    lines_of: Words
    """[row][word x columns + column]: lines whose cell here lets the column's run go on to the length it needs."""
    anywhere: Words
    """[row][word x symbols + symbol]: lines through a cell that shows a symbol which pays anywhere."""
    class_of: Words
    """[row][row of the window]: the class of the symbol shown."""
    marks: Ints
    """[row]: what is counted in sight, each mark in a field of its own."""


class LineRules(NamedTuple):
    """How lines win. ``next`` and ``starts`` are those of a ``StateTable``; award 0 is none."""

    words: int
    columns: int
    least_anywhere: Ints
    """[symbol that pays anywhere]: the smallest number that pays."""
    line_rows: Words
    """[line][reel]"""
    next: Words
    starts: Words
    pay: Ints
    combination: Words
    length: Words
    pays: Ints
    """[award]; ``pays`` is 1 if there are coins or a bonus is given."""
    spins: Ints
    """[kind][award]: free games awarded."""
    bonuses: Ints
    """[award][bonus]: whether it is given."""


class SightRules(NamedTuple):
    """What is done with the numbers in sight."""

    marks: int
    scatter_mark: Ints
    scatter_pay: Ints
    """[kind][Scatter][number]"""
    bonus_mark: Ints
    bonus_least: Ints
    """[bonus]: NOT_COUNTED where lines trigger it."""
    free_mark: int
    free_spins: Ints
    """[kind][number]: free games awarded."""


class BonusWheels(NamedTuple):
    """Wheels by bonus, in the order of the definition's values; ``draws_total`` is 0 where one prize is drawn."""

    given: Ints
    """[kind][bonus]"""
    draws: Words
    draws_total: Words
    numbers: Ints
    prizes: Words
    prizes_total: Words
    wins: Ints
    """[kind][bonus][value]: units."""


class LineGameTables(NamedTuple):
    """All a kernel reads. ``top`` is the largest win of a line in a paid spin."""

    reels: SpinReels
    rules: LineRules
    sight: SightRules
    wheels: BonusWheels
    top: int
