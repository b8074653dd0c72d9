"""``workbench new``: a game to start from."""

from __future__ import annotations

import shlex
from os.path import lexists
from pathlib import Path

import click

from workbench.commands.output import path_text, print_json, print_lines

STARTER = "starter"


@click.command("new")
@click.argument("game")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for the files; else strips/GAME.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def new_command(game: str, out: Path | None, as_json: bool) -> None:
    """Write a game to start from: GAME.toml, the strip set starter.json and GAME.target.toml.

    GAME is the id of the new game: small letters, digits and hyphens. The definition is that of a game of 20 lines with
    a Wild, a Scatter, free games and a bonus, and explains every word. Nothing is overwritten.

    \b
    Examples:
      workbench new my-game
      workbench new my-game --out games/my-game
    """
    _check_id(game)
    folder = out or Path("strips") / game
    paths = _write(folder, _files(game))
    steps = _next_commands(game, folder, out is not None)
    if as_json:
        print_json({"game": game, "files": [path_text(path) for path in paths], "next": steps})
    else:
        print_lines([*(f"wrote {path_text(path)}" for path in paths), "next:", *(f"  {s}" for s in steps)])


def _check_id(game: str) -> None:
    from workbench.errors import UsageError
    from workbench.game.definition import GAME_ID
    from workbench.game.load import is_game_id, shipped_games

    if not is_game_id(game):
        raise UsageError(f"GAME: must fit {GAME_ID}, but got {game!r}")
    if game in shipped_games():
        taken = ", ".join(shipped_games())
        raise UsageError(f"GAME: must be another id than the shipped {taken}, but got {game!r}")


def _files(game: str) -> dict[str, bytes]:
    """The three files by name, made for each other."""
    from workbench.game.load import GAMES_FOLDER, parse_definition
    from workbench.reels.files import FORMAT, canonical_bytes, canonical_json, parse_json, parse_strip_set

    def filled(name: str) -> bytes:
        text = (GAMES_FOLDER / name).read_text(encoding="utf-8")
        return text.replace("@GAME@", game).replace("@TITLE@", _title(game)).encode()

    toml = filled("new.toml.txt")
    definition = parse_definition(toml, f"{game}.toml")
    tuned = parse_json((GAMES_FOLDER / "new.strips.json").read_bytes(), "new.strips.json")
    head = {"format": FORMAT, "game": game, "definition_sha256": definition.sha256, "name": STARTER}
    strips = parse_strip_set(canonical_json({**tuned, **head}), definition, f"{STARTER}.json")
    return {
        f"{game}.toml": toml,
        f"{STARTER}.json": canonical_bytes(strips),
        f"{game}.target.toml": filled("new.target.toml.txt"),
    }


def _title(game: str) -> str:
    """A title until the user has a better one.

    >>> _title("lucky-7s")
    'Lucky 7s'
    """
    return " ".join(word.capitalize() for word in game.split("-") if word) or game


def _write(folder: Path, files: dict[str, bytes]) -> list[Path]:
    """Write all files or none; UsageError names the first that is there already."""
    from workbench.errors import UsageError, WorkbenchError
    from workbench.reels.files import write_file

    paths = [folder / name for name in files]
    for path in paths:
        if lexists(path):
            raise UsageError(f"{path}: is there already, and nothing is overwritten")
    written: list[Path] = []
    try:
        for path, data in zip(paths, files.values(), strict=True):
            write_file(path, data)
            written.append(path)
    except (WorkbenchError, KeyboardInterrupt):
        for path in written:
            path.unlink()
        raise
    return paths


def _next_commands(game: str, folder: Path, elsewhere: bool) -> list[str]:
    """What to run next: ids reach what stands under strips/, paths what stands elsewhere."""
    definition, starter, where = game, f"{game}/{STARTER}", shlex.quote(path_text(folder))
    if elsewhere:
        definition = shlex.quote(path_text(folder / f"{game}.toml"))
        starter = shlex.quote(path_text(folder / f"{STARTER}.json"))
    return [
        f"workbench check {definition}",
        f"workbench evaluate {starter}",
        f"workbench simulate {starter} --rounds 1000000",
        f"workbench optimise {definition} --start {starter} --out {where}",
    ]
