"""What ``verify`` says no to, and what it must not mind."""

from __future__ import annotations

import copy
import json
import math

import pytest
from command_line import CommandLine, realistic_table, write

from workbench.errors import FileError
from workbench.library import load
from workbench.reels.files import canonical_json
from workbench.value.evaluate import figures_of
from workbench.verify import differences, stored_figures, verify


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def realistic_figures(tmp_path_factory):
    """The figures of the realistic set: evaluated once, verified many times."""
    path = write(tmp_path_factory.mktemp("realistic") / "set.json", realistic_table())
    loaded = load(str(path))
    return figures_of(loaded.game, loaded.strips, None, loaded.sha256)


@pytest.fixture
def shelf(folder, realistic_figures):
    """A set with its figures beside it, and the figures as a table to spoil."""
    write(folder / "set.json", realistic_table())
    (folder / "set.figures.json").write_bytes(canonical_json(realistic_figures))
    return copy.deepcopy(realistic_figures)


def answers(evaluated, rules=()):
    checks = verify(load("set.json"), rules, evaluate=lambda strategy: evaluated)
    return {check.name: check for check in checks}


def test_all_is_well(shelf, realistic_figures):
    found = answers(realistic_figures)
    assert list(found) == ["sha256", "definition", "strip rules", "figures"]
    assert all(check.ok and not check.wrong for check in found.values())


@pytest.mark.parametrize(
    ("spoil", "line"),
    [
        (lambda f: f.update(rtp=f["rtp"] + 1e-9), "rtp: stored"),
        (lambda f: f.update(hits=f["hits"] + 1), "hits: stored"),
        (lambda f: f.update(hits=float(f["hits"])), None),
        (lambda f: f.update(hits=True), "hits: stored True"),
        (lambda f: f.update(strip_set="other"), "strip_set: stored 'other'"),
        (lambda f: f["components"].pop("lines"), "components.lines: not stored"),
        (lambda f: f["components"].update(extra=0.0), "components.extra: stored, but not a figure now"),
        (lambda f: f["assumptions"].append("C-99"), "assumptions: stored 17 entries, now 16"),
        (
            lambda f: f["features"]["re_spins"]["ladder"][6].__setitem__(4, 0.5),
            "features.re_spins.ladder[6][4]: ",
        ),
        (lambda f: f.update(rtp=math.inf), "rtp: stored inf"),
        (lambda f: f.update(rtp=str(f["rtp"])), "rtp: stored '"),
        (lambda f: f.update(rtp=f["rtp"] + 1e-12), None),
        (lambda f: f.update(workbench_version="0.0.1"), None),
        (
            lambda f: f["top_prize"].update(one_in=f["top_prize"]["one_in"] * (1 + 1e-7)),
            None,
        ),  # p moves by 2e-13
        (lambda f: f["top_prize"].update(one_in=f["top_prize"]["one_in"] * (1 + 1e-5)), "top_prize.one_in: "),
        (lambda f: f["top_prize"].update(one_in=None), "top_prize.one_in: "),
        (lambda f: f["top_prize"].update(one_in=-1.0), "top_prize.one_in: "),
        (lambda f: f["new_player"].update({"1000": f["new_player"]["1000"] + 1e-9}), "new_player.1000: "),
    ],
)
def test_stored_figures(folder, shelf, realistic_figures, spoil, line):
    spoil(shelf)
    (folder / "set.figures.json").write_text(json.dumps(shelf).replace("Infinity", "1e999"))
    check = answers(realistic_figures)["figures"]
    assert check.ok == (line is None)
    assert len(check.wrong) == (0 if line is None else 1)
    if line is not None:
        assert check.wrong[0].startswith(line)


@pytest.mark.parametrize("bound", [1.0, -1.0, "1e-12", True, None, 1e-5])
def test_a_stored_bound_can_not_excuse_a_difference(folder, shelf, realistic_figures, bound):
    shelf["rtp"] += 1e-7
    shelf["error_bound"] = bound
    write(folder / "set.figures.json", shelf)
    check = answers(realistic_figures)["figures"]
    assert not check.ok and "error_bound" in check.text


def test_figures_are_those_of_the_stored_strategy(folder, shelf):
    shelf["strategy"] = "never-save"
    write(folder / "set.figures.json", shelf)
    asked = []
    verify(load("set.json"), evaluate=lambda strategy: asked.append(strategy) or shelf)
    assert asked == ["never-save"]


