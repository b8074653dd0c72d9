"""``workbench simulate`` and ``workbench replay``."""

from __future__ import annotations

import json
import os
import time
from functools import reduce
from pathlib import Path
from typing import Any

import click

from workbench.errors import UsageError
from workbench.simulate.figures import figures_json
from workbench.simulate.inputs import SOLVER, Inputs, definition_warning, read_inputs, strategy_for
from workbench.simulate.machine import machine_for
from workbench.simulate.progress import progress_of, stoppable
from workbench.simulate.run import SESSION_ROUNDS, Interrupted, Plan, identity_of, simulate_sessions
from workbench.simulate.strategy import StrategyTable
from workbench.simulate.tally import Tally, read_tallies, write_tallies

INTERRUPTED = 130


def _seed(_: click.Context, __: click.Parameter, value: int) -> int:
    if not 0 <= value < 1 << 128:
        raise UsageError(f"--seed: must be 0 to 2^128 - 1, but got {value}")
    return value


def _given(strips: str, game: Path | None, strategy: str | None) -> tuple[Inputs, StrategyTable | None]:
    inputs = read_inputs(strips, game)
    warning = definition_warning(inputs)
    if warning:
        click.echo(warning, err=True)
    solver = click.get_current_context().meta.get(SOLVER)
    return inputs, strategy_for(inputs, strategy, solver)


game_option = click.option(
    "--game", type=click.Path(path_type=Path), help="A definition file in place of the shipped one."
)
strategy_option = click.option(
    "--strategy", metavar="NAME", help="How the player chooses: a name, or the file of a table of choices."
)
seed_option = click.option("--seed", type=int, default=1, show_default=True, callback=_seed)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")


@click.command("simulate")
@click.argument("strips")
@click.option("--rounds", type=int, default=10_000_000, show_default=True, help="Paid rounds to play.")
@seed_option
@strategy_option
@click.option("--workers", type=int, default=None, help="Threads; the result does not depend on it.")
@click.option("--out", type=click.Path(path_type=Path), help="File to keep the tally in.")
@click.option("--resume", is_flag=True, help="Go on from the tally in --out.")
@game_option
@json_option
def simulate_command(
    strips: str,
    rounds: int,
    seed: int,
    strategy: str | None,
    workers: int | None,
    out: Path | None,
    resume: bool,
    game: Path | None,
    as_json: bool,
) -> None:
    """Play paid rounds of STRIPS by the rules, knowing nothing of the exact figures.

    \b
    Example:
      workbench simulate codex-of-fortune/strategy --rounds 100000000 --seed 7
    """
    inputs, table = _given(strips, game, strategy)
    plan = Plan(rounds, seed)
    held = _held(inputs, table, out, resume, plan)
    plan = Plan(rounds, seed, frozenset(s for tally in held for s in tally.sessions))
    begun = time.monotonic()
    interrupted = False
    with stoppable(), progress_of(sum(s.rounds for s in plan.sessions())) as step:
        try:
            played = simulate_sessions(inputs.game, inputs.strips, plan, table, _threads(workers), step)
        except Interrupted as stopped:
            interrupted, played = True, stopped.tallies
    _finish(inputs, table, [*held, *played], out, as_json, time.monotonic() - begun)
    if interrupted:
        _say_interrupted(played, out)
        click.get_current_context().exit(INTERRUPTED)


def _threads(workers: int | None) -> int:
    return (os.cpu_count() or 1) if workers is None else workers


