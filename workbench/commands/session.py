"""``workbench session``: what many rounds in a row come to."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import click

from workbench.commands.output import print_json, print_lines, print_rich, waiting, warn

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
    from workbench.library import load, warnings
    from workbench.value.session import check_rounds

    check_rounds(rounds)
    loaded = load(strips, game)
    warn(warnings(loaded))
    asked = _Asked(rounds, strategy, start, None if bankroll is None else Fraction(str(bankroll)))
    figures = _figures(loaded, asked)
    table = {**_identity(loaded), **figures}
    said = None
    if sessions is not None:
        from workbench.simulate.sessions import SessionPlan, Start

        plan = SessionPlan(sessions, rounds, seed, Start(figures["start"] or Start.NEW_PLAYER))
        said = _witness(loaded, figures, plan, strategy, workers or os.cpu_count() or 1)
        table["witness"] = said.to_json()
    if as_json:
        print_json(table)
    else:
        _show(table, loaded.game.title, said)
    context.exit(0 if said is None or said.agrees else 1)


@dataclass(frozen=True)
class _Asked:
    """The session that is asked for."""

    rounds: int
    strategy: str | None
    start: str | None
    bankroll: Fraction | None


def _figures(loaded: Loaded, asked: _Asked) -> dict[str, Any]:
    """The figures of the session, with progress: first the law of a round, then the rounds that a bankroll is followed."""
    from workbench.library import located
    from workbench.value.evaluate import figures_of
    from workbench.value.session import session_figures
    from workbench.value.session_error import rounds_followed
    from workbench.value.session_of import session_of

    hidden = asked.bankroll is None or not sys.stderr.isatty()
    with located(loaded.path):
        with waiting("law of a round"):
            session = session_of(loaded.game, loaded.strips, asked.rounds, asked.strategy, asked.start)
        found = figures_of(loaded.game, loaded.strips, asked.strategy, loaded.sha256).get("features", {})
        chances = {name: row["probability"] for name, row in found.items() if "probability" in row}
        followed = rounds_followed(session)
        with click.progressbar(length=followed, label="rounds", file=sys.stderr, hidden=hidden) as bar:
            return session_figures(session, asked.bankroll, bar.update, chances)


def _identity(loaded: Loaded) -> dict[str, Any]:
    return {
        "format": "workbench.session/1",
        "game": loaded.game.game,
        "strip_set": loaded.strips.name,
        "sha256": loaded.sha256,
        "definition_sha256": loaded.game.sha256,
    }


def _show(table: dict[str, Any], title: str, said: SessionVerdict | None) -> None:
    from workbench.commands.session_view import session_view

    print_rich(session_view(table, title))
    print_lines([f"{'ok  ' if said.agrees else 'FAIL'} witness: {said.text}"] if said else [])


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
