"""``workbench work``: joins a run from another process or machine."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from workbench.commands.output import complain, print_json

if TYPE_CHECKING:
    from workbench.optimise.ledger import Page
    from workbench.optimise.order import Order
    from workbench.optimise.parts import Follower

LOOK_EVERY = 0.5


@click.command("work")
@click.option("--storage", metavar="URL", required=True, help="The storage of the run.")
@click.option("--study", metavar="NAME", required=True, help="The run's study.")
@click.option("--workers", type=click.IntRange(1, 256), default=1, show_default=True, help="Trials at once.")
@click.option("--game", metavar="FILE", help="Refuse unless the run's definition is the one in this file.")
@click.option(
    "--wait",
    type=click.FloatRange(min=0),
    default=600.0,
    show_default=True,
    help="Seconds to wait for a run that hasn't begun, or whose leader is silent.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
def work_command(
    storage: str, study: str, workers: int, game: str | None, wait: float, as_json: bool
) -> None:
    """Join the run of a study and score its proposals until it ends.

    The run is what `workbench optimise --storage URL --study NAME` leads, anywhere; it keeps all that is needed in the
    storage. A worker with another program or definition refuses. It may be killed at any time: its trial is tried again.

    \b
    Example:
      workbench work --storage postgresql://me@host/studies --study strategy
    """
    from workbench.optimise.interrupts import ending
    from workbench.optimise.order import read_order
    from workbench.optimise.parts import Follower
    from workbench.optimise.run import close_storages

    try:
        with ending():
            root = _joined(storage, study, wait)
            order = read_order(study, root.attributes())
            _check_definition(study, order, game)
            complain(f"joined {study}: {order.game.title}", "note")
            with Follower(root, study, wait) as follower:
                _followed(order, follower, storage, workers)
    finally:
        close_storages()
    if follower.error is not None:
        raise follower.error
    complain(f"{study}: the run is over; {follower.scores} trials were scored here", "note")
    if as_json:
        print_json({"study": study, "worker": follower.sign, "trials": follower.scores})


def _joined(storage: str, study: str, wait: float) -> Page:
    """The root study, as soon as its run goes on; UsageError if it doesn't within ``wait`` seconds."""
    from workbench.errors import UsageError
    from workbench.optimise.ledger import Ledger
    from workbench.optimise.parts import RUNNING, STATE

    until = time.monotonic() + wait
    ledger = Ledger.at(storage)
    while True:
        page = ledger.page(study)
        state = page.attributes().get(STATE) if page else None
        if page is not None and state == RUNNING:
            return page
        if time.monotonic() > until:
            found = (
                "there is no such study" if page is None else f"its run is {state or 'not of the workbench'}"
            )
            raise UsageError(f"--study: {study!r} can't be joined ({found}, after {wait:g} s)")
        time.sleep(LOOK_EVERY)


def _check_definition(study: str, order: Order, game: str | None) -> None:
    from workbench.errors import UsageError
    from workbench.game.load import load_definition
    from workbench.library import find_definition

    if game is None:
        return
    path = Path(game)
    mine = load_definition(path if path.suffix == ".toml" else find_definition(game))
    if mine.sha256 != order.game.sha256:
        raise UsageError(
            f"--game: {game}: has the SHA-256 {mine.sha256}, but the study {study!r} is run with {order.game.sha256}"
        )


def _followed(order: Order, follower: Follower, storage: str, workers: int) -> None:
    """The same search for the same targets; it ends when the leader's does."""
    from dataclasses import replace

    from workbench.optimise.family import Walk
    from workbench.optimise.parts import RunOver
    from workbench.optimise.run import best_of_rounds

    def told(*_: Any) -> None:
        if follower.is_over:
            raise RunOver

    try:
        walk = Walk(order.targets, order.start)
        for target in order.targets:
            settings = replace(order.settings(target, workers, storage, True), follower=follower)
            strips, _ = best_of_rounds(
                order.game, target, settings, order.rounds, order.start, told, walk.previous(target)
            )
            walk.add(target, strips)
    except RunOver:
        return
