"""``workbench check``: everything wrong or unusual in a definition, at once."""

from __future__ import annotations

from pathlib import Path

import click

from workbench.commands.output import path_text, print_json, print_lines


@click.command("check")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@click.pass_context
def check_command(context: click.Context, file: Path, as_json: bool) -> None:
    """List all that is wrong or unusual in the definition FILE, a path or the id of a game.

    What is wrong keeps the game from being evaluated; contradictions between its parts show once each part is right by
    itself. What is unusual is allowed, but seldom meant. Exit code 1 if anything is wrong.

    \b
    Examples:
      workbench check my-game.toml
      workbench check codex-of-fortune
    """
    from workbench.game.load import definition_problems, shipped_games
    from workbench.game.unusual import remarks
    from workbench.library import known_games

    games = shipped_games() if file.exists() else known_games()
    path = games.get(str(file), file)
    game, wrong = definition_problems(path)
    unusual = remarks(game) if game else []
    if as_json:
        print_json({"file": path_text(path), "ok": not wrong, "wrong": wrong, "unusual": unusual})
    else:
        print_lines(_lines(path, wrong, unusual))
    context.exit(1 if wrong else 0)


def _lines(path: Path, wrong: list[str], unusual: list[str]) -> list[str]:
    lines = [f"wrong    {line}" for line in wrong] + [f"unusual  {line}" for line in unusual]
    return lines or [f"{path_text(path)}: nothing wrong, nothing unusual"]
