"""``workbench evaluate``: the exact figures of a strip set."""

from __future__ import annotations

import click

from workbench.commands.output import print_json, print_rich, warn


@click.command("evaluate")
@click.argument("strips")
@click.option("--strategy", metavar="NAME", help="The player's strategy; without it the game's default.")
@click.option("--game", metavar="FILE", help="A definition file, or the id of a shipped game.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def evaluate_command(strips: str, strategy: str | None, game: str | None, as_json: bool) -> None:
    """Exact figures of the strip set STRIPS: a path, or GAME/NAME.

    Fractions, not percent; wins in total bets. Broken strip rules are warnings on stderr.

    \b
    Examples:
      workbench evaluate codex-of-fortune/strategy
      workbench evaluate my-set.json --strategy never-save --json
    """
    from workbench.library import load, located, warnings
    from workbench.value.evaluate import figures_of

    loaded = load(strips, game)
    warn(warnings(loaded))
    with located(loaded.path):
        figures = figures_of(loaded.game, loaded.strips, strategy, loaded.sha256)
    if as_json:
        print_json(figures)
        return
    from workbench.commands.figures_view import figures_view

    print_rich(figures_view(figures, loaded.game.title))
