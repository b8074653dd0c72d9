"""``workbench check``: all that is wrong at once, and what is allowed but odd."""

from __future__ import annotations

import json

import pytest
from command_line import CommandLine

from workbench.game.load import find_game

TEXT = find_game("codex-of-fortune").read_text(encoding="utf-8")


@pytest.fixture
def workbench(tmp_path, monkeypatch, capsysbinary) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path, capsysbinary)


def checked(workbench, tmp_path, *edits):
    text = TEXT
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    (tmp_path / "mine.toml").write_text(text)
    done = workbench("check", "mine.toml", "--json")
    return done.code, json.loads(done.out)


@pytest.mark.parametrize("game", ["codex-of-fortune", "spellmaster"])
def test_shipped_games_have_nothing_wrong_and_nothing_unusual(workbench, game):
    done = workbench("check", game)
    assert done.code == 0
    assert done.out.endswith("nothing wrong, nothing unusual\n") and done.out.count("\n") == 1


def test_everything_wrong_in_the_parts_is_listed_at_once(workbench, tmp_path):
    code, found = checked(
        workbench, tmp_path, ("coins = 20", "coins = 0"), ("[1, 1, 1, 1, 1]", "[1, 1, -1, 1, 1]")
    )
    assert code == 1 and not found["ok"]
    assert {line.partition(":")[0] for line in found["wrong"]} == {"bet.coins", "lines[0][2]"}


def test_every_contradiction_is_listed_at_once(workbench, tmp_path):
    code, found = checked(
        workbench,
        tmp_path,
        ("[1, 1, 1, 1, 1]", "[1, 1, 1, 1]"),
        ("Lion = {", "Tiger = {"),
        ('won_in = "re_spins"', 'won_in = "spins"'),
        ('reels = "base"', 'reels = "bass"'),
    )
    assert code == 1
    places = [line.partition(":")[0] for line in found["wrong"]]
    assert places == ["lines[0]", "paytable.Tiger", "features.keys.won_in", "strip_rules[0].reels"]


@pytest.mark.parametrize(
    ("edit", "line"),
    [
        (("[0, 0, 0, 0, 0]", "[1, 1, 1, 1, 1]"), "is lines[0] again"),
        (('special = ["Scatter", ', 'special = ["Spare", "Scatter", '), "no feature names 'Spare'"),
        (("Lion = { 3 = 40,", "Lion = { 2 = 1, 5 = 400 }\n# "), "runs of 2 pay, but runs of 3 don't"),
        (("least = 2, line_win", "least = 13, line_win"), "on 12 cells, so it is never met"),
        (('id = "C-2"', 'id = "C-1"'), "C-1 is given 2 times"),
    ],
)
def test_what_is_odd_is_allowed_and_said(workbench, tmp_path, edit, line):
    code, found = checked(workbench, tmp_path, edit)
    assert code == 0 and found["ok"] and not found["wrong"]
    assert any(line in remark for remark in found["unusual"]), found["unusual"]


def test_files_that_cannot_be_read(workbench, tmp_path):
    assert "none.toml: can't be read" in workbench("check", "none.toml").error_line
    (tmp_path / "mine.toml").write_text("[[[")
    assert "mine.toml: not a TOML file" in workbench("check", "mine.toml").error_line
