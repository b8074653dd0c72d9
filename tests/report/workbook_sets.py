"""The strip sets that workbooks are made for in the tests, and the edits made in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from new_game import FILES, FULL, TEXT, definition

from workbench.game import find_game, load_definition
from workbench.game.definition import GameDefinition
from workbench.reels.files import load_strip_set, parse_strip_set
from workbench.reels.strip_set import StripSet

ROOT = Path(__file__).parents[2]

Played = tuple[GameDefinition, StripSet]


def shipped(game: str, name: str) -> Played:
    """A shipped set."""
    found = load_definition(find_game(game))
    return found, load_strip_set(ROOT / "strips" / game / f"{name}.json", found)


def _own(text: str, change: Any) -> Played:
    table = json.loads(FILES["starter.json"])
    change(table)
    game = definition(text)
    return game, parse_strip_set(json.dumps(table).encode(), game, "starter.json")


def full() -> Played:
    """The game of ``workbench new`` with every commented-out example in force."""

    def change(table: dict[str, Any]) -> None:
        table["wheels"]["chest.draws"] = {"1": 3, "2": 2, "3": 1}

    return _own(FULL, change)


def weighted() -> Played:
    """The game of ``workbench new`` on reels whose stops carry weights."""

    def change(table: dict[str, Any]) -> None:
        table["stop_weights"] = {
            name: [[1 + (7 * i + r) % 5 for i in range(len(strip))] for r, strip in enumerate(reels)]
            for name, reels in table["reels"].items()
        }

    return _own(TEXT, change)


SETS = {
    "codex": lambda: shipped("codex-of-fortune", "strategy"),
    "spellmaster": lambda: shipped("spellmaster", "rtp-92"),
    "full": full,
    "weighted": weighted,
}
