"""``workbench optimise``: a search from the command line."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workbench.commands.output import complain, print_json
from workbench.optimise.preferences import PREFERENCES

if TYPE_CHECKING:
    from workbench.game.definition import GameDefinition
    from workbench.optimise.batch import Job
    from workbench.optimise.context import Progress
    from workbench.optimise.order import Order
    from workbench.optimise.run import Options
    from workbench.optimise.several import Found
    from workbench.optimise.target import Target
    from workbench.reels.strip_set import StripSet

INTERRUPTED = 130
MOST_ROUNDS = 1000
PULLS, MEMBERS = 8, 12
WISHES = ("objective", "prefer", "members", "pulls", "diverse")


class _Several(click.Command):
    """A command whose --rtp takes all the numbers that follow it."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        spread: list[str] = []
        taking = False
        for arg in args:
            if taking and _is_number(arg):
                spread += ["--rtp", arg]
                continue
            taking = arg == "--rtp"
            if not taking:
                spread.append(arg)
        if args and args[-1] == "--rtp":
            raise click.UsageError("--rtp needs at least one number", ctx)
        return super().parse_args(ctx, spread)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@click.command("optimise", cls=_Several)
@click.argument("game")
@click.option(
    "--target", "target_file", type=click.Path(path_type=Path), help="A target file; else the game's own."
)
@click.option(
    "--rtp",
    multiple=True,
    type=float,
    help="Replaces the target's RTP; several numbers give a family of sets that differ in as little as can be.",
)
@click.option("--start", metavar="STRIPS", help="Begin from this strip set instead of from scratch.")
@click.option(
    "--trials", type=click.IntRange(1, 100_000), default=240, show_default=True, help="Trials of each study."
)
@click.option("--timeout", type=click.FloatRange(min=0), help="Seconds after which no new trial begins.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=1, show_default=True)
@click.option(
    "--workers",
    type=click.IntRange(1, 256),
    default=2,
    show_default=True,
    help="The result doesn't depend on it.",
)
@click.option(
    "--storage",
    metavar="URL",
    help="An Optuna storage: postgresql://, mysql://, sqlite:///, grpc://HOST:PORT, or a file that ends in .journal or"
    " .db; else a journal in the out folder. Other machines join by it: workbench work.",
)
@click.option("--study", metavar="NAME", help="Name of the study; else the target's.")
@click.option("--resume", is_flag=True, help="Go on with the study of that name.")
@click.option(
    "--until-met", is_flag=True, help="Go on with the next seeds until the target is met, or the timeout."
)
@click.option(
    "--batch",
    type=click.IntRange(1, 1024),
    default=8,
    show_default=True,
    help="Proposals asked for at once: as many as all machines have workers. The result depends on it.",
)
@click.option(
    "--grace",
    type=click.FloatRange(min=5),
    default=20.0,
    show_default=True,
    help="Seconds after which a worker that is silent is taken for dead and its trial tried again.",
)
@click.option(
    "--objective",
    type=click.Choice(["pareto"]),
    help="pareto: a front over RTP error (low), hit frequency (high), standard deviation of a round (low) and feature share"
    " (high; 1 - components.lines / rtp). None of its sets is dominated. The target's values of these are traded, its ranges"
    " and all else are kept.",
)
@click.option(
    "--prefer",
    multiple=True,
    type=click.Choice(list(PREFERENCES)),
    help="Turns an objective of the front the other way; may be given several times.",
)
@click.option(
    "--members", type=click.IntRange(1, 999), help=f"Sets of the front at most.  [default: {MEMBERS}]"
)
@click.option(
    "--pulls",
    type=click.IntRange(1, 10_000),
    help=f"Searches of the front, each for more of one objective, each followed by variations.  [default: {PULLS}]",
)
@click.option(
    "--diverse",
    metavar="K",
    type=click.IntRange(2, 100),
    help="K sets that meet the target and differ most: stops by reel up to rotation, plus weights; chosen from twice as many.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("out"),
    show_default=True,
    help="Folder for the files.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def optimise_command(
    game: str,
    target_file: Path | None,
    rtp: tuple[float, ...],
    start: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Search strips, position reels and wheels of GAME (an id or a definition file) for a target.

    Writes NAME.json, NAME.figures.json, NAME.target.toml and the log NAME.log.jsonl; exit 1 if a hard target is missed.
    Ctrl-C writes the best so far and says how to go on. A front is written as NAME-p01, ... with NAME.front.json and .md,
    sets that differ most as NAME-d01, ... with NAME.diverse.json and .md; exit 1 if there is no set, or are fewer than K.

    \b
    Examples:
      workbench optimise codex-of-fortune --out out
      workbench optimise codex-of-fortune --rtp 0.975 --seed 7 --out out
      workbench optimise codex-of-fortune --rtp 0.902 0.92 0.94 0.96 0.98 --start codex-of-fortune/strategy
      workbench optimise codex-of-fortune --until-met --timeout 7200 --storage postgresql://me@host/studies
      workbench optimise spellmaster --objective pareto --prefer high-volatility --timeout 1800
      workbench optimise spellmaster --diverse 3
    """
    from workbench.optimise.batch import Job
    from workbench.optimise.interrupts import stopping
    from workbench.optimise.run import Options
    from workbench.optimise.view import Bar, show

    context = click.get_current_context()
    until_met = options.pop("until_met")
    wish = _wish(until_met, **{name: options.pop(name) for name in WISHES})
    settings = Options(**options, rounds=MOST_ROUNDS if until_met else 1)
    order, again = _order(game, target_file, rtp, start, settings), _again(context)
    with stopping() as stop:
        job = Job(order, settings, again, stop)
        with Bar(settings.trials) as bar:
            found = wish(job, bar.told, partial(_watched, job.storage))
    if as_json:
        print_json(found.to_json())
    else:
        show(found, order.game)
    if stop.is_set():
        what = "the best so far is written" if found.results else "nothing was found so far"
        complain(f"{what}; go on with: {again} --resume", "interrupted")
        context.exit(INTERRUPTED)
    if not found.met:
        context.exit(1)


def _wish(
    until_met: bool,
    objective: str | None,
    prefer: tuple[str, ...],
    members: int | None,
    pulls: int | None,
    diverse: int | None,
) -> Callable[[Job, Progress, Callable[[], None]], Found]:
    """What is to be found; UsageError where options don't go together."""
    from workbench.errors import UsageError
    from workbench.optimise.several import diverse_sets, front, one_or_family

    given = {"--prefer": prefer, "--members": members, "--pulls": pulls}
    if objective is None and (alone := next((name for name, value in given.items() if value), None)):
        raise UsageError(f"{alone}: needs --objective pareto")
    if objective is None:
        return one_or_family if diverse is None else partial(diverse_sets, diverse)
    for other, is_given in (("--diverse", diverse is not None), ("--until-met", until_met)):
        if is_given:
            raise UsageError(f"--objective pareto: can't be used with {other}")
    return partial(front, prefer, pulls or PULLS, members or MEMBERS)


def _watched(storage: str) -> None:
    from workbench.optimise.storage import dashboard_command

    complain(f"watch it with: {dashboard_command(storage)}", "note")


def _order(
    game: str, target_file: Path | None, rtp: tuple[float, ...], start: str | None, options: Options
) -> Order:
    from workbench.game.load import load_definition
    from workbench.optimise.family import family, quick_rtp
    from workbench.optimise.order import Order
    from workbench.reels.files import read_file

    path = _definition_file(game)
    definition = load_definition(path)
    target = _target(target_file, definition.game, path, len(rtp) > 1)
    begin = _start(start, definition)
    at = quick_rtp(definition, target, begin) if begin and len(rtp) > 1 else None
    return Order(
        name=options.study or target.name,
        game=definition,
        definition=read_file(path),
        targets=family(target, rtp, at),
        start=begin,
        seed=options.seed,
        trials=options.trials,
        batch=options.batch,
        grace=options.grace,
        rounds=options.rounds,
    )


def _again(context: click.Context) -> str:
    """The command line that asks for the same, without --resume; a storage's password is ***."""
    from workbench.optimise.patience import shown

    words = ["workbench", "optimise"]
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if isinstance(parameter, click.Argument):
            words.append(str(value))
        elif parameter.name != "resume" and value not in (None, (), False) and value != parameter.default:
            words.append(parameter.opts[0])
            values = value if isinstance(value, tuple) else () if value is True else (value,)
            words += [shown(str(one)) for one in values]
    return shlex.join(words)


def _definition_file(game: str) -> Path:
    from workbench.library import find_definition

    path = Path(game)
    return path if path.suffix == ".toml" else find_definition(game)


def _target(named: Path | None, game: str, definition: Path, several: bool) -> Target:
    """The target that was named, else the one that comes with a shipped game, else the one beside the definition."""
    from workbench.game.load import shipped_games
    from workbench.optimise.target import default_target, family_target, read_target

    beside = definition.with_name(f"{game}.target.toml")
    if named is None and game not in shipped_games() and beside.exists():
        named = beside
    if named:
        return read_target(named)
    return family_target(game) if several else default_target(game)


def _start(start: str | None, definition: GameDefinition) -> StripSet | None:
    if start is None:
        return None
    from workbench.library import find_strips
    from workbench.reels.files import load_strip_set

    return load_strip_set(find_strips(start), definition)
