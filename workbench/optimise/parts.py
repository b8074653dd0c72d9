"""Leader and followers of a run on many machines.

The leader runs the search, proposes, and writes the files. A follower runs the same search on the same order
(:mod:`workbench.optimise.order`) and meets the leader in the studies: there it scores proposals instead of making them, and
takes over the scores of all. Between the studies both compute the same, so a follower that comes late catches up from the
studies that are complete, and one that computes anything else finds no study of its premises and says so.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from threading import Event, Thread
from types import TracebackType

from workbench.errors import StorageError, UsageError, WorkbenchError
from workbench.optimise.crew import BEAT, LAST_WORDS, LONGEST_WAIT
from workbench.optimise.ledger import Page

STATE, STAGE, PULSE = "state", "stage", "leader's heartbeat"
# A leader that is being stopped goes other ways before it says so, but for a beat only.
STRAYED = 2 * BEAT + 1.0
RUNNING, STOPPED, FINISHED = "running", "stopped", "finished"


class RunOver(Exception):
    """The leader wants no more scores, or is gone."""


class Leader:
    """Says in the root study's attributes that the run goes on, and where it is; a context.

    Entering raises UsageError if another leader lives. ``is_late`` tells the followers to leave.
    """

    def __init__(self, root: Page, is_late: Callable[[], bool]) -> None:
        self.root, self.is_late = root, is_late
        self.met = False
        self._over = Event()

    def __enter__(self) -> Leader:
        attributes = self.root.attributes()
        if attributes.get(STATE) == RUNNING and self._lives(attributes.get(PULSE)):
            raise UsageError(
                "--study: a run of this study is going on; workbench work joins it, or wait until it ends"
            )
        self.root.set(STAGE, "")
        self.root.set(STATE, RUNNING)
        self._thread = Thread(target=self._beat, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()
        if not isinstance(error, StorageError):
            self.root.set(STATE, STOPPED if error is not None or self.is_late() else FINISHED)

    def announce(self, stage: str) -> None:
        """The run has come to a study."""
        self.root.set(STAGE, stage)

    def _lives(self, pulse: object) -> bool:
        until = time.monotonic() + 2 * BEAT + 0.5
        while time.monotonic() < until:
            time.sleep(LONGEST_WAIT)
            if self.root.attributes().get(PULSE) != pulse:
                return True
        return False

    def _beat(self) -> None:
        pulse = secrets.token_hex(3)
        beat = 0
        try:
            while not self._over.wait(BEAT if beat else 0):
                beat += 1
                self.root.set(PULSE, f"{pulse} {beat}")
                if self.is_late():
                    self.root.set(STATE, STOPPED)
                    return
        except WorkbenchError:
            return


class Follower:
    """What a joined process knows of the run; a context. ``patience``: seconds it waits for a leader that is silent."""

    def __init__(self, root: Page, name: str, patience: float) -> None:
        self.root, self.name, self.patience = root, name, patience
        self.sign = secrets.token_hex(4)
        self.scores = 0
        self.error: WorkbenchError | None = None
        self._gone = Event()
        self._left = Event()
        self._visited: set[str] = set()

    def __enter__(self) -> Follower:
        self._thread = Thread(target=self._look, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._left.set()
        self._thread.join(LAST_WORDS)

    @property
    def is_over(self) -> bool:
        """Whether the leader wants no more."""
        return self._gone.is_set()

    def page(self, stage: str) -> Page:
        """The study of a stage, as soon as the leader has come to it; RunOver if it never will.

        UsageError if the leader has come to a study that follows from other premises than this process computes.
        """
        self._visited.add(stage)
        strayed: float | None = None
        while not self.is_over:
            at = self.root.attributes().get(STAGE)
            page = self.root.ledger.page(stage)
            if page is not None:
                return page
            seconds = time.monotonic()
            strayed = (strayed or seconds) if at and at not in self._visited else None
            if strayed is not None and seconds - strayed > STRAYED:
                raise UsageError(
                    f"--study: {self.name!r} is at {at}, but the same order leads to {stage} on this machine:"
                    " it can't join this run"
                )
            time.sleep(LONGEST_WAIT)
        raise RunOver

    def _look(self) -> None:
        pulse, since = None, time.monotonic()
        try:
            while not self._left.is_set():
                attributes = self.root.attributes()
                if attributes.get(PULSE) != pulse:
                    pulse, since = attributes.get(PULSE), time.monotonic()
                if attributes.get(STATE) != RUNNING or time.monotonic() - since > self.patience:
                    break
                self._left.wait(BEAT / 2)
        except WorkbenchError as error:
            self.error = error
        self._gone.set()
