"""The game of ``workbench new`` with strips so short that all swaps are worked out in seconds."""

from __future__ import annotations

import json
from pathlib import Path

from new_game import write_game

STOPS = 9


def write_small(folder: Path) -> Path:
    """The game's files in a folder; that of its strip set."""
    write_game(folder)
    path = folder / "starter.json"
    table = json.loads(path.read_text())
    table["reels"] = {n: [strip[:STOPS] for strip in reels] for n, reels in table["reels"].items()}
    path.write_text(json.dumps(table))
    return path
