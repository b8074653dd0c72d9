"""``workbench law``: how the win of a round is spread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from workbench.commands.output import picture_path, print_json, print_rich, waiting, warn

if TYPE_CHECKING:
    from workbench.library import Loaded
    from workbench.value.round_law import RoundLaw


@click.command("law")
@click.argument("strips")
@click.option("--game", metavar="FILE", help="A definition file, or the id of a shipped game.")
@click.option("--strategy", metavar="NAME", help="Of the player, where the game leaves a choice.")
@click.option("--full", is_flag=True, help="With --json: every win and its chance.")
@click.option("--quick", is_flag=True, help="Within seconds: what has to be drawn is drawn less often.")
@click.option("--picture", metavar="FILE", help="Draw the chance of at least so many bets: .png or .svg.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def law_command(
    strips: str,
    game: str | None,
    strategy: str | None,
    full: bool,
    quick: bool,
    picture: str | None,
    as_json: bool,
) -> None:
    """The law of what one round of STRIPS wins.

    A round is a paid spin and all it leads to. Wins are in total bets. The law is exact, but for what respins with a
    multiplying modifier win: that is estimated from many draws, and figures it enters have their 99 % interval.

    \b
    Examples:
      workbench law my-game/starter
      workbench law spellmaster/rtp-92 --quick
      workbench law codex-of-fortune/strategy --strategy advertised --picture law.png
    """
    from workbench.library import load, located, warnings
    from workbench.value.round_law import law_of

    to = None if picture is None else picture_path(picture)
    loaded = load(strips, game)
    warn(warnings(loaded))
    with located(loaded.path), waiting("law of a round"):
        law = law_of(loaded.game, loaded.strips, quick, strategy)
    if to is not None:
        from workbench.report.law_picture import draw, heading

        draw([(loaded.strips.name, law)], heading(loaded.game.title, law.strategy), to)
    table = _table(loaded, law, full)
    if as_json:
        print_json(table)
    else:
        from workbench.commands.law_view import law_view

        print_rich(law_view(table, loaded.game.title))


def _table(loaded: Loaded, law: RoundLaw, full: bool) -> dict[str, Any]:
    """What ``--json`` prints."""
    from workbench.value.evaluate import figures_of
    from workbench.value.law_figures import law_figures

    figures = figures_of(loaded.game, loaded.strips, law.strategy, loaded.sha256)
    table: dict[str, Any] = {
        "format": "workbench.law/1",
        "game": loaded.game.game,
        "strip_set": loaded.strips.name,
        "sha256": loaded.sha256,
        "definition_sha256": loaded.game.sha256,
        **law_figures(law),
    }
    if figures.get("top_prize"):
        table["top_prize"] = figures["top_prize"]
    if full:
        table["law"] = [[float(w), float(p)] for w, p in zip(law.wins, law.chances, strict=True) if p > 0]
    return table
