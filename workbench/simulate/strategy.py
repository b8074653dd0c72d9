"""The player's choices as a table, and the named strategies that need no solving.

The simulator knows no values: a solved strategy (worst, optimal) arrives here as a finished table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.errors import UsageError
from workbench.game import GameDefinition

Choices = NDArray[np.uint8]


@dataclass(frozen=True)
class StrategyTable:
    """What a player does, 1 for yes and 0 for no.

    ``save[fs_follows][step - 1][keys][banked]``: save the Keys just won, with ``banked`` Keys before the choice.
    ``use[banked]``: use banked Keys at the start of Free Spins. The last index of ``keys`` and of ``banked``
    stands for that many or more. Raises UsageError for another shape or other entries.
    """

    name: str
    save: Choices
    use: Choices

    def __post_init__(self) -> None:
        for field, dimensions in (("save", 4), ("use", 1)):
            table = np.ascontiguousarray(getattr(self, field), dtype=np.uint8)
            if table.ndim != dimensions or table.size == 0 or table.max() > 1:
                raise UsageError(
                    f"strategy {self.name}: {field} must be a table of 0 and 1 with {dimensions} indices,"
                    f" but got shape {table.shape}"
                )
            table.flags.writeable = False
            object.__setattr__(self, field, table)
        if self.save.shape[0] != 2:
            raise UsageError(f"strategy {self.name}: save must have 2 parts, but got {self.save.shape[0]}")

    @property
    def banks_and_uses(self) -> bool:
        """Whether some choice saves and some choice uses Keys, so that a round depends on those before it."""
        return bool(self.save.any() and self.use.any())

    def saves(self, fs_follows: bool, step: int, keys: int, banked: int) -> bool:
        """Whether the player saves ``keys`` Keys won at ``step`` (from 1)."""
        by_keys = self.save[int(fs_follows), step - 1]
        row = by_keys[min(keys, len(by_keys) - 1)]
        return bool(row[min(banked, len(row) - 1)])

    def uses(self, banked: int) -> bool:
        """Whether the player uses banked Keys at the start of Free Spins."""
        return bool(self.use[min(banked, len(self.use) - 1)])

    def to_json(self) -> dict[str, Any]:
        """The table as plain lists."""
        return {"name": self.name, "save": self.save.tolist(), "use": self.use.tolist()}


def strategy_from_json(table: object) -> StrategyTable:
    """A table from the JSON of :meth:`StrategyTable.to_json`; UsageError if it isn't one."""
    if not isinstance(table, Mapping) or not {"name", "save", "use"} <= set(table):
        raise UsageError("strategy: must be a table with the keys name, save and use")
    try:
        save, use = (np.array(table[key]) for key in ("save", "use"))
    except ValueError:
        raise UsageError("strategy: save and use must be rectangular lists of 0 and 1") from None
    if save.dtype.kind not in "iu" or use.dtype.kind not in "iu" or min(save.min(), use.min()) < 0:
        raise UsageError("strategy: save and use must be lists of 0 and 1")
    return StrategyTable(
        str(table["name"]), np.minimum(save, 2).astype(np.uint8), np.minimum(use, 2).astype(np.uint8)
    )


def steps_of(game: GameDefinition) -> int:
    """Steps of the hold-and-spin's ladder; 1 for a game without one."""
    return game.ladder(game.hold_and_spin.ladder).steps if game.hold_and_spin else 1


def _uniform(game: GameDefinition, name: str, save: int, use: list[int]) -> StrategyTable:
    shape = (2, steps_of(game), 2, 1)
    return StrategyTable(name, np.full(shape, save, np.uint8), np.array(use, np.uint8))


def named_strategies(game: GameDefinition) -> dict[str, StrategyTable]:
    """The strategies that are rules of thumb: use at once, never use, or save all and use at 3, 1 or 2."""
    always_from = {"advertised": 3, "always-save-use-at-1": 1, "always-save-use-at-2": 2}
    tables = {
        "never-save": _uniform(game, "never-save", 0, [0]),
        "save-never-use": _uniform(game, "save-never-use", 1, [0]),
    }
    for name, least in always_from.items():
        tables[name] = _uniform(game, name, 1, [0] * least + [1])
    return tables


def strategy_from_policy(game: GameDefinition, name: str, policy: Mapping[str, Any]) -> StrategyTable:
    """The table of an ``optimal_policy`` as figures carry it: ``advertised`` but for its exceptions.

    An exception gives ``decision`` ("save" or "use"), ``banked`` (a number, or [first, last] with None for "and more"),
    for a save ``step``, ``keys`` and ``free_spins_follow``, and the choice under ``optimal`` ("save", "use", "keep").
    Raises UsageError where something is missing.
    """
    try:
        exceptions = [dict(entry) for entry in policy.get("exceptions", [])]
        runs = [_run(entry["banked"]) for entry in exceptions]
        keys = max([1, *(int(e.get("keys") or 0) for e in exceptions)]) + 1
        most = game.banked_keys.use_at_most if game.banked_keys else 0
        banked = max([most, *(low if high is None else high for low, high in runs)]) + 1
        save = np.ones((2, steps_of(game), keys + 1, banked + 1), np.uint8)
        use = (np.arange(banked + 1) >= most).astype(np.uint8)
        for entry, (low, high) in zip(exceptions, runs, strict=True):
            banks = slice(low, None if high is None else high + 1)
            if entry["decision"] == "use":
                use[banks] = entry["optimal"] == "use"
            else:
                place = (int(entry["free_spins_follow"]), int(entry["step"]) - 1, int(entry["keys"]))
                save[place][banks] = entry["optimal"] == "save"
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise UsageError(f"optimal_policy: an exception can't be read ({error!r})") from None
    return StrategyTable(name, save, use)


def _run(banked: Any) -> tuple[int, int | None]:
    """First and last bank of an exception; None for no last."""
    if isinstance(banked, int):
        return banked, banked
    low, high = banked
    return int(low), None if high is None else int(high)
