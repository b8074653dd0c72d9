"""What the tests of the command line share: a realistic Codex set to spoil, and a way to run a command."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from simulate.sets import realistic

from workbench.cli import run
from workbench.reels.files import canonical_bytes

Table = dict[str, Any]


def realistic_table() -> Table:
    """A fresh copy of a realistic Codex set as its file has it."""
    table: Table = json.loads(canonical_bytes(realistic()))
    return table


def write(path: Path, table: object) -> Path:
    """Write a table as JSON, by hand so to speak: not in the canonical layout."""
    path.write_text(json.dumps(table))
    return path


@dataclass(frozen=True)
class Outcome:
    code: int
    out: str
    err: str

    @property
    def error_line(self) -> str:
        """The one line on stderr of a request that can't be understood."""
        lines = self.err.splitlines()
        assert self.code == 2, (self.code, self.err)
        assert len(lines) == 1, lines
        assert self.err.endswith("\n")
        assert lines[0].startswith("workbench: error: "), lines
        assert self.out == ""
        return lines[0]


class CommandLine:
    """Runs commands in this process, in a folder of their own that they mustn't write to."""

    def __init__(self, folder: Path, capture: pytest.CaptureFixture[bytes]) -> None:
        self.folder = folder
        self.capture = capture

    def __call__(self, *arguments: str) -> Outcome:
        before = self._files()
        self.capture.readouterr()
        code = run(list(arguments))
        captured = self.capture.readouterr()
        assert self._files() == before, "a command that only reads wrote something"
        return Outcome(code, captured.out.decode(), captured.err.decode())

    def _files(self) -> Sequence[tuple[Path, int, bytes]]:
        files = sorted(p for p in self.folder.rglob("*") if p.is_file())
        return [(p, p.stat().st_mtime_ns, p.read_bytes()) for p in files]
