"""``workbench optimise``: a search from the command line."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workbench.commands.output import complain, print_json, print_lines, print_rich

if TYPE_CHECKING:
    from workbench.game.definition import GameDefinition
    from workbench.optimise.order import Order
    from workbench.optimise.run import Options, Result
    from workbench.optimise.target import Target
    from workbench.reels.strip_set import StripSet

PLAIN_EVERY = 5.0
INTERRUPTED = 130
MOST_ROUNDS = 1000


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
    Ctrl-C writes the best so far and says how to go on.

    \b
    Examples:
      workbench optimise codex-of-fortune --out out
      workbench optimise codex-of-fortune --rtp 0.975 --seed 7 --out out
      workbench optimise codex-of-fortune --rtp 0.902 0.92 0.94 0.96 0.98 --start codex-of-fortune/strategy
      workbench optimise codex-of-fortune --until-met --timeout 7200 --storage postgresql://me@host/studies
    """
    from workbench.optimise.batch import Job, carried_out
    from workbench.optimise.interrupts import stopping
    from workbench.optimise.run import Options, result_json
    from workbench.optimise.storage import dashboard_command

    context = click.get_current_context()
    until_met = options.pop("until_met")
    settings = Options(**options, rounds=MOST_ROUNDS if until_met else 1)
    order, again = _order(game, target_file, rtp, start, settings), _again(context)
    with stopping() as stop:
        job = Job(order, settings, again, stop)
        watch = f"watch it with: {dashboard_command(job.storage)}"
        with Bar(settings.trials) as bar:
            results = carried_out(job, bar.told, lambda: complain(watch, "note"))
    if as_json:
        print_json(result_json(results))
    else:
        for result in results:
            show(result, order.game)
    if stop.is_set():
        complain(f"the best so far is written; go on with: {again} --resume", "interrupted")
        context.exit(INTERRUPTED)
    if not all(result.met for result in results):
        context.exit(1)


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


def show(result: Result, game: GameDefinition) -> None:
    """The figures, what is missed, and where the files are."""
    from workbench.commands.figures_view import figures_view

    print_rich(figures_view(result.figures, game.title))
    lines = [f"missed: {miss.text}" for miss in result.misses]
    lines += [f"strip rule: {breach.text}" for breach in result.breaches]
    lines.append(f"{'target met' if result.met else 'TARGET MISSED'} in {result.seconds:.1f} s")
    lines += [f"wrote {path}" for path in result.files]
    print_lines(lines)


class Bar:
    """Progress on stderr: a bar with rate and time left on a terminal, a plain line now and then elsewhere."""

    def __init__(self, trials: int) -> None:
        self.trials = trials
        self._said = 0.0
        self._stage = ""
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Bar:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[rate]}/s  best {task.fields[best]}"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
            )
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def told(self, stage: str, done: int, of: int, best: float) -> None:
        """One step of a stage is done."""
        if self._bar is not None:
            self._on_terminal(stage, done, of, best)
        elif stage != self._stage or time.monotonic() - self._said > PLAIN_EVERY:
            self._said = time.monotonic()
            complain(f"{stage} {done}/{of}, best score {best:.4g}", "progress")
        self._stage = stage

    def _on_terminal(self, stage: str, done: int, of: int, best: float) -> None:
        if stage != self._stage:
            self._begun = time.monotonic()
            self._task = self._bar.add_task(stage, total=of, rate="-", best="-")
        rate = done / max(time.monotonic() - self._begun, 1e-3)
        self._bar.update(self._task, completed=done, rate=f"{rate:.1f}", best=f"{best:.4g}")
