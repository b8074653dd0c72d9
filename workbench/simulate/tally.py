"""Exact integer counts of what was played, mergeable in any order.

A tally knows which sessions it holds, so the same session can't be counted twice and a run can be continued.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.errors import FileError, UsageError
from workbench.reels.files import read_file, write_file
from workbench.simulate.layout import Layout

FORMAT = "workbench.tally/1"


@dataclass(frozen=True)
class Identity:
    """What was played: two tallies add up only if these agree."""

    game: str
    definition_sha256: str
    strip_set: str
    sha256: str
    strategy: str | None
    strategy_sha256: str | None
    session_rounds: int
    units: int


@dataclass(frozen=True)
class Session:
    """A session played: its seed, number and rounds (fewer than the rest only at the end of a run)."""

    seed: int
    number: int
    rounds: int


@dataclass(frozen=True)
class Batches:
    """Sums over batches of n rounds with the counts x: their number, n^2, and by place n x and x^2."""

    number: int
    rounds_squared: int
    cross: tuple[int, ...]
    squares: tuple[int, ...]

    @classmethod
    def of(cls, counts: NDArray[np.int64], rounds: NDArray[np.int64]) -> Batches:
        """From the counts [batch][place] of batches of ``rounds`` [batch]."""
        x, n = counts.astype(object), rounds.astype(object)
        return cls(len(n), int((n * n).sum()), tuple(n @ x), tuple((x * x).sum(axis=0)))

    def plus(self, other: Batches) -> Batches:
        """Both together."""
        return Batches(
            self.number + other.number,
            self.rounds_squared + other.rounds_squared,
            _added(self.cross, other.cross),
            _added(self.squares, other.squares),
        )


def _added(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _merged(a: Mapping[int, int], b: Mapping[int, int]) -> dict[int, int]:
    """Counts of both together."""
    both = dict(a)
    for key, count in b.items():
        both[key] = both.get(key, 0) + count
    return both


@dataclass(frozen=True)
class Tally:
    """Counts of the sessions played. ``counts`` lie as ``layout`` says; ``wins`` counts rounds by units won (0 left out).

    ``squares`` are sums of squares in units^2, by the places of the layout's squares; ``largest`` is the largest
    round in units. ``spins`` counts single spins by units won in the same way, for each kind of spin that is told apart.
    """

    identity: Identity
    layout: Layout
    sessions: tuple[Session, ...]
    counts: tuple[int, ...]
    squares: tuple[int, ...]
    wins: Mapping[int, int]
    largest: int
    batches: Batches
    spins: Mapping[str, Mapping[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "wins", MappingProxyType(dict(self.wins)))
        spins = {kind: MappingProxyType(dict(wins)) for kind, wins in self.spins.items()}
        object.__setattr__(self, "spins", MappingProxyType(spins))

    @property
    def rounds(self) -> int:
        """Rounds counted."""
        return sum(session.rounds for session in self.sessions)

    @property
    def places(self) -> dict[str, NDArray[np.int64]]:
        """The place in ``counts`` of each named count."""
        return self.layout.parts(np.arange(self.layout.size, dtype=np.int64))

    def plus(self, other: Tally) -> Tally:
        """Both together; UsageError if they are of different games, sets or strategies, or share a session."""
        if self.identity != other.identity or self.layout != other.layout:
            raise UsageError(
                f"tally: must be of the same game, strip set and strategy, but got {other.identity}"
                f" beside {self.identity}"
            )
        held = {(s.seed, s.number) for s in self.sessions}
        for session in other.sessions:
            if (session.seed, session.number) in held:
                raise UsageError(f"tally: session {session.number} of seed {session.seed} is counted already")
        return Tally(
            self.identity,
            self.layout,
            tuple(sorted((*self.sessions, *other.sessions), key=lambda s: (s.seed, s.number))),
            _added(self.counts, other.counts),
            _added(self.squares, other.squares),
            _merged(self.wins, other.wins),
            max(self.largest, other.largest),
            self.batches.plus(other.batches),
            {kind: _merged(wins, other.spins[kind]) for kind, wins in self.spins.items()},
        )


def write_tallies(path: Path, tallies: list[Tally]) -> None:
    """Keep tallies in one file, whole or not at all."""
    table = {"format": FORMAT, "tallies": [_to_json(tally) for tally in tallies]}
    write_file(path, (json.dumps(table, sort_keys=True, separators=(",", ":")) + "\n").encode())


def read_tallies(path: Path) -> list[Tally]:
    """The tallies of a file; FileError if it isn't one."""
    try:
        table = json.loads(read_file(path))
        if table["format"] != FORMAT:
            raise FileError(f"{path}: format: must be {FORMAT!r}, but got {table['format']!r}")
        return [_from_json(entry) for entry in table["tallies"]]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise FileError(f"{path}: not a tally file, or cut short") from None


def _to_json(tally: Tally) -> dict[str, Any]:
    return {
        "identity": vars(tally.identity),
        "layout": [[name, list(shape)] for name, shape in tally.layout.shapes],
        "sessions": [[s.seed, s.number, s.rounds] for s in tally.sessions],
        "counts": list(tally.counts),
        "squares": list(tally.squares),
        "wins": sorted(tally.wins.items()),
        "largest": tally.largest,
        "batches": {**vars(tally.batches)},
        "spins": {kind: sorted(wins.items()) for kind, wins in tally.spins.items()},
    }


def _from_json(table: dict[str, Any]) -> Tally:
    layout = Layout(tuple((str(name), tuple(map(int, shape))) for name, shape in table["layout"]))
    batches = table["batches"]
    tally = Tally(
        Identity(**table["identity"]),
        layout,
        tuple(Session(*map(int, session)) for session in table["sessions"]),
        tuple(map(int, table["counts"])),
        tuple(map(int, table["squares"])),
        _wins(table["wins"]),
        int(table["largest"]),
        Batches(
            int(batches["number"]),
            int(batches["rounds_squared"]),
            tuple(map(int, batches["cross"])),
            tuple(map(int, batches["squares"])),
        ),
        {str(kind): _wins(wins) for kind, wins in table.get("spins", {}).items()},
    )
    if not len(tally.counts) == len(tally.batches.cross) == len(tally.batches.squares) == layout.size:
        raise ValueError("counts and layout differ")
    return tally


def _wins(pairs: list[list[int]]) -> dict[int, int]:
    return {int(units): int(count) for units, count in pairs}
