"""``workbench compare``: strip sets of one game side by side."""

from __future__ import annotations

import click

from workbench.commands.output import path_text, print_json, print_rich, warn


@click.command("compare")
@click.argument("first", metavar="A")
@click.argument("others", metavar="B [C ...]", nargs=-1, required=True)
@click.option("--strategy", metavar="NAME", help="The player's strategy; without it the game's default.")
@click.option("--game", metavar="FILE", help="A definition file, or the id of a shipped game.")
@click.option("--all", "everything", is_flag=True, help="Also the long tail: combinations, laws, every stop.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def compare_command(
    first: str,
    others: tuple[str, ...],
    strategy: str | None,
    game: str | None,
    everything: bool,
    as_json: bool,
) -> None:
    """Stops and weights of B, C, ... that differ from those of A, and the figures that move.

    A, B, ... are strip sets of one game: paths, or GAME/NAME. Strips are circles: each is read from the stop that
    leaves the fewest stops that differ. Figures closer than both error bounds together are left out.

    \b
    Examples:
      workbench compare codex-of-fortune/strategy my-set.json
      workbench compare my-game/starter one.json two.json --all
    """
    from workbench.compare.comparison import compare
    from workbench.library import load, warnings

    sets = [load(argument, game) for argument in (first, *others)]
    comparison = compare(sets, strategy)
    warn(dict.fromkeys(line for loaded in sets for line in warnings(loaded)))
    if as_json:
        table = comparison.to_json()
        for entry, loaded in zip(table["sets"], sets, strict=True):
            entry["file"] = path_text(loaded.path)
        print_json(table)
        return
    from workbench.commands.compare_view import compare_view

    print_rich(compare_view(comparison, everything))
