"""The kinds of feature a game can be made of: a closed union, each a frozen value.

A feature is named; other features, strip sets and figures refer to it by that name.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Annotated, Literal

from pydantic import Field, model_validator

from workbench.game.frozen import FeatureName, Frozen, FrozenMap, Positive, ReelIndex, SymbolName
from workbench.game.line_features import Bonus, FreeGames, ScatterPays

NoLimit = Literal["no-limit"]
PartName = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]*$", max_length=40)]


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
    name: FeatureName


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
    """A wheel: the values a strip set may give weights to, and whether it must give one to each."""

    kind: Literal["wheel"]
    values: tuple[Annotated[str, Field(min_length=1, max_length=40)], ...] = Field(min_length=1)
    every_value: Literal["required", "optional"] = "optional"


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


class ModifierTrigger(_Feature):
    """Orbs in sight at the end of a spin may award modifiers; respins with the awarded set follow.

    ``modifiers`` maps a modifier to the colour that can award it, ``colours`` a colour to its Orb. A set of
    colours or modifiers is written as its names in alphabetical order, joined by "+".
    """

    kind: Literal["modifier_trigger"]
    colours: FrozenMap[PartName, SymbolName] = Field(min_length=1, max_length=6)
    modifiers: FrozenMap[PartName, PartName] = Field(min_length=1, max_length=6)
    wheel: str
    stash_levels: Literal["shows-only"] | Annotated[int, Field(ge=1, le=9)]

    @property
    def colour_sets(self) -> tuple[str, ...]:
        """Every non-empty set of colours: singles first, then by name."""
        return _subsets(self.colours)

    @property
    def modifier_sets(self) -> tuple[str, ...]:
        """Every non-empty set of modifiers: singles first, then by name."""
        return _subsets(self.modifiers)

    def awards(self, colours: str) -> tuple[str, ...]:
        """What a spin that shows this set of colours may award: "none", then sets of modifiers."""
        seen = set(colours.split("+"))
        return ("none", *(s for s in self.modifier_sets if {self.modifiers[m] for m in s.split("+")} <= seen))


class ChargeRule(Frozen):
    """Each Orb of the modifier adds a value of ``wheel`` to one Money symbol."""

    modifier: PartName
    wheel: str
    acts: Literal["on-landing", "every-respin"]


class MultiplyRule(Frozen):
    """Each Orb multiplies a number (``count_wheel``) of Money symbols by values of ``wheel``.

    A symbol is multiplied at most ``times`` times.
    """

    modifier: PartName
    wheel: str
    count_wheel: str
    times: Annotated[int, Field(ge=1, le=6)]
    multipliers: Literal["one-each", "one-for-all"]


class JackpotRule(Frozen):
    """Each Orb reveals a name of ``wheel``; every ``of_a_name``-th of a name pays its prize, in total bets."""

    modifier: PartName
    wheel: str
    of_a_name: Annotated[int, Field(ge=1, le=9)]
    prizes: FrozenMap[PartName, Annotated[float, Field(ge=0, le=1e9)]]
    after_award: Literal["cleared"]


class FullGrid(Frozen):
    """A grid full of Money pays ``pays`` total bets in place of all else in the round."""

    pays: Annotated[float, Field(gt=0, le=1e9)]
    in_place_of: Literal["round"]


class MoneyRespins(_Feature):
    """Respins on an empty grid that fills with Money, under a set of modifiers (the Respins of Spellmaster).

    ``rows`` are the open cells of each reel; ``rows_with`` replaces them while a modifier is in the set.
    A wheel in ``wheels_per_set`` exists once per modifier set, as ``<wheel>.<set>``.
    """

    kind: Literal["money_respins"]
    trigger: str
    respins: Annotated[int, Field(ge=1, le=20)]
    resets: Literal["money-and-orbs"]
    rows: tuple[Annotated[int, Field(ge=1, le=9)], ...] = Field(min_length=1, max_length=8)
    rows_with: FrozenMap[PartName, tuple[Annotated[int, Field(ge=1, le=9)], ...]] = Field(
        default_factory=dict
    )
    money_symbol: SymbolName
    blank_symbol: SymbolName
    money_wheel: str
    wheels_per_set: tuple[str, ...] = ()
    order: Literal["money-charge-multiply-jackpots"]
    charge: ChargeRule | None = None
    multiply: MultiplyRule | None = None
    jackpots: JackpotRule | None = None
    full_grid: FullGrid

    @property
    def rules(self) -> tuple[ChargeRule | MultiplyRule | JackpotRule, ...]:
        """The rules of the modifiers there are."""
        return tuple(rule for rule in (self.charge, self.multiply, self.jackpots) if rule is not None)

    @property
    def wheels(self) -> tuple[str, ...]:
        """The wheels the respins draw from."""
        counts = (self.multiply.count_wheel,) if self.multiply else ()
        return (self.money_wheel, *(rule.wheel for rule in self.rules), *counts)

    def cells(self, modifiers: str) -> int:
        """Cells that must fill under a set of modifiers."""
        rows = [self.rows_with[m] for m in modifiers.split("+") if m in self.rows_with]
        return max(sum(r) for r in (self.rows, *rows))


def _subsets(names: Iterable[str]) -> tuple[str, ...]:
    ordered = sorted(names)
    return tuple("+".join(c) for size in range(1, len(ordered) + 1) for c in combinations(ordered, size))


Feature = Annotated[
    Ladder
    | HoldAndSpin
    | FreeSpins
    | WheelValues
    | BankedKeys
    | ModifierTrigger
    | MoneyRespins
    | ScatterPays
    | FreeGames
    | Bonus,
    Field(discriminator="kind"),
]
