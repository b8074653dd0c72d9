"""The game ``workbench new`` writes, as it is and with every commented-out example in force."""

from __future__ import annotations

import re
from pathlib import Path

from workbench.commands.new import _files
from workbench.game.load import parse_definition
from workbench.reels.files import parse_strip_set

GAME = "my-game"
FILES = _files(GAME)
TEXT = FILES[f"{GAME}.toml"].decode()
FULL = re.sub(r"^#(?! |$)", "", TEXT, flags=re.MULTILINE)


def definition(text: str = TEXT):
    """The definition of a text."""
    return parse_definition(text.encode(), f"{GAME}.toml")


def starter(text: str = TEXT):
    """The starter set, read with the definition of a text."""
    return parse_strip_set(FILES["starter.json"], definition(text), "starter.json")


def write_game(folder: Path, text: str = TEXT) -> None:
    """The files of the game, its definition with another text."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in FILES.items():
        (folder / name).write_bytes(text.encode() if name == f"{GAME}.toml" else data)
