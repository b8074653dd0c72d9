"""``workbench law``: how the win of a round is spread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from workbench.commands.output import picture_path, print_json, print_rich, warn

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
    with located(loaded.path):
        law = law_of(loaded.game, loaded.strips, quick, strategy)
    if to is not None:
        from workbench.report.law_picture import draw, heading

        draw([(loaded.strips.name, law)], heading(loaded.game.title, law.strategy), to)
    table = _table(loaded, law, full)
    if as_json:
        print_json(table)
    else:
        print_rich(_view(table, loaded.game.title))


def _table(loaded: Loaded, law: RoundLaw, full: bool) -> dict[str, Any]:
    """What ``--json`` prints."""
    from workbench.value.law_figures import law_figures

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
    return table


def _title(table: dict[str, Any], title: str) -> str:
    strategy = f", strategy {table['strategy']}" if table["strategy"] else ""
    return f"A round of {title}, {table['strip_set']}{strategy}: win in bets"


def _view(table: dict[str, Any], title: str) -> list[Any]:
    """The law for people."""
    from workbench.commands.figures_view import Section, number, sections_view

    drawn = "estimated" in table
    interval = ("99 % from", "to") if drawn else ()

    def row(name: str, value: Any, key: str, *place: Any) -> tuple[str, ...]:
        """A figure, and its interval where a part is estimated."""
        if not drawn:
            return name, *map(number, (value,))
        ends = table[f"{key}_interval_99"]
        for at in place:
            ends = ends[at]
        return name, number(value), *(f"{end:.8g}" for end in ends)

    main = [
        row("mean", table["mean"], "mean"),
        row("standard deviation", table["standard_deviation"], "standard_deviation"),
        row("skewness", table["skewness"], "skewness"),
        row("no win", table["no_win"], "no_win"),
        ("left out, less than", f"{table['left_out']:.2g}", *("" for _ in interval)),
    ]
    head = ("", "", *interval) if drawn else ("", "")
    sections = [
        Section(_title(table, title), head, main),
        Section("What is estimated", ("", ""), _estimated(table)),
        Section(
            "P(win at least so many bets)",
            ("bets", "probability", *interval, "one in"),
            [(*row(x, p, "at_least", x), number(1 / p if p else None)) for x, p in table["at_least"].items()],
        ),
        Section(
            "Share of rounds that win no more",
            ("%", "bets", *interval),
            [row(x, win, "percentiles", x) for x, win in table["percentiles"].items()],
        ),
        Section(
            "Likeliest wins",
            ("bets", "probability", *interval),
            [
                row(number(one["win"]), one["probability"], "likeliest", i)
                for i, one in enumerate(table["likeliest"])
            ],
        ),
    ]
    return list(sections_view(sections))


def _estimated(table: dict[str, Any]) -> list[tuple[str, ...]]:
    """What part of the law is drawn, and what is known of the round all the same; what rounds don't tell by themselves."""
    from workbench.commands.figures_view import number

    rows: list[tuple[str, ...]] = []
    if "estimated" in table:
        part = table["estimated"]
        known = part["exact_without_cap"]
        rows = [
            ("share of rounds", number(part["share"])),
            ("drawn so often", f"{part['draws']:,}"),
            ("mean, exact, no win cut at the cap", number(known["mean"])),
            ("standard deviation, exact, no win cut at the cap", number(known["standard_deviation"])),
        ]
    if table.get("rounds") == "dependent":
        rows.append(("rounds", "depend on each other: this is one round in the long run"))
    return rows
