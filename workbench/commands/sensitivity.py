"""``workbench sensitivity``: what each smallest change of a strip set does to every figure."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from workbench.commands.output import print_json, print_rich, warn


@click.command("sensitivity")
@click.argument("strips")
@click.option(
    "--figure", "figures", metavar="NAME", multiple=True, help="Show this figure only, such as rtp."
)
@click.option(
    "--top", type=click.IntRange(1), default=5, show_default=True, help="Changes shown of a figure."
)
@click.option("--strategy", metavar="NAME", help="The player's strategy; without it the game's default.")
@click.option("--reels", "only", metavar="NAME", multiple=True, help="Swap stops of this reel set only.")
@click.option("--picture", metavar="FILE", help="Draw a heat map of the first --figure (rtp): .png or .svg.")
@click.option("--symbol", metavar="NAME", help="The symbol put on every stop in the picture.")
@click.option("--game", metavar="FILE", help="A definition file, or the id of a shipped game.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else: every change.")
def sensitivity_command(
    strips: str,
    figures: tuple[str, ...],
    top: int,
    strategy: str | None,
    only: tuple[str, ...],
    picture: str | None,
    symbol: str | None,
    game: str | None,
    as_json: bool,
) -> None:
    """What each single-stop swap and each unit of weight in STRIPS does to every figure.

    A swap puts another symbol on one stop: one that the strip rules allow on that reel. Swaps that break a rule, such
    as the spacing of Scatters, are marked. All changes are exact, those of a solved strategy with the strategy solved anew.

    \b
    Examples:
      workbench sensitivity my-game/starter
      workbench sensitivity codex-of-fortune/strategy --figure standard_deviation --top 10 --picture rtp.png
    """
    from workbench.library import load, located, warnings
    from workbench.sensitivity.sensitivity import count_changes, sensitivities

    loaded = load(strips, game)
    warn(warnings(loaded))
    with located(loaded.path):
        total = count_changes(loaded.game, loaded.strips, only)
        with click.progressbar(
            length=total, label="changes", file=sys.stderr, hidden=not sys.stderr.isatty()
        ) as bar:
            found = sensitivities(loaded.game, loaded.strips, strategy, only, bar.update)
    for name in figures:
        found.column(name)
    if picture is not None:
        from workbench.sensitivity.picture import draw

        title = f"{loaded.game.title}, {loaded.strips.name}"
        draw(found, (figures or (found.figures[0],))[0], symbol, title, Path(picture))
    if as_json:
        head = {
            "format": "workbench.sensitivity/1",
            "game": loaded.game.game,
            "strip_set": loaded.strips.name,
            "sha256": loaded.sha256,
            "definition_sha256": loaded.game.sha256,
            "strategy": found.strategy,
        }
        print_json({**head, **found.to_json()})
        return
    from workbench.commands.sensitivity_view import sensitivity_view

    print_rich(sensitivity_view(found, loaded.game.title, loaded.strips.name, figures or found.figures, top))
