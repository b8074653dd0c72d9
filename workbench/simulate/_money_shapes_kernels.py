"""Shapes and places of games whose Orbs award modifiers and whose respins fill a grid with Money.

Like ``_shapes_kernels`` they stand in a kernel file because compiled code holds them as constants.
A colour's number is its place in alphabetical order; a set of colours is a bit mask, a set of modifiers its place in the
definition's ``modifier_sets``.
"""

from __future__ import annotations

from typing import NamedTuple

from workbench.simulate._shapes_kernels import Ints, LineTables, ReelTables, Words

MOST_CELLS = 64
FIELD = 8
FIELD_MASK = (1 << FIELD) - 1

SUMS = (
    "rounds",
    "win",
    "lines",
    "respins.money",
    "respins.charge",
    "respins.multiply",
    "respins.jackpots",
    "respins.full_grid",
    "hits",
    "respins",
    "respins.played",
    "capped",
    "cut",
)
(
    ROUNDS,
    WIN,
    LINES,
    MONEY,
    CHARGE,
    MULTIPLY,
    JACKPOTS,
    FULL_GRID,
    HITS,
    RESPINS,
    PLAYED,
    CAPPED,
    CUT,
) = range(len(SUMS))

SQUARES = (
    "win",
    "lines",
    "respins.money",
    "respins.charge",
    "respins.multiply",
    "respins.jackpots",
    "respins.full_grid",
    "respins",
    "cut",
)
"""Places in the array of squares; from ``SQ_SETS`` on follow each modifier set's win and its five parts."""
SQ_WIN, SQ_LINES, SQ_MONEY, SQ_CHARGE, SQ_MULTIPLY, SQ_JACKPOTS, SQ_FULL_GRID, SQ_RESPINS, SQ_CUT = range(9)
SQ_SETS = 9
PARTS = ("money", "charge", "multiply", "jackpots", "full_grid")

OUT_MONEY, OUT_CHARGE, OUT_MULTIPLY, OUT_JACKPOT, OUTCOMES = range(5)
"""What a cell may land, in the order of cumulative weights; anything beyond is a Blank."""


class MoneyCounts(NamedTuple):
    """Named parts of the flat array of counts; wins are without the cut at the cap."""

    sums: Ints
    base_hits: Ints
    """[winning symbol, Wild last][length]"""
    triggers: Ints
    """[set of colours in sight][0 for none, or 1 + modifier set]"""
    levels: Ints
    """[colour][level after the spin]: only where stashes have levels."""
    parts: Ints
    """[modifier set][money, charge, multiply, jackpots, full grid]: wins."""
    played: Ints
    """[modifier set]: respins played."""
    filled: Ints
    """[modifier set][cells filled at the end]"""
    landed: Ints
    """[modifier set][outcome]: Money and Orbs landed."""
    money: Ints
    charge: Ints
    multiplier: Ints
    multiplied: Ints
    names: Ints
    """[modifier set][value]: values drawn from the wheels."""
    awards: Ints
    """[modifier set][name]: jackpots awarded."""


class TriggerTables(NamedTuple):
    """What a spin's Orbs may award. A wheel is a row; its values are cumulative weights."""

    orbs: Ints
    """[row of the windows]: Orbs in sight of each colour, each count in a field of 8 bits."""
    shown: Ints
    """[row of the windows]: colours in sight, as bits."""
    full: int
    """Level of a full stash; 1 where stashes only show."""
    keeps: int
    """Whether levels live on from spin to spin."""
    odds: Words
    """[sum over colours of level x (full + 1)^colour, for those in sight]: total weight of the wheel, cumulative
    weights before and with its heaviest value, and 1 + the modifier set this awards (0 for none)."""
    wheel_of: Ints
    """[place, as in ``odds``]: the wheel."""
    cumulative: Words
    award: Ints
    """[wheel][value]: modifier set, or -1."""
    colours: Ints
    """[modifier set][colour]: whether it resets the colour's level."""


class RespinTables(NamedTuple):
    """The respins by modifier set. Wheels are [set][value] cumulative weights; amounts are in units."""

    respins: int
    cells: Ints
    stage_of: Ints
    """[set][filled]: the position reel in force."""
    landing: Words
    """[position reel][outcome]: cumulative weights of Money and the three Orbs."""
    landing_total: Words
    money: Words
    money_value: Ints
    charge: Words
    charge_value: Ints
    charge_stays: int
    multiplier: Words
    factor: Ints
    divisor: Ints
    """A multiplier is ``factor`` / ``divisor``; units are fine enough for the division to be exact."""
    multiplied: Words
    multiplied_value: Ints
    times: int
    one_for_all: int
    jackpot: Words
    prize: Ints
    of_a_name: int
    full_grid: int
    cap: int


class MoneyTables(NamedTuple):
    """All a kernel reads."""

    lines: LineTables
    reels: ReelTables
    trigger: TriggerTables
    respins: RespinTables
