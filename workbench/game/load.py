"""Definitions from TOML: shipped ones by id, a user's own by path or beside a strip set."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from workbench.errors import DefinitionError, FileError, UsageError
from workbench.game.definition import GAME_ID, Contradictions, GameDefinition

GAMES_FOLDER = Path(__file__).parent.parent / "games"
MAX_DEFINITION_BYTES = 1 << 20
# What pydantic calls the key of an entry, where the key itself is wrong; the part before it is the key.
KEY = "[key]"


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


def definition_for(game: str, strips: Path) -> Path:
    """The definition of a strip set's game: the shipped one, else ``<game>.toml`` in the folder of the set.

    UsageError says where was looked.
    """
    games = shipped_games()
    if game in games:
        return games[game]
    known = ", ".join(games)
    if not is_game_id(game):
        raise UsageError(f"{strips}: game: must be one of {known} or fit {GAME_ID}, but got {game!r}")
    beside = strips.parent / f"{game}.toml"
    if not beside.is_file():
        raise UsageError(
            f"{strips}: game: must be one of {known} unless --game names a definition or {beside} is one,"
            f" but got {game!r}"
        )
    return beside


def is_game_id(text: str) -> bool:
    """Whether a text can be the id of a game, and so safely part of a path."""
    return re.fullmatch(GAME_ID, text) is not None and not text.endswith("\n")


def load_definition(path: Path) -> GameDefinition:
    """Read and check a definition.

    Raises DefinitionError with the file, the place, what was found and what is allowed.

    >>> load_definition(find_game("codex-of-fortune")).reel_count
    5
    """
    return parse_definition(_bytes_of(path), str(path))


def definition_problems(path: Path) -> tuple[GameDefinition | None, list[str]]:
    """The definition, or everything wrong with it: contradictions show once each part by itself is right.

    Raises FileError where there is no such file and DefinitionError where it isn't TOML.
    """
    try:
        return GameDefinition.model_validate_json(_as_json(_bytes_of(path), str(path))), []
    except ValidationError as error:
        return None, problems_of(error)


def _bytes_of(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_DEFINITION_BYTES + 1)
    except OSError as error:
        raise FileError(f"{path}: can't be read ({error.strerror})") from None
    if len(data) > MAX_DEFINITION_BYTES:
        raise DefinitionError(f"{path}: a definition has at most {MAX_DEFINITION_BYTES} bytes")
    return data


def parse_definition(data: bytes, where: str) -> GameDefinition:
    """A definition from the bytes of its file; ``where`` heads the error lines."""
    try:
        return GameDefinition.model_validate_json(_as_json(data, where))
    except ValidationError as error:
        raise DefinitionError(f"{where}: {problems_of(error)[0]}") from None


def _as_json(data: bytes, where: str) -> str:
    try:
        table = tomllib.loads(data.decode())
        text = json.dumps({**table, "sha256": hashlib.sha256(data).hexdigest()}, default=str)
    except (ValueError, RecursionError) as error:  # of UTF-8, of TOML, of numbers with thousands of digits
        raise DefinitionError(f"{where}: not a TOML file ({error})") from None
    if "sha256" in table:
        raise DefinitionError(f"{where}: sha256: is computed, not written in the file")
    return text


def problems_of(error: ValidationError) -> list[str]:
    """All that pydantic found, each as "place: law, but got value" on one line."""
    return [line for detail in error.errors(include_url=False) for line in _lines_of(detail)]


def _lines_of(detail: ErrorDetails) -> list[str]:
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in detail["loc"] if part != KEY)
    place = "".join(parts).lstrip(".")
    if detail["type"] == "value_error":
        raised = detail["ctx"]["error"]
        lines = raised.lines if isinstance(raised, Contradictions) else (str(raised),)
        return [f"{place}: {line}" if place else line for line in lines]
    if detail["type"] == "missing":
        return [f"{place}: is required, but is missing"]
    got = json.dumps(detail["input"], default=str, ensure_ascii=False)
    law = "is not a key of this table" if detail["type"] == "extra_forbidden" else detail["msg"]
    return [f"{place}: {law}, but got {got if len(got) <= 60 else got[:57] + '...'}"]
