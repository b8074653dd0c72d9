"""Games of a user's own: found by their id under strips/ and beside their strip sets, shipped ones first."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import CommandLine, realistic_table, write
from new_game import FILES, GAME, TEXT, write_game

from workbench import library
from workbench.errors import UsageError
from workbench.game.load import find_game, shipped_games
from workbench.optimise.command import _definition_file, _target
from workbench.simulate.inputs import read_inputs


@pytest.fixture
def workbench(tmp_path, monkeypatch, capsysbinary) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(library, "__file__", str(tmp_path / "workbench" / "library.py"))
    return CommandLine(tmp_path, capsysbinary)


READERS = {
    "exact": lambda strips: library.load(strips),
    "simulator": lambda strips: read_inputs(strips, None),
}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_the_definition_stands_beside_the_set(workbench, tmp_path, read):
    write_game(tmp_path / "here", TEXT.replace('title = "', 'title = "Own '))
    assert read("here/starter.json").game.title == "Own My Game"
    write_game(tmp_path / "strips" / GAME)
    assert read(f"{GAME}/starter").game.title == "My Game"


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_where_was_looked_is_one_line(workbench, tmp_path, read):
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "set.json").write_bytes(FILES["starter.json"])
    line = (
        "here/set.json: game: must be one of codex-of-fortune, spellmaster unless --game names a definition or"
        f" here/{GAME}.toml is one, but got '{GAME}'"
    )
    with pytest.raises(UsageError) as caught:
        read("here/set.json")
    assert str(caught.value) == line
    assert workbench("evaluate", "here/set.json").error_line == f"workbench: error: {line}"


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
@pytest.mark.parametrize("game", ["../here/my-game", "/etc/my-game", "..", "", "My-Game", "my-game\n"])
def test_an_id_is_no_path(workbench, tmp_path, read, game):
    write_game(tmp_path / "here")
    table = json.loads(FILES["starter.json"])
    (tmp_path / "there").mkdir()
    write(tmp_path / "there" / "set.json", {**table, "game": game})
    with pytest.raises(UsageError, match=r"game: must be one of .* or fit \^\[a-z0-9\]"):
        read("there/set.json")


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_a_shipped_id_is_the_shipped_game(workbench, tmp_path, read):
    text = find_game("codex-of-fortune").read_text(encoding="utf-8")
    folder = tmp_path / "strips" / "codex-of-fortune"
    folder.mkdir(parents=True)
    (folder / "codex-of-fortune.toml").write_text(text.replace('title = "', 'title = "My '))
    write(folder / "mine.json", realistic_table())
    assert read("codex-of-fortune/mine").game.title == "Codex of Fortune"
    assert library.known_games() == shipped_games()
    assert library.find_definition("codex-of-fortune") == find_game("codex-of-fortune")


def test_game_option_goes_before_what_stands_beside(workbench, tmp_path):
    write_game(tmp_path / "here", "broken [")
    (tmp_path / "mine.toml").write_text(TEXT)
    assert library.load("here/starter.json", "mine.toml").game.game == GAME
    assert read_inputs("here/starter.json", Path("mine.toml")).game.game == GAME


def test_game_option_takes_the_id_of_a_game_under_strips(workbench, tmp_path):
    write_game(tmp_path / "strips" / GAME)
    (tmp_path / "set.json").write_bytes(FILES["starter.json"])
    assert library.load("set.json", GAME).game.game == GAME


def test_a_definition_of_another_game_beside_the_set_does_not_fit(workbench, tmp_path):
    write_game(tmp_path, TEXT.replace(f'game = "{GAME}"', 'game = "other"'))
    line = workbench("evaluate", "starter.json").error_line
    assert line == f"workbench: error: starter.json: game: must be 'other', but got '{GAME}'"


def test_games_lists_them_after_the_shipped_ones(workbench, tmp_path):
    write_game(tmp_path / "strips" / GAME)
    write_game(tmp_path / "strips" / "not-its-folder")
    write_game(tmp_path / "strips" / "broken", "x")
    (tmp_path / "strips" / "broken" / "broken.toml").write_text("broken [")
    done = workbench("games", "--json")
    games = json.loads(done.out)["games"]
    assert [game["game"] for game in games] == ["codex-of-fortune", "spellmaster", GAME]
    assert games[-1]["definition"] == f"strips/{GAME}/{GAME}.toml"
    assert [found["name"] for found in games[-1]["strip_sets"]] == [f"{GAME}/starter"]
    assert done.code == 0
    assert done.err.startswith("workbench: warning: strips/broken/broken.toml: not a TOML file")
    assert done.err.count("\n") == 1


def test_their_sets_are_among_those_named(workbench, tmp_path):
    write_game(tmp_path / "strips" / GAME)
    assert f"({GAME}/starter)" in workbench("evaluate", f"{GAME}/none").error_line


def test_optimise_finds_definition_and_target(workbench, tmp_path):
    write_game(tmp_path / "strips" / GAME)
    path = _definition_file(GAME)
    assert path == Path("strips", GAME, f"{GAME}.toml")
    assert _target(None, GAME, path, False).name == "tuned"
    assert _definition_file("mine.toml") == Path("mine.toml")
    assert _target(None, "spellmaster", Path("mine.toml"), False).game == "spellmaster"
    (tmp_path / "strips" / GAME / f"{GAME}.target.toml").unlink()
    assert "has no default target" in workbench("optimise", GAME).error_line


@pytest.mark.parametrize("game", ["no-such", "../x", "a/b"])
def test_optimise_says_which_games_there_are(workbench, tmp_path, game):
    write_game(tmp_path / "strips" / GAME)
    line = workbench("optimise", game).error_line
    assert (
        f"must be one of codex-of-fortune, spellmaster, {GAME} or have its definition under strips/" in line
    )
