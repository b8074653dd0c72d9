"""``workbench law``: how the win of a round is spread."""

from __future__ import annotations

from typing import Any

import click

from workbench.commands.output import print_json, print_rich, warn


@click.command("law")
@click.argument("strips")
@click.option("--game", metavar="FILE", help="A definition file, or the id of a shipped game.")
@click.option("--full", is_flag=True, help="With --json: every win and its chance.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def law_command(strips: str, game: str | None, full: bool, as_json: bool) -> None:
    """The exact law of what one round of STRIPS wins, for line games.

    A round is a paid spin and all free games it leads to. Wins are in total bets.

    \b
    Example:
      workbench law my-game/starter
    """
    from workbench.library import load, located, warnings
    from workbench.value.round_law import law_figures, law_of

    loaded = load(strips, game)
    warn(warnings(loaded))
    with located(loaded.path):
        law = law_of(loaded.game, loaded.strips)
    table: dict[str, Any] = {
        "format": "workbench.law/1",
        "game": loaded.game.game,
        "strip_set": loaded.strips.name,
        "sha256": loaded.sha256,
        "definition_sha256": loaded.game.sha256,
        **law_figures(law),
    }
    if full:
        table["law"] = [[float(w), float(p)] for w, p in zip(law.wins, law.chances, strict=True) if p > 0]
    if as_json:
        print_json(table)
    else:
        print_rich(_view(table, loaded.game.title))


def _view(table: dict[str, Any], title: str) -> list[Any]:
    """The law for people."""
    from workbench.commands.figures_view import Section, number, sections_view

    main = [
        ("mean", number(table["mean"])),
        ("standard deviation", number(table["standard_deviation"])),
        ("skewness", number(table["skewness"])),
        ("no win", number(table["no_win"])),
        ("left out, less than", f"{table['left_out']:.2g}"),
    ]
    sections = [
        Section(f"A round of {title}, {table['strip_set']}: win in bets", ("", ""), main),
        Section(
            "P(win at least so many bets)",
            ("bets", "probability", "one in"),
            [(x, number(p), number(1 / p if p else None)) for x, p in table["at_least"].items()],
        ),
        Section(
            "Share of rounds that win no more",
            ("%", "bets"),
            [(x, number(win)) for x, win in table["percentiles"].items()],
        ),
        Section(
            "Likeliest wins",
            ("bets", "probability"),
            [(number(row["win"]), number(row["probability"])) for row in table["likeliest"]],
        ),
    ]
    return list(sections_view(sections))
