"""Progress of a long run on stderr: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

import click

LINE_EVERY = 10.0
"""Seconds between lines where stderr is no terminal."""


@contextmanager
def stoppable() -> Iterator[None]:
    """Within the block SIGTERM stops a run the way Ctrl-C does; only the main thread can arrange that."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_: int, __: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def progress_of(rounds: int) -> Iterator[Callable[[int], None]]:
    """A function to call with the rounds just finished, for as long as the block lasts."""
    if sys.stderr.isatty():
        with _bar(rounds) as step:
            yield step
    else:
        yield _lines(rounds)


@contextmanager
def _bar(rounds: int) -> Iterator[Callable[[int], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("rounds"),
        BarColumn(),
        TextColumn("{task.percentage:>5.1f} %"),
        TextColumn("{task.fields[rate]:>6.1f} M/s"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task, begun = bar.add_task("rounds", total=rounds, rate=0.0), time.monotonic()

        def step(done: int) -> None:
            bar.advance(task, done)
            played = bar.tasks[0].completed
            bar.update(task, rate=played / (time.monotonic() - begun) / 1e6)

        yield step


def _lines(rounds: int) -> Callable[[int], None]:
    begun = said = time.monotonic()
    played = 0

    def step(done: int) -> None:
        nonlocal played, said
        played += done
        now = time.monotonic()
        if now - said >= LINE_EVERY:
            said = now
            rate = played / (now - begun)
            left = (rounds - played) / rate
            click.echo(f"{played} of {rounds} rounds, {rate / 1e6:.1f} M/s, {left:.0f} s left", err=True)

    return step
