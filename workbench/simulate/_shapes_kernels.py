"""Shapes and places that kernels and the Python around them share.

They stand in a kernel file because compiled code holds them as constants: the kernel cache is keyed by the
sources of all kernel files, so a change here compiles anew.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Words = NDArray[np.uint64]

NEVER = 1 << 15
"""A trigger that asks for this many symbols is never met."""

FIELD = 16
FIELD_MASK = (1 << FIELD) - 1
"""Several counts of one window share an integer, each in a field of 16 bits."""

MOST_SPINS = 1 << 20
"""A feature that plays this many spins is taken to have no end."""

LARGEST_ROUND = 1 << 31
"""Wins of a round stay below this many units."""

LARGEST, STATUS = 0, 1
"""Places in ``peak``."""
ENDLESS_HOLD, ENDLESS_FREE, WIN_TOO_LARGE = 1, 2, 3
"""Values of ``peak[STATUS]``; 0 is all well."""

MOST_KEYS = 16
"""Counts by Keys of one feature keep this many apart; the last place means that many or more."""

MOST_SCATTERS = 15
WIN_CELLS = 1 << 19
"""Round wins are counted one unit apart below this many units; the last place means that many or more."""

SUMS = (
    "rounds",
    "win",
    "lines",
    "re_spins.lines",
    "re_spins.fortune_wins",
    "free_spins.lines",
    "free_spins.fortune_wins",
    "hits",
    "re_spins",
    "re_spins.played",
    "free_spins",
    "free_spins.played",
    "free_spins.hits",
    "free_spins.added",
    "free_spins.collected",
    "free_spins.bonus",
    "free_spins.keys",
    "keys.won",
    "keys.saved",
    "keys.used",
    "keys.banked",
)
(
    ROUNDS,
    WIN,
    LINES,
    RE_LINES,
    RE_FORTUNE,
    FREE_LINES,
    FREE_FORTUNE,
    HITS,
    RE_COUNT,
    RE_PLAYED,
    FREE_COUNT,
    FREE_PLAYED,
    FREE_HITS,
    FREE_ADDED,
    FREE_COLLECTED,
    FREE_BONUS,
    FREE_KEYS,
    KEYS_WON,
    KEYS_SAVED,
    KEYS_USED,
    KEYS_BANKED,
) = range(len(SUMS))

SQUARES = (
    "win",
    "lines",
    "re_spins.lines",
    "re_spins.fortune_wins",
    "free_spins.lines",
    "free_spins.fortune_wins",
    "re_spins",
    "free_spins",
)
"""Sums of squares, each of one round's (or feature's) amount, kept as two halves of 32 bits."""
(
    SQ_WIN,
    SQ_LINES,
    SQ_RE_LINES,
    SQ_RE_FORTUNE,
    SQ_FREE_LINES,
    SQ_FREE_FORTUNE,
    SQ_RE,
    SQ_FREE,
) = range(len(SQUARES))


class RoundLog(NamedTuple):
    """Where the wins of rounds go one by one."""

    won: Ints
    """[round] units won; of length 0 where they aren't wanted."""
    session: int
    """Every so many rounds, the first included, another player begins with nothing; 0: the same player goes on."""


NO_LOG = RoundLog(np.zeros(0, np.int64), 0)


class CodexCounts(NamedTuple):
    """Named parts of the flat array of counts; kernels add to them."""

    sums: Ints
    base_hits: Ints
    """[winning symbol, Wild last][length]: lines won in base spins."""
    free_hits: Ints
    """The same in free spins."""
    final_hits: Ints
    """[collectable][length]: lines won on the final boards of the hold-and-spin."""
    scatters: Ints
    """[a line was won][trigger symbols in sight]: base spins."""
    collectables: Ints
    """[symbol]: hold-and-spins by collectable."""
    start_held: Ints
    final_held: Ints
    """[cells held]: hold-and-spins by the cells held at their start and end."""
    re_spins: Ints
    """[free spins follow][step - 1][Keys won]: hold-and-spins."""
    saves: Ints
    """The same, only where the player saved."""
    re_fortune: Ints
    free_fortune: Ints
    """[level - 1][step - 1]: wins of the ladder paid."""
    wheel_spins: Ints
    wheel_collectable: Ints
    wheel_keys: Ints
    """[value, in the order of the definition]: stops of the three tiers."""
    free_used: Ints
    """[banked Keys used]: free-spin features."""


class LineTables(NamedTuple):
    """How lines pay, in units. A symbol's column is its place among the regular ones, the Wild's is the last."""

    pay: Ints
    """[symbol][run length]; 0 where nothing is paid."""
    prefix: Words
    """[line][k]: the cells of the first k reels of a line."""
    shortest: int
    columns: int
    """Columns of a word of 64 lines in ``ReelTables.lines_of``: the symbols, padded."""
    best_symbol: int
    counts_as: int


class ReelTables(NamedTuple):
    """All windows of all sets of reels, one row of a table each; set 0 is the base game's."""

    first: Words
    length: Words
    """[set][reel]: the row of a strip's stop 0, and its stops."""
    lines_of: Words
    """[row][word x columns + symbol]: the lines on which the window shows the symbol or the Wild."""
    cells_of: Words
    """[row][symbol]: the cells that show exactly the symbol, over all symbols of the game."""


class HoldTables(NamedTuple):
    """The hold-and-spin. Weights are by [stage][reel]; a reel without Keys has key weight 0."""

    least: int
    last_resort: int
    by_strips: int
    stage_start: Ints
    collectable: Words
    collectable_or_key: Words
    total: Words
    strip_length: Words
    strip_collectable: Words
    strip_key: Words
    """[reel][stop]: cells that show it; used only where the re-spins run on strips."""
    most_keys: int
    per_step: int
    ladder: Ints
    start_level: int
    saved_level: int


class FreeTables(NamedTuple):
    """Free spins. Wheels are [tier][value] cumulative weights, in the order of the definition."""

    least: int
    cumulative: Words
    total: Words
    spins: Ints
    collectable: Ints
    keys: Ints
    set_of: Ints
    extra: Ints
    """[row]: Keys in sight, spins added << 16, meter added by the bonus symbol << 32."""
    shown: Ints
    """[row][symbol]: how many cells show it, over all symbols."""
    most_keys: int
    per_step: int
    ladder: Ints
    start_level: int


class ChoiceTables(NamedTuple):
    """The player's choices, as in :class:`~workbench.simulate.strategy.StrategyTable`."""

    save: NDArray[np.uint8]
    use: NDArray[np.uint8]
    most_used: int


class CodexTables(NamedTuple):
    """All a kernel reads. ``trigger`` is [row]: hold triggers, plus free-spin triggers << 16."""

    lines: LineTables
    reels: ReelTables
    trigger: Ints
    hold: HoldTables
    free: FreeTables
    choice: ChoiceTables
