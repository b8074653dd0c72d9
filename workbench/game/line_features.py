"""Features of line games: Scatter pays, free games of a fixed number, bonuses of a given prize law.

What is counted in sight is counted over all visible cells of the reels named. A table by count says what happens
at each number of symbols; a number above the largest listed is treated as that one (``beyond = "as-most"``) or as
not listed (``"nothing"``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal, TypeVar

from pydantic import Field, model_validator

from workbench.game.frozen import FeatureName, Frozen, FrozenMap, PlainNumber, ReelIndex, SymbolName

Beyond = Literal["as-most", "nothing"]
Amount = Annotated[float, Field(ge=0, le=1e9)]
CellCount = Annotated[int, Field(ge=1, le=64)]
Spins = Annotated[int, Field(ge=0, le=1000)]
RunLength = Annotated[int, Field(ge=1, le=8)]
ByCount = Annotated[CellCount, PlainNumber]
ByLength = Annotated[RunLength, PlainNumber]
Factor = Annotated[int, Field(ge=1, le=1000)]

_Value = TypeVar("_Value", int, float)


def at_count(table: Mapping[int, _Value], count: int, beyond: Beyond) -> _Value | Literal[0]:
    """What a table by count gives for so many symbols in sight; 0 where nothing is listed.

    >>> at_count({3: 5, 5: 100}, 6, "as-most"), at_count({3: 5, 5: 100}, 4, "as-most"), at_count({3: 5}, 4, "nothing")
    (100, 0, 0)
    """
    if table and beyond == "as-most":
        count = min(count, max(table))
    return table.get(count, 0)


class ScatterPays(Frozen):
    """``symbol`` in sight on ``reels`` pays by its number, in total bets or in line bets (coins of the paytable)."""

    kind: Literal["scatter_pays"]
    name: FeatureName
    symbol: SymbolName
    reels: tuple[ReelIndex, ...] = Field(min_length=1)
    pays: FrozenMap[ByCount, Amount] = Field(min_length=1)
    per: Literal["total-bet", "line-bet"]
    beyond: Beyond = "as-most"


class ScatterAwards(Frozen):
    """``symbol`` in sight on ``reels`` awards free games: ``spins`` in a paid spin, others in a free one."""

    symbol: SymbolName
    reels: tuple[ReelIndex, ...] = Field(min_length=1)
    spins: FrozenMap[ByCount, Spins] = Field(default_factory=dict)
    spins_in_free_games: FrozenMap[ByCount, Spins] = Field(default_factory=dict)
    beyond: Beyond = "as-most"


class LineAwards(Frozen):
    """Every line won awards free games by its winning combination; the awards of several lines add up."""

    spins: FrozenMap[SymbolName, FrozenMap[ByLength, Spins]] = Field(default_factory=dict)
    spins_in_free_games: FrozenMap[SymbolName, FrozenMap[ByLength, Spins]] = Field(default_factory=dict)


class Exemption(Frozen):
    """A combination whose win in free games is multiplied by ``multiplier`` instead."""

    symbol: SymbolName
    count: RunLength
    multiplier: Factor


class FreeGames(Frozen):
    """Free spins of a fixed number on the strips ``reels`` ("base" for the same), wins multiplied, retriggers without end."""

    kind: Literal["free_games"]
    name: FeatureName
    reels: str = Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=40)
    multiplier: Factor = 1
    scatter_multiplier: Factor | None = None
    exempt: tuple[Exemption, ...] = ()
    scatter: ScatterAwards | None = None
    lines: LineAwards | None = None

    @model_validator(mode="after")
    def _started(self) -> FreeGames:
        if self.scatter is None and self.lines is None:
            raise ValueError(
                "free games must be awarded by 'scatter', by 'lines' or by both, but have neither"
            )
        return self

    @property
    def scatter_factor(self) -> int:
        """What Scatter pays are multiplied by in free games."""
        return self.multiplier if self.scatter_multiplier is None else self.scatter_multiplier


class LineTrigger(Frozen):
    """A run of ``least`` or more of ``symbol`` on a line, from the left; each such line triggers."""

    symbol: SymbolName
    least: RunLength


class SightTrigger(Frozen):
    """``least`` or more of ``symbol`` in sight on ``reels``."""

    symbol: SymbolName
    reels: tuple[ReelIndex, ...] = Field(min_length=1)
    least: CellCount


class Bonus(Frozen):
    """A number of prizes, drawn from the wheel ``draws`` (one without it), each from the wheel ``prizes``; they add up.

    A line trigger pays once for each line, in line bets (coins) or total bets; a run that triggers takes the place of
    any other win of its line. In free games the prizes are as in a paid spin, multiplied like lines, or not given.
    """

    kind: Literal["bonus"]
    name: FeatureName
    line: LineTrigger | None = None
    in_sight: SightTrigger | None = None
    prizes: str
    draws: str | None = None
    per: Literal["total-bet", "line-bet"]
    in_free_games: Literal["same", "multiplied", "never"] = "same"

    @model_validator(mode="after")
    def _one_trigger(self) -> Bonus:
        if (self.line is None) == (self.in_sight is None):
            found = "neither" if self.line is None else "both"
            raise ValueError(f"a bonus must have one of the triggers 'line' and 'in_sight', but has {found}")
        return self
