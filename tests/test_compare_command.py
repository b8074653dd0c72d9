"""``workbench compare`` from outside: what it prints, and what it refuses."""

from __future__ import annotations

import json

import pytest
from command_line import CommandLine, realistic_table, write
from new_game import FILES, GAME, TEXT, write_game

from workbench.reels.files import canonical_json


@pytest.fixture
def workbench(tmp_path, monkeypatch, capsysbinary) -> CommandLine:
    """Two sets of the game that ``new`` writes: as it is, and with a stop put in and a strip turned."""
    monkeypatch.chdir(tmp_path)
    write_game(tmp_path / "strips" / GAME)
    table = json.loads(FILES["starter.json"])
    base = table["reels"]["base"]
    base[1].insert(3, "Wild")
    base[2] = base[2][-5:] + base[2][:-5]
    write(tmp_path / "strips" / GAME / "other.json", {**table, "name": "other"})
    return CommandLine(tmp_path, capsysbinary)


SETS = (f"{GAME}/starter", f"{GAME}/other")


def test_json_is_one_object_with_what_differs_and_what_moves(workbench):
    outcome = workbench("compare", *SETS, "--json")
    assert (outcome.code, outcome.err) == (0, "")
    found = json.loads(outcome.out)
    assert canonical_json(found).decode() == outcome.out
    assert found["format"] == "workbench.comparison/1"
    assert (found["game"], found["strategy"], found["equal"]) == (GAME, None, False)
    assert [(s["set"], s["strip_set"], s["file"]) for s in found["sets"]] == [
        ("A", "starter", f"strips/{GAME}/starter.json"),
        ("B", "other", f"strips/{GAME}/other.json"),
    ]
    (other,) = found["others"]
    assert (other["set"], other["same"], other["weights"]) == ("B", False, [])
    inserted, turned = other["strips"][1:3]
    assert inserted["edits"] == [{"stops": [3, 3], "before": [], "after": ["Wild"]}]
    assert inserted["lengths"][1] == inserted["lengths"][0] + 1 and inserted["reel"] == 1
    assert (turned["rotation"], turned["differing"]) == (5, 0)
    before, after = (json.loads(workbench("evaluate", s, "--json").out) for s in SETS)
    figures = {figure["figure"]: figure for figure in found["figures"]}
    for name in ("rtp", "hit_frequency", "standard_deviation", "volatility_index_90"):
        assert figures[name]["values"] == [before[name], after[name]]
        assert figures[name]["differences"] == [after[name] - before[name]]
        assert figures[name]["main"] and figures[name]["moves"] == [True]
    assert figures["cycle"]["differences"] == [after["cycle"] - before["cycle"]]


def test_tables_say_what_differs_and_keep_the_long_tail_for_all(workbench):
    outcome = workbench("compare", *SETS)
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert max(map(len, lines)) <= 80 and "\x1b" not in outcome.out
    rows = [line.split() for line in lines]
    assert ["base,", "reel", "2", "before", "3", "-", "3", "Wild"] in rows
    assert any(row[:3] == ["base,", "reel", "3"] and row[-3:] == ["stop", "5", "0"] for row in rows)
    before, after = (json.loads(workbench("evaluate", s, "--json").out)["rtp"] for s in SETS)
    expected = [f"{before:.10g}", f"{after:.10g}", f"{after - before:+.6g}"]
    assert any(row[:1] == ["rtp"] and row[1:4] == expected for row in rows)
    assert "Further figures that move (" in outcome.out and ": combinations" not in outcome.out
    everything = workbench("compare", *SETS, "--all").out
    assert "A to B: combinations" in everything and "Further figures" not in everything


def test_equal_sets_are_said_to_be_equal(workbench):
    outcome = workbench("compare", SETS[0], SETS[0])
    assert outcome.code == 0
    assert outcome.out.endswith("\nEqual: no stop and no weight differs, no figure moves.\n")
    assert json.loads(workbench("compare", SETS[0], SETS[0], "--json").out)["equal"] is True


