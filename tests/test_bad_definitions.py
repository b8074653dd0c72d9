"""Definitions that can't be understood: one line that names file, place, found and allowed; exit 2; nothing written."""

from __future__ import annotations

import pytest
from command_line import CommandLine, realistic_table, write

from workbench.game.load import find_game

TEXT = find_game("codex-of-fortune").read_text(encoding="utf-8")


@pytest.fixture
def workbench(tmp_path, monkeypatch, capsysbinary) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "set.json", realistic_table())
    return CommandLine(tmp_path, capsysbinary)


# What is replaced, by what, and what the line must say.
SPOILT = {
    "unknown key": ("[bet]\n", "[bet]\ncolour = 1\n", ["bet.colour"]),
    "unknown table": ("[bet]\n", "[bets]\nx = 1\n[bet]\n", ["bets"]),
    "wrong type": ("coins = 20", 'coins = "20"', ["bet.coins", "integer", '"20"']),
    "boolean for a number": ("coins = 20", "coins = true", ["bet.coins", "integer", "true"]),
    "fraction for a number": ("coins = 20", "coins = 20.5", ["bet.coins", "integer", "20.5"]),
    "out of range": ("coins = 20", "coins = 0", ["bet.coins", "greater than or equal to 1", "got 0"]),
    "missing key": ("coins = 20", "", ["bet.coins", "required"]),
    "unknown setting": ('spun = "position-reels"', 'spun = "magic"', ["spun", "position-reels", "magic"]),
    "unknown kind": ('kind = "ladder"', 'kind = "stairs"', ["features[0]", "ladder", "stairs"]),
    "line too short": ("[1, 1, 1, 1, 1]", "[1, 1, 1, 1]", ["lines[0]", "5 reels", "4 rows"]),
    "line too low": ("[1, 1, 1, 1, 1]", "[1, 1, 4, 1, 1]", ["lines[0]", "below [4, 4, 4, 4, 4]", "[1, 1, 4, 1, 1]"]),
    "line above": ("[1, 1, 1, 1, 1]", "[1, 1, -1, 1, 1]", ["lines[0][2]", "greater than or equal to 0", "-1"]),
    "line of texts": ("[1, 1, 1, 1, 1]", '["1", 1, 1, 1, 1]', ["lines[0][0]", '"1"']),
    "reading that points nowhere": ('settings = ["win_cap"]', 'settings = ["win_hat"]', ["readings[15]", "win_hat"]),
    "pay of a symbol there isn't": ("Lion = {", "Tiger = {", ["paytable.Tiger", "'Tiger'"]),
    "longer run pays less": ("Lion = { 3 = 40,", "Lion = { 3 = 140,", ["paytable.Lion", "140"]),
    "run too long": ("Lion = { 3 = 40,", "Lion = { 6 = 400, 3 = 40,", ["paytable.Lion", "at most 5", "6"]),
    "symbol twice": ('"Scatter", "Key",', '"Scatter", "Scatter",', ["symbols", "'Scatter'", "2 times"]),
    "ladder not rectangular": ("[5, 10, 20, 50, 150]", "[5, 10, 20, 50]", ["features[0]", "same number of steps"]),
    "ladder with nan": ("[5, 10, 20, 50, 150]", "[5, 10, 20, 50, nan]", ["features[0]"]),
    "ladder with inf": ("[5, 10, 20, 50, 150]", "[5, 10, 20, 50, inf]", ["features[0]"]),
    "feature unnamed there": ('won_in = "re_spins"', 'won_in = "spins"', ["features.keys.won_in", "re_spins", "'spins'"]),
    "reel beyond": ("reels = [4], at_most", "reels = [5], at_most", ["features.re_spins.key", "below 5", "5"]),
    "rule on reels there aren't": ('reels = "base"', 'reels = "bass"', ["strip_rules[0].reels", "base, free", "'bass'"]),
    "rule on a tier there isn't": ('[[strip_rules]]\n', '[[strip_rules]]\nkind = "tiers"\nreels = "base"\ntiers = ["top"]\n\n[[strip_rules]]\n', ["strip_rules[0].tiers", "high, medium, low", "'top'"]),
    "another format": ("workbench.game/1", "workbench.game/2", ["format", "workbench.game/1", "workbench.game/2"]),
    "id that is a path": ('game = "codex-of-fortune"', 'game = "../x"', ["game", "pattern", "../x"]),
    "its own hash": ("win_cap", 'sha256 = "0"\nwin_cap', ["sha256"]),
    "a date": ("coins = 20", "coins = 2026-01-01", ["bet.coins", "2026-01-01"]),
    "5000 digits": ("coins = 20", "coins = " + "9" * 5000, ["digits"]),
    "5000 hexadecimal digits": ("coins = 20", "coins = 0x" + "f" * 5000, ["digits"]),
    "a key twice": ("coins = 20", "coins = 20\ncoins = 21", ["not a TOML file", "line"]),
    "cut short": (TEXT[len(TEXT) // 2 :], "", ["not a TOML file"]),
    "nested deep": ("coins = 20", "coins = " + "[" * 5000 + "]" * 5000, ["TOML"]),
}  # fmt: skip


@pytest.mark.parametrize("case", SPOILT)
def test_spoilt_definition_gets_one_line(workbench, tmp_path, case):
    old, new, expected = SPOILT[case]
    assert old in TEXT
    (tmp_path / "mine.toml").write_text(TEXT.replace(old, new, 1))
    line = workbench("evaluate", "set.json", "--game", "mine.toml").error_line
    assert line.startswith("workbench: error: mine.toml: "), line
    for text in expected:
        assert text in line


def test_files_that_are_no_definition(workbench, tmp_path):
    (tmp_path / "latin.toml").write_bytes(TEXT.replace("Lion", "Liön").encode("latin-1"))
    assert (
        "latin.toml: not a TOML file" in workbench("evaluate", "set.json", "--game", "latin.toml").error_line
    )
    (tmp_path / "folder.toml").mkdir()
    assert (
        "folder.toml: can't be read (Is a directory)"
        in workbench("evaluate", "set.json", "--game", "folder.toml").error_line
    )
    (tmp_path / "large.toml").write_text(TEXT + "#" * (1 << 20))
    assert (
        "large.toml: a definition has at most"
        in workbench("evaluate", "set.json", "--game", "large.toml").error_line
    )
    line = workbench("evaluate", "set.json", "--game", "no-such.toml").error_line
    assert "--game: must be the path of a definition or one of codex-of-fortune, spellmaster" in line
    assert "'no-such.toml'" in line
