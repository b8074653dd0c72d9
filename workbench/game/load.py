"""Definitions from TOML: shipped ones by id, a user's own by path."""

from __future__ import annotations

import hashlib
import json
import tomllib
from pathlib import Path

from pydantic import ValidationError

from workbench.errors import DefinitionError, FileError, UsageError
from workbench.game.definition import GameDefinition

GAMES_FOLDER = Path(__file__).parent.parent / "games"
MAX_DEFINITION_BYTES = 1 << 20


def shipped_games() -> dict[str, Path]:
    """The games that come with the workbench: id to definition file, sorted by id."""
    paths = sorted(p for p in GAMES_FOLDER.glob("*.toml") if not p.name.endswith(".target.toml"))
    return {path.stem: path for path in paths}


def find_game(game: str) -> Path:
    """The definition file of a shipped game; UsageError names the games there are."""
    games = shipped_games()
    if game not in games:
        raise UsageError(f"game: must be one of {', '.join(games)}, but got {game!r}")
    return games[game]


def load_definition(path: Path) -> GameDefinition:
    """Read and check a definition.

    Raises DefinitionError with the file, the place, what was found and what is allowed.

    >>> load_definition(find_game("codex-of-fortune")).reel_count
    5
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_DEFINITION_BYTES + 1)
    except OSError as error:
        raise FileError(f"{path}: can't be read ({error.strerror})") from None
    if len(data) > MAX_DEFINITION_BYTES:
        raise DefinitionError(f"{path}: a definition has at most {MAX_DEFINITION_BYTES} bytes")
    return parse_definition(data, str(path))


def parse_definition(data: bytes, where: str) -> GameDefinition:
    """A definition from the bytes of its file; ``where`` heads the error lines."""
    try:
        table = tomllib.loads(data.decode())
        text = json.dumps({**table, "sha256": hashlib.sha256(data).hexdigest()}, default=str)
    except (ValueError, RecursionError) as error:  # of UTF-8, of TOML, of numbers with thousands of digits
        raise DefinitionError(f"{where}: not a TOML file ({error})") from None
    if "sha256" in table:
        raise DefinitionError(f"{where}: sha256: is computed, not written in the file")
    try:
        return GameDefinition.model_validate_json(text)
    except ValidationError as error:
        raise DefinitionError(f"{where}: {first_problem(error)}") from None


def first_problem(error: ValidationError) -> str:
    """The first thing pydantic found, as "place: law (got value)" on one line."""
    detail = error.errors(include_url=False)[0]
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in detail["loc"])
    place = "".join(parts).lstrip(".")
    if detail["type"] == "value_error":
        text = str(detail["ctx"]["error"])
        return f"{place}: {text}" if place else text
    if detail["type"] in ("missing", "extra_forbidden"):
        return f"{place}: {detail['msg'].lower()}"
    got = json.dumps(detail["input"], default=str)
    return f"{place}: {detail['msg']}, but got {got if len(got) <= 60 else got[:57] + '...'}"
