"""``workbench sensitivity``: what each smallest change of a strip set does to every figure."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from workbench.commands.output import picture_path, print_json, print_rich, warn

if TYPE_CHECKING:
    from workbench.library import Loaded
    from workbench.sensitivity.table import Sensitivities


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
    from workbench.library import load, warnings

    to = None if picture is None else picture_path(picture)
    loaded = load(strips, game)
    warn(warnings(loaded))
    found = _found(loaded, strategy, only)
    for name in figures:
        found.column(name)
    if to is not None:
        from workbench.sensitivity.picture import draw

        title = f"{loaded.game.title}, {loaded.strips.name}"
        draw(found, (figures or (found.figures[0],))[0], symbol, title, to)
    if as_json:
        print_json({**_head(loaded, found), **found.to_json()})
        return
    from workbench.commands.sensitivity_view import sensitivity_view

    print_rich(sensitivity_view(found, loaded.game.title, loaded.strips.name, figures or found.figures, top))


def _found(loaded: Loaded, strategy: str | None, only: Sequence[str]) -> Sensitivities:
    """Every change, with a bar of progress where somebody watches."""
    from workbench.library import located
    from workbench.sensitivity.sensitivity import count_changes, sensitivities

    with located(loaded.path):
        total = count_changes(loaded.game, loaded.strips, only)
        with click.progressbar(
            length=total, label="changes", file=sys.stderr, hidden=not sys.stderr.isatty()
        ) as bar:
            return sensitivities(loaded.game, loaded.strips, strategy, only, bar.update)


def _head(loaded: Loaded, found: Sensitivities) -> dict[str, Any]:
    return {
        "format": "workbench.sensitivity/1",
        "game": loaded.game.game,
        "strip_set": loaded.strips.name,
        "sha256": loaded.sha256,
        "definition_sha256": loaded.game.sha256,
        "strategy": found.strategy,
    }
