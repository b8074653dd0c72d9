"""Strip sets that can't be understood: one line that names file, place, found and allowed; exit 2; nothing written."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import CommandLine, Table, realistic_table, write


@pytest.fixture
def workbench(tmp_path, monkeypatch, capsysbinary) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path, capsysbinary)


def at(*path: Any, value: Any) -> Callable[[Table], None]:
    """Put a value at a place of the table."""

    def spoil(table: Any) -> None:
        for key in path[:-1]:
            table = table[key]
        table[path[-1]] = value

    return spoil


def dense_scatters(table: Table) -> None:
    for reel in (0, 2, 4):
        strip = table["reels"]["free"][reel]
        table["reels"]["free"][reel] = ["Scatter" if i % 4 == 0 else s for i, s in enumerate(strip)]


def wheel(weight: Any) -> Callable[[Table], None]:
    return at("wheels", "free_spins.keys", "1", value=weight)


HUGE = 10**40

SPOILT = {
    "symbol not in the definition": (
        at("reels", "base", 1, 7, value="Cherry"),
        ["reels.base: reel 2, stop 7 (counted from 0)", "'Cherry'", "Lion, Owl"],
    ),
    "stop that is no text": (
        at("reels", "base", 1, 7, value=7),
        ["reels.base: reel 2, stop 7 (counted from 0)", "but got 7", "must be a symbol"],
    ),
    "empty reel": (at("reels", "free", 4, value=[]), ["reels.free: reel 5", "1 to 512 stops", "got 0"]),
    "a reel too few": (
        lambda t: t["reels"]["base"].pop(),
        ["reels.base", "must have 5 reels", "got 4"],
    ),
    "a reel too many": (
        lambda t: t["reels"]["base"].append(["A"]),
        ["reels.base", "must have 5 reels", "got 6"],
    ),
    "a million stops": (
        at("reels", "base", 0, value=["A"] * 1_000_000),
        ["reels.base: reel 1", "1 to 512 stops", "got 1000000"],
    ),
    "strips missing": (lambda t: t["reels"].pop("free"), ["free", "missing"]),
    "strips unknown": (at("reels", "bonus", value=[["A"]] * 5), ["reels", "'bonus'", "base"]),
    "weight zero": (wheel(0), ["wheels.free_spins.keys.1", "whole number from 1", "got 0"]),
    "weight negative": (wheel(-3), ["wheels.free_spins.keys.1", "whole number from 1", "got -3"]),
    "weight fractional": (wheel(0.5), ["wheels.free_spins.keys.1", "whole number from 1", "got 0.5"]),
    "weight whole but fractional": (wheel(2.0), ["wheels.free_spins.keys.1", "got 2.0"]),
    "weight boolean": (wheel(True), ["wheels.free_spins.keys.1", "whole number from 1", "got True"]),
    "weight a text": (wheel("2"), ["wheels.free_spins.keys.1", "got '2'"]),
    "weight null": (wheel(None), ["wheels.free_spins.keys.1", "got None"]),
    "weight huge": (wheel(HUGE), ["wheels.free_spins.keys", "at most 16777216", "0000000006"]),
    "total over 2^24": (wheel(1 << 24), ["wheels.free_spins.keys", "at most 16777216", "16777222"]),
    "wheel empty": (at("wheels", "free_spins.keys", value={}), ["wheels.free_spins.keys", "is empty"]),
    "wheel a list": (at("wheels", "free_spins.keys", value=[1]), ["wheels.free_spins.keys", "table", "[1]"]),
    "wheel missing": (lambda t: t["wheels"].pop("free_spins.keys"), ["wheels.free_spins.keys", "missing"]),
    "wheel value unknown": (at("wheels", "free_spins.keys", "9", value=1), ["wheels.free_spins.keys", "'9'"]),
    "position weight zero": (
        at("position_reels", "re_spins", 0, "cells", 2, "Blank", value=0),
        ["position_reels.re_spins[0].cells[2].Blank", "got 0"],
    ),
    "a Key where none lands": (
        at("position_reels", "re_spins", 0, "cells", 2, "Key", value=1),
        ["position_reels.re_spins[0]: reel 3", "Collectable, Blank", "'Key'"],
    ),
    "position reels from 0": (
        at("position_reels", "re_spins", 0, "from", value=0),
        ["position_reels.re_spins", "begin with 1", "[0]"],
    ),
    "position reels missing": (lambda t: t.pop("position_reels"), ["position_reels.re_spins", "missing"]),
    "of another game": (at("game", value="spellmaster"), ["reels"]),
    "of an unknown game": (at("game", value="no-such"), ["game:", "codex-of-fortune", "'no-such'"]),
    "game no text": (at("game", value=3), ["game:", "got 3"]),
    "of another format": (at("format", value="workbench.figures/1"), ["format:", "workbench.strip-set/1"]),
    "unknown key": (at("strips", value={}), ['"strips"', "not a key"]),
    "a name that is a path": (at("name", value="../x"), ["name:", '"../x"']),
    "name missing": (lambda t: t.pop("name"), ["name:", "null"]),
    "reels a number": (at("reels", value=3), ["reels:", "table", "got 3"]),
}


@pytest.mark.parametrize("case", list(SPOILT))
@pytest.mark.parametrize("command", ["evaluate", "verify"])
def test_spoilt_set_gets_one_line(workbench, tmp_path, command, case):
    spoil, expected = SPOILT[case]
    table = realistic_table()
    spoil(table)
    write(tmp_path / "set.json", table)
    line = workbench(command, "set.json").error_line
    assert line.startswith("workbench: error: set.json: "), line
    for text in expected:
        assert text in line


def test_scatters_so_dense_that_free_spins_never_end(workbench, tmp_path):
    table = realistic_table()
    dense_scatters(table)
    write(tmp_path / "set.json", table)
    outcome = workbench("evaluate", "set.json")
    line = outcome.error_line
    assert line.startswith("workbench: error: set.json: reels.free: ")
    assert "less than 1 spin on average" in line and "Scatter adds 3" in line


GOOD = json.dumps(realistic_table()).encode()

RAW = {
    "empty": (b"", ["not a JSON file"]),
    "truncated": (GOOD[: len(GOOD) // 2], ["not a JSON file, or cut short"]),
    "one byte short": (GOOD[:-1], ["not a JSON file, or cut short"]),
    "not UTF-8": (GOOD.replace(b"Lion", b"L\xeeon", 1), ["not a JSON file", "utf-8"]),
    "NaN": (GOOD.replace(b'"0": 5', b'"0": NaN'), ["finite", "NaN"]),
    "infinity": (GOOD.replace(b'"0": 5', b'"0": -Infinity'), ["finite", "-Infinity"]),
    "beyond doubles": (GOOD.replace(b'"0": 5', b'"0": 1e999'), ["wheels.free_spins.keys.0", "got inf"]),
    "5000 digits": (GOOD.replace(b'"0": 5', b'"0": ' + b"9" * 5000), ["at most 100 digits", "got 5000"]),
    "a key twice": (GOOD.replace(b'"0": 5', b'"0": 5, "0": 6'), ["given once", '"0"']),
    "nested deep": (b"[" * 200_000 + b"]" * 200_000, ["nested too deep"]),
    "nested deep, not closed": (b'{"a":' * 100_000, ["nested too deep"]),
    "a list": (b"[]", ["game"]),
    "a number": (b"3", ["game"]),
    "over 8 MiB": (b" " * (8 << 20) + b"{}", ["at most 8388608 bytes"]),
    "a key of two lines": (
        GOOD.replace(b'"reels": {', b'"reels": {"a\\nb\\u001b[31m": 3, ', 1),
        ["reels.a\\nb\\x1b[31m", "must be a list"],
    ),
}


@pytest.mark.parametrize("case", RAW)
def test_broken_file_gets_one_line(workbench, tmp_path, case):
    data, expected = RAW[case]
    assert data != GOOD
    (tmp_path / "set.json").write_bytes(data)
    line = workbench("evaluate", "set.json").error_line
    assert line.startswith("workbench: error: set.json: "), line
    for text in expected:
        assert text in line


def test_set_of_another_game_under_game_option(workbench, tmp_path):
    write(tmp_path / "set.json", realistic_table())
    line = workbench("evaluate", "set.json", "--game", "spellmaster").error_line
    assert "set.json: game: must be 'spellmaster', but got 'codex-of-fortune'" in line


def test_missing_file_folder_and_unreadable(workbench, tmp_path):
    assert (
        "no-such.json: must be the path of a strip set or GAME/NAME"
        in workbench("evaluate", "no-such.json").error_line
    )
    (tmp_path / "folder.json").mkdir()
    assert "folder.json: can't be read (Is a directory)" in workbench("evaluate", "folder.json").error_line
    (tmp_path / "loop.json").symlink_to("loop.json")
    assert "loop.json: " in workbench("evaluate", "loop.json").error_line


@pytest.mark.parametrize("path", ["a\nb", "\x1b[31mred", "x" * 5000, "nul\0byte", ""])
def test_odd_paths_still_get_one_line(workbench, path):
    line = workbench("evaluate", path).error_line
    assert line.isprintable()
    assert len(line) < 3000


def test_unknown_strategy_names_those_there_are(workbench, tmp_path):
    write(tmp_path / "set.json", realistic_table())
    line = workbench("evaluate", "set.json", "--strategy", "greedy").error_line
    assert "strategy: must be one of worst, optimal, never-save" in line and "'greedy'" in line


@pytest.mark.parametrize(
    "argument", ["codex-of-fortune/../secret", "../strips/x", "codex-of-fortune/.hidden"]
)
def test_game_and_name_can_not_escape(workbench, tmp_path, argument):
    outside = tmp_path / "strips" / "secret.json"
    outside.parent.mkdir()
    write(outside, realistic_table())
    hidden = tmp_path / "strips" / "codex-of-fortune" / ".hidden.json"
    hidden.parent.mkdir()
    write(hidden, realistic_table())
    assert "must be the path of a strip set or GAME/NAME" in workbench("evaluate", argument).error_line


def test_file_that_stands_in_a_file(workbench, tmp_path: Path):
    write(tmp_path / "set.json", realistic_table())
    found = workbench("evaluate", "set.json/inner.json").error_line
    assert "set.json/inner.json" in found
