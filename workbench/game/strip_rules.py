"""Rules a strip should keep. They are data; :mod:`workbench.reels.breaches` lists what breaks them.

``reels`` names a reel set; a rule on ``free`` also governs ``free.<symbol>``. ``on`` limits a rule to
some reels, counted from 0; without it the rule holds on all.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from workbench.game.frozen import Frozen, Positive, ReelIndex, SymbolName


class _StripRule(Frozen):
    reels: str
    on: tuple[ReelIndex, ...] | None = None


class SymbolsRule(_StripRule):
    """Only these symbols stand on the strip."""

    kind: Literal["symbols"]
    symbols: tuple[SymbolName, ...]


class SpacingRule(_StripRule):
    """Two stops that both hold one of the symbols are at least ``apart`` stops apart, cyclically."""

    kind: Literal["spacing"]
    symbols: tuple[SymbolName, ...]
    apart: Positive


class CountRule(_StripRule):
    """Each of the symbols stands ``least`` to ``most`` times on each strip."""

    kind: Literal["count"]
    symbols: tuple[SymbolName, ...]
    least: int = Field(default=0, ge=0)
    most: int = Field(default=2**31, ge=0)


class ShareRule(_StripRule):
    """Each of the symbols takes at most the fraction ``most`` of each strip."""

    kind: Literal["share"]
    symbols: tuple[SymbolName, ...]
    most: float = Field(gt=0, le=1)


class StackRule(_StripRule):
    """No run of equal neighbours (cyclically) of these symbols is longer than ``most``."""

    kind: Literal["stack"]
    symbols: tuple[SymbolName, ...]
    most: Positive


class LengthRule(_StripRule):
    """Each strip has ``least`` to ``most`` stops."""

    kind: Literal["length"]
    least: Positive
    most: Positive


class InSightRule(_StripRule):
    """No window shows more than ``most`` of a symbol, all reels of the rule together."""

    kind: Literal["in_sight"]
    symbols: tuple[SymbolName, ...]
    most: Positive


class TiersRule(_StripRule):
    """Over all strips together, a symbol of a better tier is on average no more frequent than a worse one."""

    kind: Literal["tiers"]
    tiers: tuple[str, ...]


StripRule = Annotated[
    SymbolsRule | SpacingRule | CountRule | ShareRule | StackRule | LengthRule | InSightRule | TiersRule,
    Field(discriminator="kind"),
]
