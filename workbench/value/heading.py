"""What heads every table of figures: which strips, which definition, which version, which readings."""

from __future__ import annotations

from typing import Any

from workbench import __version__
from workbench.game.definition import GameDefinition
from workbench.reels.files import strip_set_sha256
from workbench.reels.strip_set import StripSet

FORMAT = "workbench.figures/1"


def heading(game: GameDefinition, strips: StripSet, sha256: str | None) -> dict[str, Any]:
    """The head of a table of figures; ``sha256`` is that of the file the set was read from (None: of its canonical file)."""
    return {
        "format": FORMAT,
        "game": game.game,
        "strip_set": strips.name,
        "sha256": sha256 or strip_set_sha256(strips),
        "definition_sha256": game.sha256,
        "workbench_version": __version__,
        "assumptions": [reading.id for reading in game.readings],
    }