@pytest.mark.parametrize("strategy", ["greedy", 3, ["optimal"]])
def test_unknown_stored_strategy_is_a_no(folder, shelf, strategy):
    shelf["strategy"] = strategy
    write(folder / "set.figures.json", shelf)
    check = verify(load("set.json"))[-1]
    assert not check.ok and "strategy: must be" in check.text


def test_edited_set_fails_its_checksum(folder, shelf, realistic_figures):
    table = realistic_table()
    strip = table["reels"]["base"][1]
    strip[0], strip[1] = strip[1], strip[0]
    write(folder / "set.json", table)
    found = answers(realistic_figures)
    assert [name for name, check in found.items() if not check.ok] == ["sha256"]


def test_another_definition_fails(folder, shelf, realistic_figures):
    table = realistic_table()
    table["definition_sha256"] = "0" * 64
    write(folder / "set.json", table)
    assert "made for 0000" in answers(realistic_figures)["definition"].wrong[0]
    write(folder / "set.json", realistic_table())
    shelf["definition_sha256"] = "1" * 64
    write(folder / "set.figures.json", shelf)
    found = answers(realistic_figures)
    assert "figures are those of 1111" in found["definition"].wrong[0] and found["figures"].ok


def test_without_figures_nothing_vouches_for_a_set(folder):
    write(folder / "set.json", realistic_table())
    found = answers({})
    assert {name: check.ok for name, check in found.items()} == {
        "sha256": False,
        "definition": True,
        "strip rules": True,
        "figures": False,
    }
    assert "set.figures.json is missing" in found["figures"].text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{", "not a JSON file"),
        ("[]", "format"),
        ('{"format": "workbench.strip-set/1"}', "workbench.figures/1"),
    ],
)
def test_a_file_of_something_else_is_not_understood(folder, text, line, capsysbinary):
    write(folder / "set.json", realistic_table())
    (folder / "set.figures.json").write_text(text)
    got = CommandLine(folder, capsysbinary)("verify", "set.json").error_line
    assert "set.figures.json: " in got and line in got


def test_stored_figures_raise_file_errors(folder):
    with pytest.raises(FileError, match="format: must be"):
        stored_figures(write(folder / "x.json", [1]))
    assert stored_figures(folder / "none.json") is None


def test_numbers_agree_within_both_bounds_together():
    assert list(differences(1.0, 1.0 + 1.9e-12, 2e-12)) == []
    assert len(list(differences(1.0, 1.0 + 2.1e-12, 2e-12))) == 1
    assert len(list(differences(float("nan"), float("nan"), 1.0))) == 1
    assert list(differences(None, None, 0.0)) == []
    assert len(list(differences(None, 0.0, 1.0))) == 1


def spoil_rules(table) -> None:
    strip = table["reels"]["base"][2]
    strip[strip.index("Scatter") + 1] = "Scatter"


def test_command_says_no_and_lists_what_is_wrong(folder, capsysbinary, realistic_figures):
    workbench = CommandLine(folder, capsysbinary)
    table = realistic_table()
    spoil_rules(table)
    write(folder / "set.json", table)
    (folder / "set.target.toml").write_text(
        'format = "workbench.target/1"\ngame = "codex-of-fortune"\nname = "set"\n'
        '[[figures]]\nfigure = "rtp"\nvalue = 0.98\n'
        '[[strip_rules]]\nkind = "length"\nreels = "base"\non = [1]\nleast = 61\nmost = 90\n'
    )
    outcome = workbench("verify", "set.json", "--json")
    assert (outcome.code, outcome.err) == (1, "")
    found = json.loads(outcome.out)
    assert found["ok"] is False
    rules = {check["name"]: check for check in found["checks"]}["strip rules"]
    assert rules["text"] == "2 breaches of 13 rules"
    assert "spacing: reels.base: reel 3: Scatter on stop" in rules["wrong"][0]
    assert "length: reels.base: reel 2: has 60 stops; allowed: 61 to 90 stops" in rules["wrong"][1]
    outcome = workbench("verify", "set.json")
    assert outcome.code == 1 and "FAIL strip rules: 2 breaches of 13 rules\n     spacing: " in outcome.out


def test_command_verifies_what_evaluate_printed(folder, capsysbinary):
    workbench = CommandLine(folder, capsysbinary)
    write(folder / "set.json", realistic_table())
    printed = workbench("evaluate", "set.json", "--json", "--strategy", "advertised")
    (folder / "set.figures.json").write_bytes(printed.out.encode())
    outcome = workbench("verify", "set.json")
    assert outcome.code == 0, outcome.out
    assert outcome.out.count("ok   ") == 4 and outcome.err == ""
