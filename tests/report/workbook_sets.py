"""The strip sets that workbooks are made for in the tests, and the edits made in them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from new_game import FILES, FULL, TEXT, definition

from workbench.game import find_game, load_definition
from workbench.game.definition import GameDefinition
from workbench.game.load import parse_definition
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


HOSTILE = ["=1+1", "+A*", "-B?", "@SUM(A1)", 'say "no"', "~tilde", "<script>", "../../x", "'quoted", "1e3"]


def hostile(symbols: Sequence[str] = HOSTILE) -> Played:
    """A line game whose symbols would be formulas, patterns, numbers or markup if they weren't texts."""
    names = ", ".join("'''" + s + "'''" if "'" not in s else '"' + s + '"' for s in symbols)
    pays = "\n".join(
        ("'''" + s + "'''" if "'" not in s else '"' + s + '"').replace("'''", "'") + " = { 3 = 5 }"
        for s in symbols
    )
    text = f"""
format = "workbench.game/1"
game = "hostile"
title = "=HYPERLINK(1)"
rtp_profile = "variant"
win_cap = "none"
lines = [[0, 0, 0], [1, 1, 1]]
[bet]
coins = 2
[grid]
rows = [2, 2, 2]
[symbols]
regular = [{names}]
[paytable]
{pays}
"""
    game = parse_definition(text.encode(), "hostile.toml")
    reels = tuple((*symbols[r:], *symbols[: r + 2]) for r in range(3))
    return game, StripSet(game.game, game.sha256, "hostile", {"base": reels}, {}, {})


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
