"""A line game that has a bit of everything, as a table to change, and a strip set of it."""

from __future__ import annotations

import copy
from typing import Any

from workbench.game import GameDefinition
from workbench.reels.strip_set import StripSet, Weights

Table = dict[str, Any]


TABLE: Table = {
    "format": "workbench.game/1",
    "game": "three-bars",
    "title": "Three bars",
    "rtp_profile": "variant",
    "win_cap": "none",
    "lines": [[0, 0, 0], [1, 1, 1], [2, 2, 2], [0, 1, 2], [2, 1, 0]],
    "bet": {"coins": 5},
    "grid": {"rows": [3, 3, 3]},
    "symbols": {"regular": ["Seven", "Bar", "Cherry"], "wild": "Wild", "special": ["Scatter", "Coin"]},
    "paytable": {"Seven": {"3": 100}, "Bar": {"3": 20}, "Cherry": {"2": 2, "3": 5}, "Wild": {"3": 500}},
    "wild": {"leading_run": "best-symbol", "multiplier": 2, "multiplies": "each"},
    "features": [
        {"kind": "wheel", "name": "prizes", "values": ["1", "2.5", "20"]},
        {
            "kind": "scatter_pays",
            "name": "scatters",
            "symbol": "Scatter",
            "reels": [0, 1, 2],
            "pays": {"2": 1, "3": 4},
            "per": "total-bet",
        },
        {
            "kind": "free_games",
            "name": "free_games",
            "reels": "free",
            "multiplier": 3,
            "scatter": {
                "symbol": "Scatter",
                "reels": [0, 1, 2],
                "spins": {"2": 4, "3": 8},
                "spins_in_free_games": {"2": 2, "3": 8},
            },
        },
        {
            "kind": "bonus",
            "name": "coins",
            "line": {"symbol": "Coin", "least": 2},
            "prizes": "prizes",
            "per": "line-bet",
        },
    ],
    "readings": [],
}


def table(**others: Any) -> Table:
    """Three reels, five lines, a Wild that doubles, Scatters that award free games, a bonus by line; a fresh copy."""
    return {**copy.deepcopy(TABLE), **others}


def strips_of(game: GameDefinition, **others: Any) -> StripSet:
    base = ("Seven", "Bar", "Cherry", "Coin", "Bar", "Wild", "Cherry", "Scatter", "Bar", "Cherry")
    free = (
        "Seven",
        "Bar",
        "Cherry",
        "Coin",
        "Bar",
        "Wild",
        "Cherry",
        "Seven",
        "Bar",
        "Cherry",
        "Scatter",
        "Seven",
    )
    reels = {
        name: (strip, strip[::-1], strip[3:] + strip[:3]) for name, strip in (("base", base), ("free", free))
    }
    wheels = {"prizes": Weights("prizes", ("1", "2.5", "20"), (5, 3, 1))}
    return StripSet(game.game, game.sha256, "small", {**reels, **others}, {}, wheels)
