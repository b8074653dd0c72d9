"""Ctrl-C and SIGTERM as a wish to stop: the first is heard, the second ends the process at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

from workbench.commands.output import complain

SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def stopping() -> Iterator[Event]:
    """An event that is set by the first signal; the second raises KeyboardInterrupt. For the main thread only."""
    stop = Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def heard(number: int, frame: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()
        complain("stopping: the best so far will be written; once more ends it at once", "note")

    before = [signal.signal(one, heard) for one in SIGNALS]
    try:
        yield stop
    finally:
        for one, handler in zip(SIGNALS, before, strict=True):
            signal.signal(one, handler)


@contextmanager
def ending() -> Iterator[None]:
    """SIGTERM ends as Ctrl-C does: what is held is given back."""

    def heard(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, heard)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