def _held(
    inputs: Inputs, table: StrategyTable | None, out: Path | None, resume: bool, plan: Plan
) -> list[Tally]:
    """The tallies to go on from: those in the file, without a shorter last session that the new run plays in full."""
    if not resume:
        if out is not None and out.exists():
            raise UsageError(f"--out: {out} exists; add --resume to go on from it, or name another file")
        return []
    if out is None:
        raise UsageError("--resume: needs --out, the file to go on from")
    machine = machine_for(inputs.game, inputs.strips, table)
    identity = identity_of(inputs.game, inputs.strips, table, machine.units)
    wanted = set(plan.sessions())
    kept = []
    for tally in read_tallies(out) if out.exists() else []:
        if tally.identity != identity:
            raise UsageError(f"--resume: {out} is of another game, strip set or strategy ({tally.identity})")
        full = tally.sessions[0].rounds == SESSION_ROUNDS
        if full or tally.sessions[0].seed != plan.seed or set(tally.sessions) <= wanted:
            kept.append(tally)
    return kept


def _finish(
    inputs: Inputs,
    table: StrategyTable | None,
    tallies: list[Tally],
    out: Path | None,
    as_json: bool,
    seconds: float,
) -> None:
    """Keep the tally and print the figures."""
    if not tallies:
        return
    if out is not None:
        write_tallies(out, _grouped(tallies))
    total = reduce(Tally.plus, tallies)
    dependent = machine_for(inputs.game, inputs.strips, table).dependent
    figures = figures_json(inputs.game, total, dependent, seconds)
    click.echo(json.dumps(figures, indent=2) if as_json else _table(figures))


def _grouped(tallies: list[Tally]) -> list[Tally]:
    """Full sessions in one tally, each shorter last session in its own."""
    full = [t for t in tallies if t.sessions[0].rounds == SESSION_ROUNDS]
    rest = [t for t in tallies if t.sessions[0].rounds != SESSION_ROUNDS]
    return [*([reduce(Tally.plus, full)] if full else []), *rest]


def _say_interrupted(played: list[Tally], out: Path | None) -> None:
    rounds = sum(tally.rounds for tally in played)
    how = f"; go on with --out {out} --resume" if out else "; with --out FILE a run can be continued"
    click.echo(f"interrupted: {rounds} rounds of finished sessions are counted{how}", err=True)


def _table(figures: dict[str, Any]) -> str:
    """The main figures for people."""
    lines = [
        f"{figures['game']} {figures['strip_set']}: {figures['rounds']} rounds, seeds {figures['seeds']}"
    ]
    if figures["strategy"]:
        lines.append(f"strategy {figures['strategy']}")
    for name, figure in _leaves("", figures):
        low, high = figure["interval_99"]
        ends = ", ".join("-" if end is None else f"{end:.8g}" for end in (low, high))
        mean = "-" if figure["mean"] is None else f"{figure['mean']:.8g}"
        lines.append(f"{name:44} {mean:>14}   99 % [{ends}]")
    return "\n".join(lines)


MAIN = (
    "rtp",
    "components",
    "hit_frequency",
    "line_hit_frequency",
    "features",
    "keys",
    "modifier_sets",
    "standard_deviation",
    "volatility_index_90",
    "long_run_standard_deviation",
    "top_prize",
)


def _leaves(prefix: str, table: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    found: list[tuple[str, dict[str, Any]]] = []
    for key, value in table.items():
        if isinstance(value, dict) and (prefix or key in MAIN):
            name = f"{prefix}{key}"
            found += [(name, value)] if "interval_99" in value else _leaves(f"{name}.", value)
    return found


@click.command("replay")
@click.argument("strips")
@click.option("--round", "number", type=click.IntRange(min=0), required=True, help="The round, from 0.")
@seed_option
@strategy_option
@game_option
@json_option
def replay_command(
    strips: str, number: int, seed: int, strategy: str | None, game: Path | None, as_json: bool
) -> None:
    """Tell one round of a simulation of STRIPS step by step.

    Round 5 of seed 7 is the sixth round that `simulate --seed 7` counts.

    \b
    Example:
      workbench replay codex-of-fortune/strategy --seed 7 --round 12
    """
    from workbench.simulate.replay import replay, round_json, told

    inputs, table = _given(strips, game, strategy)
    found = replay(inputs.game, inputs.strips, table, seed, number)
    click.echo(json.dumps(round_json(found), indent=2) if as_json else told(found))
