"""From what a user types to a file and its definition."""

from __future__ import annotations

import pytest
from command_line import realistic_table, write

from workbench import library
from workbench.errors import EndlessFeatureError, UsageError
from workbench.game.load import find_game


@pytest.fixture
def here(tmp_path, monkeypatch):
    """The current folder, a project elsewhere, and both searched."""
    here, project = tmp_path / "here", tmp_path / "project"
    for folder in (here, project):
        (folder / "strips" / "codex-of-fortune").mkdir(parents=True)
    monkeypatch.chdir(here)
    monkeypatch.setattr(library, "__file__", str(project / "workbench" / "library.py"))
    (project / "pyproject.toml").touch()
    return here


def named(table, name):
    table["name"] = name
    return table


def test_a_path_comes_before_a_name_and_the_folder_before_the_project(here):
    project = here.parent / "project"
    write(project / "strips/codex-of-fortune/a.json", realistic_table())
    assert library.find_strips("codex-of-fortune/a") == project / "strips/codex-of-fortune/a.json"
    write(here / "strips/codex-of-fortune/a.json", realistic_table())
    assert str(library.find_strips("codex-of-fortune/a")) == "strips/codex-of-fortune/a.json"
    (here / "codex-of-fortune").mkdir()
    write(here / "codex-of-fortune/a", realistic_table())
    assert str(library.find_strips("codex-of-fortune/a")) == "codex-of-fortune/a"


def test_a_folder_of_the_name_does_not_hide_the_set(here):
    write(here / "strips/codex-of-fortune/a.json", realistic_table())
    (here / "codex-of-fortune" / "a").mkdir(parents=True)
    assert str(library.find_strips("codex-of-fortune/a")) == "strips/codex-of-fortune/a.json"


def test_an_installed_package_has_no_project(here):
    project = here.parent / "project"
    write(project / "strips/codex-of-fortune/a.json", realistic_table())
    (project / "pyproject.toml").unlink()
    with pytest.raises(UsageError, match="there are none yet"):
        library.find_strips("codex-of-fortune/a")


def test_known_sets_are_named_without_the_files_beside_them(here):
    shelf, elsewhere = here / "strips/codex-of-fortune", here.parent / "project/strips/codex-of-fortune"
    for path in (shelf / "b.json", shelf / "b.figures.json", elsewhere / "b.json", elsewhere / "a.json"):
        write(path, realistic_table())
    (shelf / "b.target.toml").touch()
    found = library.strip_sets("codex-of-fortune")
    assert list(found) == ["a", "b"]
    assert not found["b"].is_absolute()
    with pytest.raises(UsageError, match=r"\(codex-of-fortune/a, codex-of-fortune/b\)"):
        library.find_strips("codex-of-fortune/c")


def test_definition_of_the_file_or_of_the_option(here):
    write(here / "set.json", realistic_table())
    assert library.load("set.json").game.game == "codex-of-fortune"
    text = find_game("codex-of-fortune").read_text(encoding="utf-8")
    (here / "mine.toml").write_text(text.replace('title = "', 'title = "My '))
    mine = library.load("set.json", "mine.toml")
    assert mine.game.title == "My Codex of Fortune"
    assert not mine.definition_matches
    (warning,) = library.warnings(mine)
    assert "set.json: definition_sha256: " in warning
    assert mine.game.sha256[:16] in warning and mine.strips.definition_sha256[:16] in warning
    assert list(library.warnings(library.load("set.json", "codex-of-fortune"))) == []


def test_a_game_of_the_users_own_needs_its_definition(here):
    text = find_game("codex-of-fortune").read_text(encoding="utf-8")
    (here / "own.toml").write_text(text.replace('game = "codex-of-fortune"', 'game = "mine"', 1))
    table = realistic_table()
    table["game"] = "mine"
    write(here / "set.json", table)
    with pytest.raises(UsageError, match=r"^set.json: game: must be one of .* unless --game names"):
        library.load("set.json")
    assert library.load("set.json", "own.toml").game.game == "mine"
    (here / "own.toml").rename(here / "mine.toml")
    assert library.load("set.json").game.game == "mine"


def test_sha256_is_that_of_the_bytes(here):
    import hashlib

    path = write(here / "set.json", realistic_table())
    assert library.load("set.json").sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


def test_files_beside_a_set(here):
    write(here / "a.b.json", realistic_table())
    loaded = library.load("a.b.json")
    assert str(loaded.beside("figures.json")) == "a.b.figures.json"


def test_errors_are_located_once_and_keep_their_kind(here):
    with pytest.raises(EndlessFeatureError, match=r"^set.json: reels: endless$"), library.located("set.json"):
        raise EndlessFeatureError("reels: endless")
    with pytest.raises(UsageError, match=r"^set.json: x$"), library.located("set.json"):
        raise UsageError("set.json: x")