def test_three_sets(workbench):
    text = workbench("compare", SETS[0], SETS[0], SETS[1]).out
    assert "A to B: no stop and no weight differs." in text and "A to B: no figure moves." in text
    assert "A to C: stops that differ" in text and "A to C: figures that move" in text


def test_many_stops_are_cut(workbench, tmp_path):
    table = json.loads(FILES["starter.json"])
    table["reels"]["base"] = [strip[::-1] for strip in table["reels"]["base"]]
    write(tmp_path / "turned-round.json", table)
    given = ("compare", SETS[0], "turned-round.json", "--game", f"strips/{GAME}/{GAME}.toml")
    assert "more; --all shows them" in workbench(*given).out
    assert "--all" not in workbench(*given, "--all").out


def test_a_strategy_is_that_of_evaluate(workbench, tmp_path):
    table = realistic_table()
    write(tmp_path / "a.json", table)
    table["wheels"]["free_spins.keys"]["1"] += 1
    write(tmp_path / "b.json", table)
    found = json.loads(workbench("compare", "a.json", "b.json", "--strategy", "never-save", "--json").out)
    assert found["strategy"] == "never-save"
    rtp = next(figure for figure in found["figures"] if figure["figure"] == "rtp")
    sets = ("a.json", "b.json")
    alone = [workbench("evaluate", name, "--strategy", "never-save", "--json").out for name in sets]
    assert rtp["values"] == [json.loads(out)["rtp"] for out in alone]
    line = workbench("compare", "a.json", "b.json", "--strategy", "none").error_line
    assert "a.json: strategy: must be one of worst, optimal" in line
    text = workbench("compare", "a.json", "b.json").out
    assert "strategy optimal" in text and "wheels.free_spins.keys" in text


def test_a_set_edited_by_hand_is_compared_with_a_warning(workbench, tmp_path):
    table = json.loads(FILES["starter.json"])
    table["definition_sha256"] = "0" * 64
    (tmp_path / "strips" / GAME / "mine.json").write_text(json.dumps(table, indent=8))
    outcome = workbench("compare", SETS[0], f"{GAME}/mine", f"{GAME}/mine", "--json")
    assert outcome.code == 0 and json.loads(outcome.out)["equal"]
    (line,) = outcome.err.splitlines()
    assert f"{GAME}/mine.json: definition_sha256: made for definition 0000" in line


@pytest.mark.parametrize(
    ("spoil", "text"),
    [
        (lambda t: t["reels"]["base"][0].append("Nobody"), "Nobody"),
        (lambda t: t.update(format="other"), "format: must be 'workbench.strip-set/1'"),
        (lambda t: t.update(game="spellmaster"), "B.json: "),
    ],
)
def test_a_set_that_cannot_be_read_is_one_line(workbench, tmp_path, spoil, text):
    table = json.loads(FILES["starter.json"])
    spoil(table)
    write(tmp_path / "strips" / GAME / "B.json", table)
    line = workbench("compare", SETS[0], f"{GAME}/B").error_line
    assert text in line and "B.json" in line


def test_sets_of_two_games_are_refused(workbench, tmp_path):
    write(tmp_path / "codex.json", realistic_table())
    line = workbench("compare", SETS[0], "codex.json").error_line
    assert f"codex.json: game: must be '{GAME}', that of strips/{GAME}/starter.json" in line
    assert line.endswith("but got 'codex-of-fortune'")


def test_sets_read_with_two_definitions_are_refused_unless_one_is_named(workbench, tmp_path):
    write_game(tmp_path / "elsewhere", TEXT + "\n# another file\n")
    sets = (SETS[0], "elsewhere/starter.json")
    assert "--game FILE reads all sets with one" in workbench("compare", *sets).error_line
    named = workbench("compare", *sets, "--game", GAME, "--json")
    assert named.code == 0 and json.loads(named.out)["equal"]


def test_a_single_set_is_a_usage_error(workbench):
    assert "Missing argument 'B [C ...]'" in workbench("compare", SETS[0]).error_line
