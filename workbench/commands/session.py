"""``workbench session``: what many rounds in a row come to."""

from __future__ import annotations

import os
import sys
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from workbench.commands.output import print_json, print_lines, print_rich, warn

if TYPE_CHECKING:
    from workbench.library import Loaded
    from workbench.session_witness import SessionVerdict
    from workbench.simulate.sessions import SessionPlan


@click.command("session")
@click.argument("strips")
@click.option("--rounds", type=int, default=1000, show_default=True, help="Rounds played.")
@click.option(
    "--bankroll", type=click.FloatRange(min=0, max=1e6), help="Bets at hand: the chance that they last."
)
@click.option("--strategy", metavar="NAME", help="Of the player, where the game leaves a choice.")
@click.option(
    "--start",
    metavar="PLAYER",
    help="With banked Keys: new-player (an empty bank, the default) or long-time-player (the stationary bank).",
)
@click.option("--witness", "sessions", type=click.IntRange(1000, 10**7), help="Also play so many sessions.")
@click.option(
    "--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True, help="Of the witness."
)
@click.option(
    "--workers", type=click.IntRange(1, 256), help="Threads of the witness; all cores if not given."
)
@click.option("--game", metavar="FILE", help="A definition file, or the id of a shipped game.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
@click.pass_context
def session_command(
    context: click.Context,
    strips: str,
    rounds: int,
    bankroll: float | None,
    strategy: str | None,
    start: str | None,
    sessions: int | None,
    seed: int,
    workers: int | None,
    game: str | None,
    as_json: bool,
) -> None:
    """The law of the net result after many rounds of STRIPS.

    It is exact, but where a part of the law of a round is drawn, as with a multiplying modifier of respins: then every figure
    has the 99 % interval that the draws leave.
    All amounts are in total bets. The median and the other percentiles are of the net result; the RTP of so many rounds lies
    within its interval with at least the chance named. Rounds of a game with banked Keys depend on each other, and so on the
    Keys a player starts with.
    With --witness the independent simulator plays sessions, and every figure is held against them: exit code 1 if one disagrees.

    \b
    Examples:
      workbench session my-game/starter --rounds 500 --bankroll 100
      workbench session my-game/starter --rounds 1000 --witness 1000000 --json
    """
    from workbench.library import load, located, warnings
    from workbench.value.evaluate import figures_of
    from workbench.value.session import check_rounds, session_figures
    from workbench.value.session_error import rounds_followed
    from workbench.value.session_of import session_of

    check_rounds(rounds)
    loaded = load(strips, game)
    warn(warnings(loaded))
    held = None if bankroll is None else Fraction(str(bankroll))
    quiet = not sys.stderr.isatty()
    with located(loaded.path):
        session = session_of(loaded.game, loaded.strips, rounds, strategy, start)
        found = figures_of(loaded.game, loaded.strips, strategy, loaded.sha256).get("features", {})
        chances = {name: row["probability"] for name, row in found.items() if "probability" in row}
        with click.progressbar(
            length=rounds_followed(session), label="rounds", file=sys.stderr, hidden=held is None or quiet
        ) as bar:
            figures = session_figures(session, held, bar.update, chances)
    table: dict[str, Any] = {
        "format": "workbench.session/1",
        "game": loaded.game.game,
        "strip_set": loaded.strips.name,
        "sha256": loaded.sha256,
        "definition_sha256": loaded.game.sha256,
        **figures,
    }
    said = None
    if sessions is not None:
        from workbench.simulate.sessions import SessionPlan, Start

        plan = SessionPlan(sessions, rounds, seed, Start(session.start or Start.NEW_PLAYER))
        said = _witness(loaded, figures, plan, strategy, workers or os.cpu_count() or 1)
        table["witness"] = said.to_json()
    if as_json:
        print_json(table)
    else:
        print_rich(_view(table, loaded.game.title))
        print_lines([f"{'ok  ' if said.agrees else 'FAIL'} witness: {said.text}"] if said else [])
    context.exit(0 if said is None or said.agrees else 1)


def _witness(
    loaded: Loaded, figures: dict[str, Any], plan: SessionPlan, strategy: str | None, workers: int
) -> SessionVerdict:
    """What played sessions say to the figures."""
    from workbench.session_witness import session_verdict
    from workbench.simulate.progress import progress_of, stoppable
    from workbench.simulate.sessions import play_sessions
    from workbench.solved import played_strategy

    table = played_strategy(loaded.game, loaded.strips, strategy)
    with stoppable(), progress_of(plan.sessions * plan.rounds) as step:
        played = play_sessions(loaded.game, loaded.strips, table, plan, workers, step)
    return session_verdict(figures, played)


def _title(table: dict[str, Any], title: str) -> str:
    """What is told, and of whom."""
    who = f", {table['start']}" if table["start"] else ""
    return f"{table['rounds']:,} rounds of {title}, {table['strip_set']}{who}"


def _view(table: dict[str, Any], title: str) -> list[Any]:
    """The session for people."""
    from workbench.commands.figures_view import Section, number, sections_view

    head = ("99 % from", "to") if "estimated" in table else ()
    sections = [
        Section(_title(table, title), ("", "", *head), _main(table)),
        Section("What is estimated", ("", ""), _estimated(table)),
        Section(
            "Share of sessions that end no better",
            ("%", "net result", *head),
            [_row(table, x, "percentiles", x) for x in table["percentiles"]],
        ),
        Section(
            "Some run of rounds without a win",
            ("rounds", "probability", *head),
            [_row(table, k, "dry_spell", k) for k in table["dry_spell"]],
        ),
        Section(
            "RTP of so many rounds",
            ("%", "from", *head, "to", *head),
            [
                (
                    level,
                    *(cell for end in (0, 1) for cell in _row(table, "", "rtp_intervals", level, end)[1:]),
                )
                for level in table["rtp_intervals"]
            ],
        ),
        Section(
            "Rounds from one feature to the next",
            ("", "one in", "none in the session", "50 % within", "90 %", "99 %"),
            [
                (name, *map(number, (row["one_in"], row["none_in_session"], *row["wait"].values())))
                for name, row in table["features"].items()
            ],
        ),
    ]
    return list(sections_view(sections))


def _row(table: dict[str, Any], name: str, key: str, *place: Any) -> tuple[str, ...]:
    """A figure, and its interval where a part is estimated."""
    from workbench.commands.figures_view import number

    value, ends = table[key], table.get(f"{key}_interval_99", ())
    for at in place:
        value, ends = value[at], ends[at] if ends else ()
    return name, number(value), *(f"{end:.8g}" for end in ends)


def _main(table: dict[str, Any]) -> list[tuple[str, ...]]:
    """Moments and chances of the net result."""
    rows = [
        _row(table, "mean net result, in bets", "mean"),
        _row(table, "standard deviation", "standard_deviation"),
        _row(table, "P(ahead)", "ahead"),
        _row(table, "P(even or ahead)", "even_or_ahead"),
    ]
    if "bankroll" in table:
        bankroll = table["bankroll"]
        rows.append(_row(bankroll, f"P({bankroll['bets']:g} bets last)", "lasts"))
    rows += [
        _row(table, f"P(loses more than {x} bets)", "loses_more_than", x) for x in table["loses_more_than"]
    ]
    rows += [_row(table, f"P(wins {x} bets or more)", "wins_at_least", x) for x in table["wins_at_least"]]
    blank = ("", "") if "estimated" in table else ()
    return [*rows, ("left out, less than", f"{table['left_out']:.2g}", *blank)]


def _estimated(table: dict[str, Any]) -> list[tuple[str, ...]]:
    """What part of the law of a round is drawn, and what is known of the session all the same."""
    from workbench.commands.figures_view import number

    if "estimated" not in table:
        return []
    part = table["estimated"]
    known = part["exact_without_cap"]
    rows: list[tuple[str, ...]] = [
        ("share of rounds", number(part["share"])),
        ("drawn so often", f"{part['draws']:,}"),
        ("mean net result, exact, no win cut at the cap", number(known["mean"])),
        ("standard deviation, exact, no win cut at the cap", number(known["standard_deviation"])),
    ]
    if "bankroll" in table:
        rows.append(("drawn anew for the interval of the bankroll", number(table["bankroll"]["redrawn"])))
    return rows
