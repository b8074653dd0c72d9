"""``workbench new``: a game to start from, whole or not at all, and found by its id from then on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import CommandLine
from new_game import FILES, FULL, GAME, definition, starter

from workbench.cli import run
from workbench.errors import FileError
from workbench.game.unusual import remarks
from workbench.library import load
from workbench.optimise.target import read_target
from workbench.reels import files
from workbench.reels.breaches import breaches
from workbench.reels.files import canonical_bytes
from workbench.simulate.inputs import definition_warning, read_inputs

ONES = f"{GAME}.toml", "starter.json", f"{GAME}.target.toml"


@pytest.fixture
def workbench(tmp_path, monkeypatch, capsysbinary) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path, capsysbinary)


def test_it_writes_three_files_and_says_what_to_run(workbench, capsysbinary):
    assert run(["new", GAME]) == 0
    folder = Path("strips") / GAME
    assert {path.name for path in folder.iterdir()} == set(ONES)
    assert {name: (folder / name).read_bytes() for name in ONES} == FILES
    out = capsysbinary.readouterr().out.decode()
    for line in (f"check {GAME}", f"evaluate {GAME}/starter", f"simulate {GAME}/starter --rounds 1000000"):
        assert f"\n  workbench {line}\n" in out
    assert f"  workbench optimise {GAME} --start {GAME}/starter --out strips/{GAME}\n" in out


def test_elsewhere_the_next_commands_are_paths(workbench, capsysbinary):
    assert run(["new", GAME, "--out", "my games", "--json"]) == 0
    found = json.loads(capsysbinary.readouterr().out)
    assert found["files"] == [f"my games/{name}" for name in ONES]
    assert found["next"][0] == f"workbench check 'my games/{GAME}.toml'"
    assert found["next"][1] == "workbench evaluate 'my games/starter.json'"
    assert found["next"][3].endswith(" --start 'my games/starter.json' --out 'my games'")
    assert workbench("check", f"my games/{GAME}.toml").code == 0
    assert load("my games/starter.json").game.game == GAME


def test_what_it_writes_is_right_and_nothing_in_it_is_unusual(workbench):
    assert run(["new", GAME]) == 0
    shown = workbench("check", GAME)
    assert (shown.code, shown.out) == (0, f"strips/{GAME}/{GAME}.toml: nothing wrong, nothing unusual\n")
    loaded = load(f"{GAME}/starter")
    assert loaded.definition_matches and not loaded.breaches()
    target = read_target(Path("strips") / GAME / f"{GAME}.target.toml")
    assert target.game == GAME and not loaded.breaches(target.strip_rules)
    assert [figure.figure for figure in target.figures][:2] == ["rtp", "hit_frequency"]
    inputs = read_inputs(f"{GAME}/starter", None)
    assert inputs.game == loaded.game and definition_warning(inputs) is None


def test_every_example_in_it_is_right_too():
    game = definition(FULL)
    assert game.mixed and game.anywhere and game.readings and game.wild.replaces
    assert len(game.features) == 6 and game.free_games.exempt and game.free_games.lines
    assert remarks(game) == []


def test_the_starter_set_is_canonical_and_sensible():
    strips = starter()
    assert canonical_bytes(strips) == FILES["starter.json"]
    assert all(40 <= len(strip) <= 44 for strip in strips.reels["base"])
    assert not breaches(strips, definition())


def test_it_evaluates(workbench):
    assert run(["new", GAME]) == 0
    figures = json.loads(workbench("evaluate", f"{GAME}/starter", "--json").out)
    assert figures["components"]["lines"] == pytest.approx(2244925 / 3628254, abs=1e-12)
    assert figures["rtp"] == pytest.approx(0.9588, abs=5e-4)
    assert figures["features"]["free_games"]["probability"] == pytest.approx(1 / 127.1, rel=1e-3)


@pytest.mark.parametrize("name", ONES)
def test_nothing_is_overwritten(workbench, tmp_path, name):
    path = tmp_path / "strips" / GAME / name
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    line = workbench("new", GAME).error_line
    assert line == f"workbench: error: strips/{GAME}/{name}: is there already, and nothing is overwritten"


def test_a_link_to_nowhere_is_not_overwritten(workbench, tmp_path):
    path = tmp_path / "strips" / GAME / "starter.json"
    path.parent.mkdir(parents=True)
    path.symlink_to(tmp_path / "elsewhere")
    assert "is there already" in workbench("new", GAME).error_line
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("game", ["../x", "My-Game", "", ".", "a/b", "x\n", "-x", "x" * 61, "é"])
def test_an_id_that_could_leave_its_folder_is_refused(workbench, game):
    assert "GAME: must fit ^[a-z0-9]" in workbench("new", "--", game).error_line


def test_a_shipped_id_is_refused(workbench):
    line = workbench("new", "spellmaster").error_line
    assert line.endswith(
        "GAME: must be another id than the shipped codex-of-fortune, spellmaster, but got 'spellmaster'"
    )


def test_what_cannot_all_be_written_is_not_there_at_all(workbench, monkeypatch, tmp_path):
    write_file = files.write_file

    def full_disk(path, data):
        if path.name.endswith(".target.toml"):
            raise FileError(f"{path}: can't be written (No space left on device)")
        write_file(path, data)

    monkeypatch.setattr(files, "write_file", full_disk)
    assert "No space left on device" in workbench("new", GAME).error_line


def test_a_file_where_the_folder_should_be(workbench, tmp_path):
    (tmp_path / "here").write_text("")
    assert "here" in workbench("new", GAME, "--out", "here").error_line
