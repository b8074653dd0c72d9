"""Parts of an evaluation that a change of the strips leaves alone, kept for the next one; for any number of threads."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

Part = TypeVar("Part")
MOST = 64


class KeptParts:
    """At most ``most`` parts by key; the one that came first goes first.

    Threads that ask for a part at once may each make it: makers must give equal parts for equal keys.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._parts: dict[Hashable, Any] = {}
        self._lock = Lock()

    def part(self, key: Hashable, make: Callable[[], Part]) -> Part:
        """The part of that key, made if it isn't there; what ``make`` raises goes through and nothing is kept."""
        with self._lock:
            if key in self._parts:
                kept: Part = self._parts[key]
                return kept
        # unlocked, as making takes long and asks for parts itself
        made = make()
        with self._lock:
            while key not in self._parts and len(self._parts) >= self._most:
                del self._parts[next(iter(self._parts))]
            self._parts[key] = made
        return made
