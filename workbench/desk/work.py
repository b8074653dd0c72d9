"""Long work beside the kernel: told as it goes on, stopped on demand."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from typing import Any

from workbench.errors import WorkbenchError


class Stopped(Exception):
    """The work was told to stop and has nothing to offer."""


class Work:
    """A work in a thread of its own. ``task(told, stop)`` tells ``told(done, of, text)``; its value becomes ``value``.

    ``told`` raises Stopped once ``stop`` is set, unless the task looks at ``stop`` itself (``offers``). What a task that tells nothing
    comes to after a stop is dropped.
    """

    def __init__(
        self,
        name: str,
        task: Callable[[Callable[[int, int, str], None], Event], Any],
        changed: Callable[[Work], None],
        offers: bool = False,
    ) -> None:
        self.name, self.error = name, ""
        self.value: Any = None
        self.done, self.of, self.text = 0, 0, "starting"
        self._task, self._changed, self._offers = task, changed, offers
        self._stop = Event()
        self._thread = Thread(target=self._run, name=f"desk {name}", daemon=True)

    @property
    def running(self) -> bool:
        """Whether it still works."""
        return self._thread.is_alive() and self.text != "done"

    def start(self) -> Work:
        """Begin."""
        self._thread.start()
        return self

    @property
    def stopped(self) -> bool:
        """Whether it was asked to stop."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Ask it to stop; it does at its next step."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> Any:
        """The value when it is done; WorkbenchError if it failed, None if it was stopped or lasts longer."""
        self._thread.join(seconds)
        if self.error:
            raise WorkbenchError(self.error)
        return self.value

    def _told(self, done: int, of: int, text: str) -> None:
        if self._stop.is_set() and not self._offers:
            raise Stopped
        self.done, self.of, self.text = done, of, text
        self._changed(self)

    def _run(self) -> None:
        try:
            value = self._task(self._told, self._stop)
            self.value = None if self._stop.is_set() and not self._offers else value
        except Stopped:
            self.error = ""
        except WorkbenchError as error:
            self.error = str(error)
        except Exception as error:
            # whatever goes wrong in a thread would be lost
            self.error = f"{type(error).__name__}: {error}"
        self.text = "done"
        self._changed(self)
