"""Patience with a storage that is away for a while, and one line about a storage that fails, without its password."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from typing import TypeVar

from workbench.errors import StorageError

Answer = TypeVar("Answer")
PATIENCE = 120.0
# What no waiting mends.
LASTING = re.compile(
    r"malformed|not a database|disk is full|no space|too large|readonly|read-only|permission denied|authentication"
    r"|password|does not exist|no such table|unable to open|disk i/o|i/o error|access denied|unknown database",
    re.IGNORECASE,
)
PASSWORD = re.compile(r"(://[^/@:]*:).*@")


def shown(url: str) -> str:
    """A storage's URL without its password.

    >>> shown("postgresql://designer:secret@host/studies")
    'postgresql://designer:***@host/studies'
    """
    return PASSWORD.sub(r"\1***@", url)


def patiently(
    url: str,
    call: Callable[[], Answer],
    answers: tuple[type[Exception], ...] = (),
    patience: float = PATIENCE,
) -> Answer:
    """What ``call`` answers, asked again for ``patience`` seconds while the storage is away; then StorageError.

    Exceptions of the kinds in ``answers`` are answers too, and are raised as they come.

    ``call`` must be harmless to repeat: whether its write arrived before the connection broke isn't known.
    """
    begun, pause = time.monotonic(), 0.1
    while True:
        try:
            return call()
        except Exception as error:
            if isinstance(error, (*answers, StorageError)):
                raise
            reason = one_reason(error)
            gone = time.monotonic() - begun
            lasting = isinstance(error, OSError | ValueError) or LASTING.search(reason)
            if gone > patience or (lasting and not isinstance(error, ConnectionError)):
                raise StorageError(f"--storage: {shown(url)!r} failed ({reason})") from None
            time.sleep(pause)
            pause = min(2 * pause, 2.0)


def one_reason(error: BaseException) -> str:
    """The first line of what an error and its causes say that tells something, passwords left out."""
    while error.__cause__ is not None:
        error = error.__cause__
    details = getattr(error, "details", None)
    if callable(details):
        error = RuntimeError(str(details()))
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = lines[0] if lines else type(error).__name__
    return shown(text if len(text) <= 200 else f"{text[:197]}...")
