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
    sessions: int | None,
    seed: int,
    workers: int | None,
    game: str | None,
    as_json: bool,
) -> None:
    """The exact law of the net result after many rounds of STRIPS, for line games.

    All amounts are in total bets. The median and the other percentiles are of the net result.
    With --witness the independent simulator plays sessions, and every figure is held against them: exit code 1 if one disagrees.

    \b
    Examples:
      workbench session my-game/starter --rounds 500 --bankroll 100
      workbench session my-game/starter --rounds 1000 --witness 1000000 --json
    """
    from workbench.library import load, located, warnings
    from workbench.value.round_law import law_of
    from workbench.value.session import Session, session_figures

    loaded = load(strips, game)
    warn(warnings(loaded))
    with located(loaded.path):
        law = law_of(loaded.game, loaded.strips)
    session = Session(law, rounds)
    held = None if bankroll is None else Fraction(str(bankroll))
    with click.progressbar(
        length=rounds, label="rounds", file=sys.stderr, hidden=held is None or not sys.stderr.isatty()
    ) as bar:
        figures = session_figures(session, held, bar.update)
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
        from workbench.simulate.sessions import SessionPlan

        said = _witness(loaded, figures, SessionPlan(sessions, rounds, seed), workers or os.cpu_count() or 1)
        table["witness"] = said.to_json()
    if as_json:
        print_json(table)
    else:
        print_rich(_view(table, loaded.game.title))
        print_lines([f"{'ok  ' if said.agrees else 'FAIL'} witness: {said.text}"] if said else [])
    context.exit(0 if said is None or said.agrees else 1)


def _witness(loaded: Loaded, figures: dict[str, Any], plan: SessionPlan, workers: int) -> SessionVerdict:
    """What played sessions say to the figures."""
    from workbench.session_witness import session_verdict
    from workbench.simulate.progress import progress_of, stoppable
    from workbench.simulate.sessions import play_sessions

    with stoppable(), progress_of(plan.sessions * plan.rounds) as step:
        played = play_sessions(loaded.game, loaded.strips, None, plan, workers, step)
    return session_verdict(figures, played)


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
        Section(f"{table['rounds']:,} rounds of {title}, {table['strip_set']}", ("", ""), main),
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
    ]
    return list(sections_view(sections))
