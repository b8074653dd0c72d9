"""Laws laid over each other: distances against brute sums in fractions, intervals, pictures, and what is refused."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import lcm
from xml.etree import ElementTree

import numpy as np
import pytest
from command_line import CommandLine, write
from new_game import FILES, GAME, write_game
from oracles import games as small
from oracles.line_games import random_line_game

from workbench.commands.compare_laws_view import laws_view
from workbench.compare.laws import distance, lay_over
from workbench.errors import UsageError
from workbench.report.law_picture import COLOURS, DASHES, LEAST, curve, draw
from workbench.value.estimated import Estimated
from workbench.value.law_figures import skewness_interval
from workbench.value.round_law import RoundLaw, law_of


def law(step: str, *chances: str) -> RoundLaw:
    return RoundLaw(Fraction(step), np.array([float(Fraction(p)) for p in chances]), 0.0, 1e-16)


@cache
def line_law(seed: int) -> RoundLaw:
    return law_of(*random_line_game(random.Random(seed)))


def brute(one: RoundLaw, other: RoundLaw) -> tuple[Fraction, Fraction]:
    """(distance, the largest win at which it is), summed from above in whole numbers of 2^-100."""
    unit = Fraction(1, lcm(one.step.denominator, other.step.denominator))
    moves: dict[int, int] = {}
    for law, sign in ((one, 1), (other, -1)):
        size = int(law.step / unit)
        for k, chance in enumerate(law.chances.tolist()):
            if chance > 1e-30:
                moves[k * size] = moves.get(k * size, 0) + sign * int(Fraction(chance) * 2**100)
    apart, best = 0, (0, 0)
    for place in sorted(moves, reverse=True):
        apart += moves[place]
        if abs(apart) > best[0] + 2**55:
            best = abs(apart), place
    return Fraction(best[0], 2**100), best[1] * unit


def test_two_tiny_laws_by_hand():
    one, other = law("1/2", "1/2", "1/4", "0", "1/4"), law("1/3", "1/3", "0", "1/3", "0", "0", "0", "1/3")
    found = distance(one, other)
    assert found.size == pytest.approx(5 / 12, abs=1e-15) and found.at == 2 / 3
    assert found.chances == pytest.approx((1 / 4, 2 / 3))
    back = distance(other, one)
    assert (back.size, back.at, back.chances) == (found.size, found.at, found.chances[::-1])


def test_where_the_laws_are_as_far_apart_is_the_largest_win():
    found = distance(law("1/10", "1/2", "1/2"), law("1/10", "1/4", *["0"] * 6, "3/4"))
    assert (found.size, found.at) == (0.75, 0.7)


@pytest.mark.parametrize(("one", "other"), [(2, 2), (2, 5), (5, 303), (303, 2)])
def test_distances_are_those_of_brute_sums(one, other):
    laws = line_law(one), line_law(other)
    found, (size, at) = distance(*laws), brute(*laws)
    assert found.size == pytest.approx(float(size), abs=1e-12)
    assert found.half_width == 0 and "interval_99" not in found.to_json()
    if one == other:
        assert (found.size, found.at) == (0, None)
    else:
        assert found.size > 0.01
        for law, chance in zip(laws, found.chances, strict=True):
            assert chance == pytest.approx(law.at_least(at), abs=1e-12)
            assert chance == law.at_least(found.at - 1e-9)


def test_a_chance_moved_by_little_is_seen():
    one = line_law(303)
    chances = one.chances.copy()
    k = int(np.flatnonzero(chances > 1e-6)[-1])
    chances[k] -= 1e-9
    chances[0] += 1e-9
    found = distance(one, replace(one, chances=chances))
    assert found.size == pytest.approx(1e-9, rel=1e-4) and found.at == one.wins[k]


def test_figures_stand_at_the_same_wins():
    short, long = law("1", "1/2", "1/2"), law("1", "1/2", *["0"] * 19, "1/2")
    found = lay_over([short, long, short])
    assert [list(table["at_least"]) for table in found.figures] == [["1", "2", "5", "10", "20"]] * 3
    assert found.figures[0]["at_least"] == {"1": 0.5, "2": 0, "5": 0, "10": 0, "20": 0}
    assert [(row["set"], row["distance"], row["at"]) for row in found.to_json()["distances"]] == [
        ("B", 0.5, 20.0),
        ("C", 0.0, None),
    ]
    assert [row["mean"] for row in found.to_json()["figures"]] == [0.5, 10.0, 0.5]


def test_laws_under_the_strategy():
    """Tiny games with Keys: never saving and saving have laws apart by what brute sums say."""
    game, strips = small.random_game_and_strips(54, small.TINY_STRIPS, **small.TINY_GAME)
    laws = [law_of(game, strips, strategy=name) for name in ("worst", "optimal")]
    size, _ = brute(*laws)
    assert distance(*laws).size == pytest.approx(float(size), abs=1e-12)
    assert [table["strategy"] for table in lay_over(laws).figures] == ["worst", "optimal"]


SHARE, DRAWS = 0.4, 2000
PART = np.array([0.3, 0.2, 0.2, 0.2, 0.1])
KNOWN = np.array([0.5, 0.1, 0.0, 0.0, 0.0])


def drawn(seed: int) -> RoundLaw:
    """A law of which a part is drawn, and whose truth is KNOWN + SHARE PART."""
    counts = np.random.default_rng(seed).multinomial(DRAWS, PART)
    part = Estimated(SHARE, counts, seed, 0.0, 0.0)
    return RoundLaw(Fraction(1), KNOWN + part.chances, 0.0, 1e-16, part)


def test_intervals_hold_the_truth_as_often_as_they_say():
    true = RoundLaw(Fraction(1), KNOWN + SHARE * PART, 0.0, 1e-16)
    shifted = RoundLaw(Fraction(1), np.array([0.3, 0.3, 0.2, 0.1, 0.1]), 0.0, 1e-16)
    expected, trials = distance(true, shifted).size, 500
    apart = beyond = narrow = 0
    for seed in range(trials):
        found = drawn(seed)
        low, high = distance(found, shifted).interval
        apart += not low <= expected <= high
        low, high = skewness_interval(found)
        beyond += not low <= true.skewness <= high
        narrow += not abs(found.skewness - true.skewness) <= (high - low) / 4
    assert apart <= 12 and beyond <= 16
    assert narrow >= 50, "half as wide an interval would do"
    both = distance(drawn(1), drawn(2))
    assert both.half_width > 2 * distance(drawn(1), shifted).half_width
    assert both.size <= both.half_width
    assert "interval_99" in both.to_json()


def text_of(found) -> str:
    from rich.console import Console

    console = Console(width=80, color_system=None)
    with console.capture() as capture:
        console.print(*laws_view(found), sep="\n")
    return capture.get()


def test_the_text_has_intervals_under_figures_with_a_drawn_part():
    text = text_of(lay_over([drawn(1), law("1", "1/2", "1/2")]))
    row = next(line for line in text.splitlines() if line.startswith("skewness"))
    under = text.splitlines()[text.splitlines().index(row) + 1]
    low, high = skewness_interval(drawn(1))
    assert under.split() == ["99", "%", *f"{low:.6g} to {high:.6g} exact".split()]
    assert "99 %" not in text_of(lay_over([line_law(5), line_law(2)]))


def test_many_sets_are_shown_with_a_each():
    text = text_of(lay_over([line_law(seed) for seed in (2, 5, 303, 2, 5, 303)]))
    heads = [line.split() for line in text.splitlines() if line.split()[-1:] in (["D"], ["F"])]
    assert ["A", "B", "C", "D"] in heads and ["A", "E", "F"] in heads
    assert [f"A to {x}" in text for x in "BCDEFG"] == [True] * 5 + [False]


def test_a_curve_is_the_chances_at_wins():
    found = line_law(303)
    drawn_curve = curve(found)
    for win, chance in zip(drawn_curve.wins.tolist(), drawn_curve.chances.tolist(), strict=True):
        assert chance == found.at_least(win - 1e-9) >= LEAST
    assert drawn_curve.interval is None and (np.diff(drawn_curve.wins) > 0).all()
    assert drawn_curve.wins[0] == min(found.wins[1:][found.chances[1:] > 1e-14])
    assert drawn_curve.chances[0] == pytest.approx(1 - found.chances[0], abs=1e-12)
    assert len(curve(RoundLaw(Fraction(1), np.full(200_000, 5e-6), 0.0, 1e-16)).wins) <= 2500
    low, high = curve(drawn(3)).interval
    assert (low < curve(drawn(3)).chances).all() and (curve(drawn(3)).chances < high).all()


def test_sets_differ_in_colour_or_dash():
    assert len({(i % len(COLOURS), i % len(DASHES)) for i in range(26)}) == 26


def test_pictures_are_the_same_every_time(tmp_path):
    names = [("A  one $x", line_law(5)), ("B  zwei 二", drawn(1))]
    pictures = []
    for i in range(2):
        for kind in ("png", "svg", "SVG"):
            draw(names, "A $heading$", tmp_path / f"{i}.{kind}")
        pictures.append([(tmp_path / f"{i}.{kind}").read_bytes() for kind in ("png", "svg", "SVG")])
    assert pictures[0] == pictures[1]
    assert pictures[0][0].startswith(b"\x89PNG") and pictures[0][0][16:20] == (1280).to_bytes(4, "big")
    assert ElementTree.fromstring(pictures[0][1]).tag.endswith("svg")


def test_many_long_names_leave_room_for_the_curves(tmp_path):
    draw([(f"{i} {'long' * 20}", line_law(5)) for i in range(26)], "Many", tmp_path / "law.png")
    head = (tmp_path / "law.png").read_bytes()[16:24]
    assert int.from_bytes(head[:4], "big") == 1280 and int.from_bytes(head[4:], "big") > 1300


SETS = (f"{GAME}/starter", f"{GAME}/other")


@pytest.fixture
def workbench(tmp_path, monkeypatch, capsysbinary) -> CommandLine:
    """The game that ``new`` writes with two sets; the files it may write are outside its folder."""
    folder = tmp_path / "work"
    write_game(folder / "strips" / GAME)
    monkeypatch.chdir(folder)
    table = json.loads(FILES["starter.json"])
    table["reels"]["base"][1].insert(3, "Wild")
    write(folder / "strips" / GAME / "other.json", {**table, "name": "other"})
    return CommandLine(folder, capsysbinary)


def test_compare_with_laws(workbench, tmp_path):
    outcome = workbench("compare", *SETS, "--json", "--picture", str(tmp_path / "new" / "laws.svg"))
    assert (outcome.code, outcome.err) == (0, "")
    found = json.loads(outcome.out)["laws"]
    alone = [json.loads(workbench("law", name, "--json").out) for name in SETS]
    for letter, table, one in zip("AB", found["figures"], alone, strict=True):
        assert table.pop("set") == letter
        assert table == {key: one[key] for key in table}
    (row,) = found["distances"]
    assert row["set"] == "B" and row["distance"] == abs(row["at_least"][0] - row["at_least"][1]) > 0
    largest = max(abs(a - b) for a, b in zip(*(one["at_least"].values() for one in alone), strict=True))
    assert row["distance"] >= largest > 0
    assert ElementTree.parse(tmp_path / "new" / "laws.svg")
    text = workbench("compare", *SETS, "--law").out
    assert max(map(len, text.splitlines())) <= 80
    cells = [line.split() for line in text.splitlines()]
    assert ["mean", *(f"{one['mean']:.10g}" for one in alone)] in cells
    assert any(row[:3] == ["A", "to", "B"] and len(row) == 7 for row in cells)


def test_compare_without_laws_has_none(workbench, monkeypatch):
    monkeypatch.setattr("workbench.value.round_law.law_of", None)
    assert "laws" not in json.loads(workbench("compare", *SETS, "--json").out)
    assert "Largest distance" not in workbench("compare", *SETS).out


def test_one_law_as_a_picture(workbench, tmp_path):
    assert workbench("law", SETS[0], "--picture", str(tmp_path / "law.PNG")).code == 0
    assert (tmp_path / "law.PNG").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("command", [("law", SETS[0]), ("compare", *SETS)])
def test_a_picture_that_cannot_be_written_is_one_line(workbench, tmp_path, monkeypatch, command):
    def never(*_, **__):
        raise AssertionError("work was done before the path was looked at")

    (tmp_path / "file").write_text("")
    (tmp_path / "folder.png").mkdir()
    with monkeypatch.context() as patched:
        patched.setattr("workbench.library.load", never)
        for name, text in (
            ("law.pdf", "--picture: must end in .png or .svg, but got"),
            ("law", "--picture: must end in .png or .svg, but got"),
            (".png", "--picture: must end in .png or .svg, but got"),
            ("file/law.png", "law.png: can't be written (file is not a directory)"),
            ("folder.png", "folder.png: can't be written (Is a directory)"),
        ):
            line = workbench(*command, "--picture", str(tmp_path / name)).error_line
            assert text in line
    late = workbench(*command, "--picture", str(tmp_path / f"{'x' * 300}.png")).error_line
    assert "can't be written (File name too long)" in late
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder.png", "work"]


def test_a_round_that_never_wins_has_no_picture(tmp_path):
    with pytest.raises(UsageError, match="no round wins anything"):
        draw([("A", law("1", "1"))], "Nothing", tmp_path / "law.png")
    assert not list(tmp_path.iterdir())
