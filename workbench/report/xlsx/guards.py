"""What a computed value depends on: parts of the strip set, each with a live check that it is what was evaluated.

A part is named by its kind and what it is of: ``stops:base`` the strips with their order and stop weights, ``counts:base``
how often each symbol stands on them, ``sight:base:Scatter`` the law of a mark in sight, ``wheel:money``,
``cells:re_spins``. Weights count only up to a common factor, as chances do.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from workbench.reels.files import sha256_of
from workbench.report.xlsx.book import Sheet
from workbench.report.xlsx.formula import Expr, both

FIRST_ROW = 5
MOST_NAMED = 3
GROUP_COLUMN = 4


@dataclass
class Guards:
    """The checks on their sheet, one row a part, and the SHA-256 of each part as evaluated."""

    sheet: Sheet
    checks: dict[str, Expr] = field(default_factory=dict)
    hashes: dict[str, str] = field(default_factory=dict)
    groups: dict[tuple[str, ...], Expr] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.sheet.width(44, 14, 70)
        self.sheet.freeze = (FIRST_ROW, 1)
        self.sheet.put(0, 0, "What the values were computed for", "title")
        self.sheet.put(1, 0, EXPLAINED, "note")
        self.sheet.put(2, 0, HASHED, "note")
        self.sheet.head(FIRST_ROW - 1, ["part of the strip set", "as evaluated?", "SHA-256 as evaluated"])

    def add(self, name: str, check: Expr, data: bytes) -> None:
        """A part, its check, and the bytes that its SHA-256 is of."""
        if name in self.checks:
            return
        row = FIRST_ROW + len(self.checks)
        self.hashes[name] = sha256_of(data)
        self.sheet.put(row, 0, name, "name")
        safe = Expr(f"IFERROR({check.text},FALSE)", check.value, True)
        self.checks[name] = self.sheet.put(row, 1, safe, "flag")
        self.sheet.put(row, 2, self.hashes[name], "hash")

    def of(self, names: Iterable[str]) -> list[Expr]:
        """What must hold for a value of some parts: their checks, or one cell for many."""
        named = set(names)
        kept = tuple(name for name in self.checks if name in named)
        if len(kept) <= MOST_NAMED:
            return [self.checks[name] for name in kept]
        if kept not in self.groups:
            column = GROUP_COLUMN + len(self.groups)
            self.sheet.put(FIRST_ROW - 1, column, f"group {len(self.groups) + 1}", "head")
            self.sheet.hidden_columns.add(column)
            for name in kept:
                self.sheet.put(self._row(name), column, "x", "flag")
            held = both([self.checks[name] for name in kept])
            self.groups[kept] = self.sheet.put(FIRST_ROW - 2, column, held, "flag")
        return [self.groups[kept]]

    def _row(self, name: str) -> int:
        return FIRST_ROW + list(self.checks).index(name)

    def sha256(self, names: Iterable[str]) -> str:
        """What a value was computed for: a part's hash, or that of "HASH  part" lines in the order of the sheet."""
        named = set(names)
        kept = [name for name in self.checks if name in named]
        if len(kept) == 1:
            return self.hashes[kept[0]]
        return sha256_of("".join(f"{self.hashes[name]}  {name}\n" for name in kept).encode()) if kept else ""


EXPLAINED = (
    "A value that no formula carries stands while every part it depends on is as it was evaluated; else it reads"
    ' "stale, run evaluate". Weights are compared up to a common factor.'
)
HASHED = (
    "A part's SHA-256 is that of its canonical JSON. A value of several parts carries the SHA-256 of the lines"
    ' "SHA-256, two spaces, part" of these, in the order below.'
)
