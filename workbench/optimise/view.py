"""What ``workbench optimise`` shows: progress while it searches, then the figures or the table of what was found."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from workbench.commands.output import complain, print_lines, print_rich

if TYPE_CHECKING:
    from workbench.game.definition import GameDefinition
    from workbench.optimise.result import Result
    from workbench.optimise.several import Found

PLAIN_EVERY = 5.0


def show(found: Found, game: GameDefinition) -> None:
    """The table of several sets; the figures of each where there is no such table."""
    from workbench.commands.figures_view import Section, sections_view

    if not found.shown:
        for result in found.results:
            _show_one(result, game)
        return
    print_rich(sections_view([Section(*table) for table in found.shown]))
    print_lines([found.verdict, *(f"wrote {path}" for path in found.files)])


def _show_one(result: Result, game: GameDefinition) -> None:
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
