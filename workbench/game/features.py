"""The kinds of feature a game can be made of: a closed union, each a frozen value.

A feature is named; other features, strip sets and figures refer to it by that name.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from workbench.game.frozen import Frozen, Positive, ReelIndex, SymbolName

NoLimit = Literal["no-limit"]


class Trigger(Frozen):
    """At least ``least`` of ``symbol`` in sight on ``reels``, with a paid line or regardless of one."""

    symbol: SymbolName
    reels: tuple[ReelIndex, ...]
    least: Positive
    line_win: Literal["required", "not-required"]


class KeyRule(Frozen):
    """Each ``symbol`` landing on ``reels`` awards a Key, ``at_most`` in one feature; beyond, it is a Blank."""

    symbol: SymbolName
    reels: tuple[ReelIndex, ...]
    at_most: NoLimit | Positive


class HoldMeter(Frozen):
    """Step 1 + held // ``per_step``; the cells held at the start count."""

    per_step: Positive
    start_board: Literal["counts"]


class BonusSymbol(Frozen):
    """Each ``symbol`` in sight on ``reels`` adds ``adds`` to the meter."""

    symbol: SymbolName
    reels: tuple[ReelIndex, ...]
    adds: Positive


class SpinMeter(Frozen):
    """Step 1 + meter // ``per_step``; the meter counts visible collectables and the bonus symbol."""

    per_step: Positive
    counts: Literal["collectables"]
    bonus: BonusSymbol | None = None


class Retrigger(Frozen):
    """Each ``symbol`` in sight on ``reels`` adds ``spins_each`` free spins."""

    symbol: SymbolName
    reels: tuple[ReelIndex, ...]
    spins_each: Literal[1]
    at_most: NoLimit


class SpinWheels(Frozen):
    """The names of the three wheels that start the free spins."""

    spins: str
    collectable: str
    keys: str


class _Feature(Frozen):
    name: str = Field(pattern=r"^[a-z][a-z0-9_.]*$", max_length=60)


class Ladder(_Feature):
    """Prizes by level (rows, from 1) and step (columns, from 1), in total bets."""

    kind: Literal["ladder"]
    table: tuple[tuple[Annotated[float, Field(ge=0, le=1e9)], ...], ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _rectangular(self) -> Ladder:
        if len({len(row) for row in self.table}) != 1 or not self.table[0]:
            raise ValueError(
                f"every level must have the same number of steps, but got {[len(r) for r in self.table]}"
            )
        return self

    @property
    def levels(self) -> int:
        """Number of levels."""
        return len(self.table)

    @property
    def steps(self) -> int:
        """Number of steps."""
        return len(self.table[0])


class HoldAndSpin(_Feature):
    """Winning symbols are held while the open cells spin until nothing lands (the Re-Spins of Codex)."""

    kind: Literal["hold_and_spin"]
    trigger: Trigger
    collectable: Literal["highest-order"]
    wild_only_lines: Literal["count", "last-resort"]
    spun: Literal["position-reels", "strips"]
    held_symbol: SymbolName
    blank_symbol: SymbolName
    key: KeyRule
    meter: HoldMeter
    ladder: str
    start_level: Positive
    final_lines: Literal["held-only"]


class FreeSpins(_Feature):
    """Free spins begun by a wheel, with a meter, a ladder and retriggers (the Free Spins of Codex)."""

    kind: Literal["free_spins"]
    trigger: Trigger
    reels: str
    collectable_tiers: tuple[str, ...]
    wheel_tiers: Literal["independent"]
    wheels: SpinWheels
    retrigger: Retrigger
    meter: SpinMeter
    key: KeyRule
    ladder: str
    start_level: Positive
    triggers_hold_and_spin: Literal["never"]


class WheelValues(_Feature):
    """A wheel: the values a strip set may give weights to."""

    kind: Literal["wheel"]
    values: tuple[Annotated[str, Field(min_length=1, max_length=40)], ...] = Field(min_length=1)


class BankedKeys(_Feature):
    """Keys won in one feature, used at once or saved for the start of another: the player's choice."""

    kind: Literal["banked_keys"]
    won_in: str
    used_in: str
    save: Literal["all-or-none"]
    saved_level: Positive
    free_spins_known: Literal["before-saving"]
    use_at_most: Positive
    order: Literal["re-spins-first"]
    kept: Literal["per-bet"]
    bank: Literal["unbounded"]


Feature = Annotated[Ladder | HoldAndSpin | FreeSpins | WheelValues | BankedKeys, Field(discriminator="kind")]
