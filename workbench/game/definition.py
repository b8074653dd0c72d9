"""A game's rules as one frozen value, checked once: what is wrong can't be built."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, model_validator

from workbench.game.features import BankedKeys, Feature, FreeSpins, HoldAndSpin, Ladder, WheelValues
from workbench.game.frozen import Frozen, FrozenMap, OneLine, PlainNumber, Positive, SymbolName
from workbench.game.line_features import FreeGames
from workbench.game.strip_rules import StripRule

FORMAT = "workbench.game/1"
GAME_ID = r"^[a-z0-9][a-z0-9-]{0,59}$"

Pays = FrozenMap[Annotated[int, Field(ge=1), PlainNumber], Annotated[int, Field(ge=0, le=10**9)]]

_Kind = TypeVar("_Kind", bound=Frozen)


class Bet(Frozen):
    """The total bet, in the unit of the paytable."""

    coins: Positive


class Grid(Frozen):
    """Visible rows of each reel."""

    rows: tuple[Annotated[int, Field(ge=1, le=9)], ...] = Field(min_length=1, max_length=8)


class Symbols(Frozen):
    """All symbols: the regular ones best first, the Wild, and the special ones that never pay on a line."""

    regular: tuple[SymbolName, ...] = Field(min_length=1, max_length=40)
    wild: SymbolName | None = None
    special: tuple[SymbolName, ...] = ()
    tiers: FrozenMap[str, tuple[SymbolName, ...]] = Field(default_factory=dict)

    @property
    def all(self) -> tuple[str, ...]:
        """Every symbol: regular, Wild, special; a symbol's index in code is its place here."""
        return self.regular + ((self.wild,) if self.wild else ()) + self.special


class Wild(Frozen):
    """What the Wild stands for, what a leading run of Wilds pays as, and how it multiplies.

    leading_run
        With w leading Wilds and then a symbol s whose run with them is k long, the line pays the best of the Wilds' own
        run of w and of s's run of k (``own-pay``); of these and any symbol's run of w (``best-symbol``); or s's run of k
        alone, the Wilds' own run only where no symbol follows that they replace (``next-symbol``).
    counts_as
        The winning symbol of a line the Wilds win by themselves; the Wild if None.
    replaces
        The symbols it substitutes for; every regular symbol if None.
    multiplier, multiplies
        A win of another symbol in which a Wild takes part is multiplied: once, or once for each Wild.
    """

    leading_run: Literal["own-pay", "best-symbol", "next-symbol"]
    counts_as: SymbolName | None = None
    replaces: tuple[SymbolName, ...] | None = None
    multiplier: Annotated[int, Field(ge=1, le=1000)] = 1
    multiplies: Literal["once", "each"] = "once"


class Mixed(Frozen):
    """A combination of any of ``symbols`` from the left ("any bar"), Wilds among them; ``pays`` by length."""

    name: SymbolName
    symbols: tuple[SymbolName, ...] = Field(min_length=1, max_length=40)
    pays: Pays = Field(min_length=1)


class Anywhere(Frozen):
    """``symbol`` wherever it stands on a line: ``pays`` by number, without Wilds and without a multiplier."""

    symbol: SymbolName
    pays: Pays = Field(min_length=1)


class Reading(Frozen):
    """An assumption the rules document leaves open: its id, the settings that hold it, and what it says."""

    id: str = Field(pattern=r"^[A-Z]-[0-9]+$")
    settings: tuple[str, ...] = Field(min_length=1)
    says: str


class Contradictions(ValueError):
    """Parts of a definition that don't agree; ``lines`` are all of them, the message is the first."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__(lines[0])
        self.lines = tuple(lines)


class GameDefinition(Frozen):
    """The whole game. Reels, rows and stops count from 0; pays are in coins, ladders in total bets.

    ``sha256`` is the hash of the bytes the definition was read from.
    """

    format: Literal["workbench.game/1"]
    game: str = Field(pattern=GAME_ID)
    title: Annotated[str, Field(min_length=1, max_length=100), OneLine]
    rtp_profile: Literal["strategy", "variant"]
    win_cap: Literal["none"] | Annotated[float, Field(gt=0)]
    lines: tuple[tuple[Annotated[int, Field(ge=0)], ...], ...] = Field(min_length=1, max_length=1024)
    bet: Bet
    grid: Grid
    symbols: Symbols
    paytable: FrozenMap[SymbolName, Pays]
    wild: Wild | None = None
    mixed: tuple[Mixed, ...] = Field(default=(), max_length=20)
    anywhere: tuple[Anywhere, ...] = Field(default=(), max_length=3)
    features: tuple[Feature, ...] = ()
    strip_rules: tuple[StripRule, ...] = ()
    readings: tuple[Reading, ...] = ()
    sha256: str

    @model_validator(mode="after")
    def _consistent(self) -> GameDefinition:
        from workbench.game.consistency import problems

        found = problems(self)
        if found:
            raise Contradictions(found)
        return self

    @property
    def reel_count(self) -> int:
        """Number of reels."""
        return len(self.grid.rows)

    @cached_property
    def symbol_index(self) -> dict[str, int]:
        """Index of each symbol in ``symbols.all``."""
        return {name: i for i, name in enumerate(self.symbols.all)}

    def feature(self, name: str) -> Any:
        """The feature of that name; KeyError if the game has none."""
        for feature in self.features:
            if feature.name == name:
                return feature
        raise KeyError(name)

    def features_of(self, kind: type[_Kind]) -> tuple[_Kind, ...]:
        """The features of a kind, in the definition's order."""
        return tuple(f for f in self.features if isinstance(f, kind))

    def only(self, kind: type[_Kind]) -> _Kind | None:
        """The one feature of a kind, or None."""
        found = self.features_of(kind)
        return found[0] if found else None

    @property
    def hold_and_spin(self) -> HoldAndSpin | None:
        """The game's hold-and-spin, or None."""
        return self.only(HoldAndSpin)

    @property
    def free_spins(self) -> FreeSpins | None:
        """The game's free spins, or None."""
        return self.only(FreeSpins)

    @property
    def banked_keys(self) -> BankedKeys | None:
        """The game's banked keys, or None."""
        return self.only(BankedKeys)

    @property
    def wheels(self) -> tuple[WheelValues, ...]:
        """The game's wheels."""
        return self.features_of(WheelValues)

    @property
    def free_games(self) -> FreeGames | None:
        """The game's free games, or None."""
        return self.only(FreeGames)

    def ladder(self, name: str) -> Ladder:
        """The ladder of that name."""
        found = self.feature(name)
        assert isinstance(found, Ladder)
        return found

    def wheel(self, name: str) -> WheelValues:
        """The wheel of that name."""
        found = self.feature(name)
        assert isinstance(found, WheelValues)
        return found

    def setting(self, path: str) -> object:
        """The value a reading points to: attribute names joined by dots, features by their name.

        Raises KeyError when the path leads nowhere.
        """
        if path.startswith("features."):
            for feature in self.features:
                head = f"features.{feature.name}."
                if path.startswith(head):
                    return _walk(feature, path.removeprefix(head))
            raise KeyError(path)
        return _walk(self, path)


def _walk(value: object, path: str) -> object:
    for part in path.split("."):
        if not hasattr(value, part):
            raise KeyError(path)
        value = getattr(value, part)
    return value
