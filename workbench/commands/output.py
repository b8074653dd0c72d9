"""Where commands print: answers on stdout, warnings on stderr, one line each, whatever the terminal."""

from __future__ import annotations

import io
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Any

from workbench.errors import FileError, UsageError

LONGEST_LINE = 2000
PICTURES = (".png", ".svg")
LINE_EVERY = 10.0
"""Seconds between lines of progress where stderr is no terminal."""


def one_line(text: str) -> str:
    """A text on one line: what can't be printed is escaped, what is very long loses its middle."""
    if len(text) > LONGEST_LINE:
        half = LONGEST_LINE // 2
        text = f"{text[:half]} ... {text[-half:]}"
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "replace").decode() for c in text)


def path_text(path: Path) -> str:
    """A path as a text that UTF-8 can write, whatever the locale made of its bytes."""
    return os.fsencode(path).decode(errors="replace")


def complain(text: str, kind: str = "error") -> None:
    """One line on stderr: ``workbench: error: ...``."""
    _unless_closed(
        lambda: print(f"workbench: {kind}: {one_line(text)}", file=sys.stderr, flush=True), sys.stderr
    )


def warn(lines: Iterable[str], most: int = 20) -> None:
    """Warnings on stderr, at most ``most`` of them and then how many more there are."""
    every = list(lines)
    for line in every[:most]:
        complain(line, "warning")
    if len(every) > most:
        complain(f"{len(every) - most} more; workbench verify lists them all", "warning")


def print_json(value: dict[str, Any]) -> None:
    """One JSON object in the canonical layout, UTF-8 whatever the locale."""
    import click

    from workbench.reels.files import canonical_json

    data = canonical_json(value)
    _unless_closed(lambda: click.echo(data, nl=False), sys.stdout)


def print_lines(lines: Iterable[str]) -> None:
    """Plain lines, never wrapped."""
    import click

    text = "".join(f"{one_line(line)}\n" for line in lines)
    _unless_closed(lambda: click.echo(text, nl=False), sys.stdout)


def print_rich(parts: Sequence[object]) -> None:
    """Tables and texts: with colour and as wide as the terminal; elsewhere plain and at most 80 columns wide."""
    from rich.console import Console

    if sys.stdout.isatty():
        console = Console(markup=False, highlight=False, emoji=False)
        _unless_closed(lambda: console.print(*parts, sep="\n"), sys.stdout)
        return
    page = io.StringIO()
    Console(file=page, width=80, markup=False, highlight=False, emoji=False, color_system=None).print(
        *parts, sep="\n"
    )
    print_lines(line.rstrip() for line in page.getvalue().splitlines())


def picture_path(name: str) -> Path:
    """Where ``--picture`` is to go; what can be told to fail there fails before any work is done."""
    path = Path(name)
    if path.suffix.lower() not in PICTURES:
        raise UsageError(f"--picture: must end in {' or '.join(PICTURES)}, but got {path_text(path)!r}")
    if os.path.isdir(path):
        raise FileError(f"{path}: can't be written (Is a directory)")
    _check_folder(path, path.absolute().parents)
    return path


def folder_path(name: str) -> Path:
    """The folder ``--out`` names; what can be told to fail there fails before any work is done."""
    path = Path(name)
    _check_folder(path, (path.absolute(), *path.absolute().parents))
    return path


def _check_folder(path: Path, folders: Iterable[Path]) -> None:
    """FileError unless the first of the folders that is there can be written to."""
    there = next(folder for folder in folders if os.path.lexists(folder))
    if not os.path.isdir(there):
        raise FileError(f"{path}: can't be written ({there.name} is not a directory)")
    if not os.access(there, os.W_OK | os.X_OK):
        raise FileError(f"{path}: can't be written (Permission denied)")


@contextmanager
def waiting(label: str) -> Iterator[None]:
    """While a work that can't tell how far it is lasts: its seconds on a terminal, elsewhere a line now and then."""
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = (SpinnerColumn(), TextColumn(label, markup=False), TimeElapsedColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            bar.add_task(label, total=None)
            yield
        return
    done, begun = threading.Event(), time.monotonic()

    def line() -> str:
        return f"{label}: {time.monotonic() - begun:.0f} s"

    def tell() -> None:
        while not done.wait(LINE_EVERY):
            _unless_closed(partial(print, line(), file=sys.stderr, flush=True), sys.stderr)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def _unless_closed(write: Callable[[], None], stream: IO[str]) -> None:
    """Write; a reader who hung up (``| head``) changes nothing in the answer and its exit code."""
    try:
        write()
    except BrokenPipeError:
        silence(stream)


def silence(stream: IO[str]) -> None:
    """Send a stream nobody reads to the null device, so that Python's last flush finds no broken pipe."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)
