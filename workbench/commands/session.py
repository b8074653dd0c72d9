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
    """The exact law of the net result after many rounds of STRIPS.

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
    from workbench.value.session import session_figures
    from workbench.value.session_of import session_of

    loaded = load(strips, game)
    warn(warnings(loaded))
    held = None if bankroll is None else Fraction(str(bankroll))
    quiet = not sys.stderr.isatty()
    with located(loaded.path):
        session = session_of(loaded.game, loaded.strips, rounds, strategy, start)
        found = figures_of(loaded.game, loaded.strips, strategy, loaded.sha256).get("features", {})
        chances = {name: row["probability"] for name, row in found.items() if "probability" in row}
        with click.progressbar(
            length=rounds, label="rounds", file=sys.stderr, hidden=held is None or quiet
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

    main = [
        ("mean net result, in bets", number(table["mean"])),
        ("standard deviation", number(table["standard_deviation"])),
        ("P(ahead)", number(table["ahead"])),
        ("P(even or ahead)", number(table["even_or_ahead"])),
    ]
    if "bankroll" in table:
        row = table["bankroll"]
        main.append((f"P({row['bets']:g} bets last)", number(row["lasts"])))
    main += [(f"P(loses more than {x} bets)", number(p)) for x, p in table["loses_more_than"].items()]
    main += [(f"P(wins {x} bets or more)", number(p)) for x, p in table["wins_at_least"].items()]
    main.append(("left out, less than", f"{table['left_out']:.2g}"))
    sections = [
        Section(_title(table, title), ("", ""), main),
        Section(
            "Share of sessions that end no better",
            ("%", "net result"),
            [(x, number(net)) for x, net in table["percentiles"].items()],
        ),
        Section(
            "Some run of rounds without a win",
            ("rounds", "probability"),
            [(k, number(p)) for k, p in table["dry_spell"].items()],
        ),
        Section(
            "RTP of so many rounds",
            ("%", "from", "to"),
            [(level, number(ends[0]), number(ends[1])) for level, ends in table["rtp_intervals"].items()],
        ),
        Section(
            "Rounds from one feature to the next",
            ("", "one in", "none in the session", "50 % within", "90 %", "99 %"),
            [
                (
                    name,
                    number(row["one_in"]),
                    number(row["none_in_session"]),
                    *map(number, row["wait"].values()),
                )
                for name, row in table["features"].items()
            ],
        ),
    ]
    return list(sections_view(sections))
