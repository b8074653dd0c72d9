"""``workbench compare``: strip sets of one game side by side."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workbench.commands.output import path_text, picture_path, print_json, print_rich, warn

if TYPE_CHECKING:
    from workbench.compare.comparison import Comparison
    from workbench.compare.laws import LawComparison


@click.command("compare")
@click.argument("first", metavar="A")
@click.argument("others", metavar="B [C ...]", nargs=-1, required=True)
@click.option("--strategy", metavar="NAME", help="The player's strategy; without it the game's default.")
@click.option("--game", metavar="FILE", help="A definition file, or the id of a shipped game.")
@click.option("--all", "everything", is_flag=True, help="Also the long tail: combinations, laws, every stop.")
@click.option(
    "--law", is_flag=True, help="Also how the win of a round is spread: the laws and how far apart."
)
@click.option("--quick", is_flag=True, help="With --law: what has to be drawn is drawn less often.")
@click.option("--picture", metavar="FILE", help="With --law, which it implies: draw the laws, .png or .svg.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def compare_command(
    first: str,
    others: tuple[str, ...],
    strategy: str | None,
    game: str | None,
    everything: bool,
    law: bool,
    quick: bool,
    picture: str | None,
    as_json: bool,
) -> None:
    """Stops and weights of B, C, ... that differ from those of A, and the figures that move.

    A, B, ... are strip sets of one game: paths, or GAME/NAME. Strips are circles: each is read from the stop that
    leaves the fewest stops that differ. Figures closer than both error bounds together are left out. Laws can take
    minutes; their distance is the largest difference of P(win >= x) over all x.

    \b
    Examples:
      workbench compare codex-of-fortune/strategy my-set.json
      workbench compare my-game/starter one.json two.json --all
      workbench compare my-game/starter one.json --law --picture laws.png
    """
    from workbench.compare.comparison import compare
    from workbench.library import load, warnings

    to = None if picture is None else picture_path(picture)
    sets = [load(argument, game) for argument in (first, *others)]
    comparison = compare(sets, strategy)
    warn(dict.fromkeys(line for loaded in sets for line in warnings(loaded)))
    laws = _laws(comparison, quick) if law or to else None
    if laws and to:
        _draw(comparison, laws, to)
    if as_json:
        print_json(_table(comparison, laws))
    else:
        print_rich(_view(comparison, laws, everything))


def _view(comparison: Comparison, laws: LawComparison | None, everything: bool) -> list[Any]:
    """What people see."""
    from workbench.commands.compare_view import compare_view

    parts: list[Any] = list(compare_view(comparison, everything))
    if laws:
        from workbench.commands.compare_laws_view import laws_view

        parts += laws_view(laws)
    return parts


def _laws(comparison: Comparison, quick: bool) -> LawComparison:
    from workbench.compare.laws import laws_of, lay_over

    sets = comparison.sets
    with click.progressbar(
        laws_of(sets, comparison.strategy, quick),
        len(sets),
        "laws",
        file=sys.stderr,
        hidden=not sys.stderr.isatty(),
    ) as laws:
        return lay_over(list(laws))


def _draw(comparison: Comparison, laws: LawComparison, path: Path) -> None:
    from workbench.compare.comparison import LETTERS
    from workbench.report.law_picture import draw, heading

    names = [
        f"{letter}  {loaded.strips.name}" for letter, loaded in zip(LETTERS, comparison.sets, strict=False)
    ]
    title = heading(comparison.sets[0].game.title, comparison.strategy)
    draw(list(zip(names, laws.laws, strict=True)), title, path)


def _table(comparison: Comparison, laws: LawComparison | None) -> dict[str, Any]:
    """What ``--json`` prints."""
    table = comparison.to_json()
    for entry, loaded in zip(table["sets"], comparison.sets, strict=True):
        entry["file"] = path_text(loaded.path)
    return {**table, "laws": laws.to_json()} if laws else table
