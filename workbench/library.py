"""From what a user types to what is evaluated: the file, its definition, its strip set, and what is odd about them.

``STRIPS`` is a path, or GAME/NAME for ``strips/GAME/NAME.json`` under the current folder, else under the project
an editable install stands in, else inside the package. ``--game`` is a definition file or the id of a shipped game; without it the file
says which game it is for: a shipped one, else that of ``GAME.toml`` in the folder of the file. GAME by itself is a
shipped game, else that of ``strips/GAME/GAME.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from os.path import exists, isfile
from pathlib import Path

from workbench.errors import UsageError, WorkbenchError
from workbench.game.definition import GameDefinition
from workbench.game.load import definition_for, is_game_id, load_definition, shipped_games
from workbench.game.strip_rules import StripRule
from workbench.reels.breaches import Breach, breaches
from workbench.reels.files import parse_strip_set, peek_game, read_file, sha256_of
from workbench.reels.strip_set import StripSet

GAME_AND_NAME = re.compile(r"^[a-z0-9][a-z0-9-]{0,59}/[A-Za-z0-9][A-Za-z0-9._+-]{0,79}$")
BESIDE = (".figures", ".target", ".manifest")


@dataclass(frozen=True)
class Loaded:
    """A strip set as it was found: its file, the SHA-256 of its bytes, and the definition it is read with."""

    path: Path
    sha256: str
    game: GameDefinition
    strips: StripSet

    @property
    def definition_matches(self) -> bool:
        """Whether the set was made for the very definition in use."""
        return self.strips.definition_sha256 == self.game.sha256

    def breaches(self, extra: Sequence[StripRule] = ()) -> tuple[Breach, ...]:
        """Every breach of the definition's strip rules and of extra ones."""
        return breaches(self.strips, self.game, extra)

    def beside(self, suffix: str) -> Path:
        """The file that goes with the set: ``<name>.<suffix>`` in its folder."""
        return self.path.with_name(f"{self.path.name.removesuffix('.json')}.{suffix}")


def strips_folders() -> tuple[Path, ...]:
    """Where GAME/NAME is looked for, in order."""
    here, package = Path("strips"), Path(__file__).parent
    project = package.parent
    if not (project / "pyproject.toml").is_file():
        return (here, package / "strips")
    return (here,) if project == Path.cwd() else (here, project / "strips")


def strip_sets(game: str) -> dict[str, Path]:
    """The strip sets of a game that GAME/NAME reaches: name to file, sorted by name."""
    found: dict[str, Path] = {}
    for folder in reversed(strips_folders()):
        for path in (folder / game).glob("*.json"):
            if path.is_file() and not path.stem.endswith(BESIDE):
                found[path.stem] = path
    return dict(sorted(found.items()))


def known_games() -> dict[str, Path]:
    """The shipped games and then those under ``strips/``: id to definition file, each part sorted by id."""
    own: dict[str, Path] = {}
    for folder in reversed(strips_folders()):
        for path in folder.glob("*/*.toml"):
            if path.stem == path.parent.name and is_game_id(path.stem) and path.is_file():
                own[path.stem] = path
    shipped = shipped_games()
    return shipped | {game: path for game, path in sorted(own.items()) if game not in shipped}


def find_definition(game: str) -> Path:
    """The definition file of a game by its id; UsageError names the games there are."""
    games = known_games()
    if game not in games:
        raise UsageError(
            f"game: must be one of {', '.join(games)} or have its definition under strips/GAME/GAME.toml,"
            f" but got {game!r}"
        )
    return games[game]


def find_strips(argument: str) -> Path:
    """The file of a strip set; UsageError says what would have been found."""
    if not isfile(argument) and GAME_AND_NAME.match(argument):
        for folder in strips_folders():
            named = folder / f"{argument}.json"
            if named.is_file():
                return named
    if exists(argument):
        return Path(argument)
    known = [f"{game}/{name}" for game in known_games() for name in strip_sets(game)]
    text = ", ".join(known) if known else "there are none yet"
    raise UsageError(
        f"{argument}: must be the path of a strip set or GAME/NAME of one under strips/ ({text})"
    )


def pick_definition(game: str | None, data: bytes, where: str) -> GameDefinition:
    """The definition that ``--game`` names, else that of the game in the strip set's bytes."""
    if game is None:
        return load_definition(definition_for(peek_game(data, where), Path(where)))
    games = known_games()
    if game in shipped_games() or (game in games and not exists(game)):
        return load_definition(games[game])
    if not exists(game):
        known = ", ".join(games)
        raise UsageError(f"--game: must be the path of a definition or one of {known}, but got {game!r}")
    return load_definition(Path(game))


def load(argument: str, game: str | None = None) -> Loaded:
    """Read the strip set a command was given, with its definition."""
    path = find_strips(argument)
    data = read_file(path)
    definition = pick_definition(game, data, str(path))
    with located(path):
        strips = parse_strip_set(data, definition, str(path))
    return Loaded(path, sha256_of(data), definition, strips)


def warnings(loaded: Loaded) -> Iterator[str]:
    """What is odd about a set that is evaluated all the same, a line each: its definition, the rules it breaks."""
    if not loaded.definition_matches:
        yield (
            f"{loaded.path}: definition_sha256: made for definition {loaded.strips.definition_sha256[:16]},"
            f" evaluated with {loaded.game.sha256[:16]}"
        )
    for breach in loaded.breaches():
        yield f"{loaded.path}: {breach.text}"


@contextmanager
def located(path: Path) -> Iterator[None]:
    """Errors of what is done with a file begin with its path."""
    try:
        yield
    except WorkbenchError as error:
        text = str(error)
        if text.startswith(str(path)):
            raise
        raise type(error)(f"{path}: {text}") from None
