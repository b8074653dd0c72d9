"""Sheets that the tests of reports share: the shipped ones as their files have them, and one of a game of lines."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from new_game import TEXT, definition, starter

from workbench.report.par_model import ParSheet, parse_par_json
from workbench.report.par_sheet import gather, par_sheet

SHIPPED = Path(__file__).parents[2] / "reports" / "par"
NAMES = ("codex-of-fortune/strategy", "spellmaster/rtp-92")
NASTY = '<script>alert("1")</script>'


def shipped(name: str) -> ParSheet:
    """The sheet of a shipped set, read from its file."""
    path = SHIPPED / name / "par.json"
    return parse_par_json(path.read_bytes(), str(path))


@cache
def line_sheet() -> ParSheet:
    """The sheet of the game that ``workbench new`` writes."""
    return par_sheet(gather(definition(), starter()))


@cache
def nasty_sheet() -> ParSheet:
    """A game with symbols and a title that would be markup if they weren't escaped."""
    text = TEXT.replace('"Pearl"', json.dumps(NASTY)).replace("\nPearl = ", f"\n{json.dumps(NASTY)} = ")
    text = text.replace('"Chest"', '"=1+1"').replace(
        'title = "My Game"', 'title = "</style><img src=x onerror=alert(2)>"'
    )
    return par_sheet(gather(definition(text), _renamed(text)))


def _renamed(text: str):
    from new_game import FILES

    from workbench.reels.files import parse_strip_set

    data = FILES["starter.json"].decode().replace('"Pearl"', json.dumps(NASTY)).replace('"Chest"', '"=1+1"')
    return parse_strip_set(data.encode(), definition(text), "starter.json")
