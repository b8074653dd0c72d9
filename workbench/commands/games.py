"""``workbench games``: what there is to work on."""

from __future__ import annotations

from typing import Any

import click

from workbench.commands.output import path_text, print_json, print_lines, warn


@click.command("games")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def games_command(as_json: bool) -> None:
    """List the games with their definition files and strip sets: shipped ones, and those under strips/.

    \b
    Example:
      workbench games
    """
    games = _games()
    if as_json:
        print_json({"games": games})
        return
    print_lines(line for game in games for line in _lines(game))


def _games() -> list[dict[str, Any]]:
    from workbench.errors import WorkbenchError
    from workbench.game.load import load_definition, shipped_games
    from workbench.library import known_games, strip_sets

    found = []
    for name, path in known_games().items():
        try:
            definition = load_definition(path)
        except WorkbenchError as error:
            if name in shipped_games():
                raise
            warn([str(error)])
            continue
        sets = [{"name": f"{name}/{s}", "file": path_text(file)} for s, file in strip_sets(name).items()]
        found.append(
            {
                "game": name,
                "title": definition.title,
                "definition": path_text(path),
                "definition_sha256": definition.sha256,
                "strip_sets": sets,
            }
        )
    return found


def _lines(game: dict[str, Any]) -> list[str]:
    sets = [f"  {s['name']}  {s['file']}" for s in game["strip_sets"]] or ["  no strip set yet"]
    return [f"{game['game']}  {game['title']}", f"  definition  {game['definition']}", *sets]
