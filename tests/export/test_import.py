"""Import: of every export that carries strips it is the identity; of strangers' tables it says what it guesses."""

from __future__ import annotations

import io
import json
import random

import openpyxl
import pytest
from export.hostile import every_kind, game_of, line_set

from workbench.cli import run
from workbench.errors import WorkbenchError
from workbench.export.csv_files import APOSTROPHE, EXACT
from workbench.export.folder import write_folder
from workbench.export.formats import production_files
from workbench.reading.layout import Told
from workbench.reading.sources import read_source
from workbench.reading.symbols import Names, names_of
from workbench.reels.files import canonical_bytes

KINDS = every_kind()


@pytest.mark.parametrize("cells", [EXACT, APOSTROPHE])
@pytest.mark.parametrize(("game", "strips"), KINDS + [line_set(s) for s in range(100, 130)])
def test_import_of_export_is_the_identity(game, strips, cells, tmp_path):
    formats = ("csv", "xlsx", "toml", "json") if cells == EXACT else ("csv",)
    write_folder(tmp_path / "out", {"manifest.json": b"", **production_files(strips, game, formats, cells)})
    names = Names(game.symbols.all, {})
    for file in ("index.csv", *(f"strip_set.{f}" for f in formats if f != "csv")):
        found = read_source(tmp_path / "out" / file, game, names)
        assert canonical_bytes(found) == canonical_bytes(strips), file


SYMBOLS = ["Lion", "Owl", "A", "K", "1", "+x"]
GAME = game_of(SYMBOLS, 3)
STRIPS = (("Lion", "A", "K", "A"), ("Owl", "K"), ("A", "A", "Lion"))
COLUMNS = [["Lion", "Owl", "A"], ["A", "K", "A"], ["K", "", "Lion"], ["A", "", ""]]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    from export.hostile import DEFINITION, text

    filled = DEFINITION.format(
        line=[0, 0, 0], rows="1, 1, 1", regular=text(SYMBOLS), special="[]", first='"Lion"', reels=3
    )
    (tmp_path / "g.toml").write_text(filled)
    return tmp_path


@pytest.fixture
def read(folder, capsys):
    """Imports a file of these bytes; the strips, and what was said."""

    def imported(data, *options, name="t.csv"):
        (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())
        capsys.readouterr()
        code = run(["import", name, "--game", "g.toml", *options])
        captured = capsys.readouterr()
        if code:
            assert code == 2 and captured.out == "" and len(captured.err.splitlines()) == 1, captured
            return captured.err
        table = json.loads(captured.out)
        return tuple(tuple(strip) for strip in table["reels"]["base"]), captured.err

    return imported


def text_of(rows, delimiter=",", end="\n"):
    return "".join(delimiter.join(row) + end for row in rows)


PLAIN = text_of(COLUMNS)
HEADER = [["Reel 1", "Reel 2", "Reel 3"]]


@pytest.mark.parametrize(
    ("data", "options", "said"),
    [
        (PLAIN, (), "a column a reel, no labels, no stop numbers"),
        (text_of(COLUMNS, end="\r\n"), (), "a column a reel"),
        (PLAIN.encode("utf-8-sig"), (), "with a mark"),
        (PLAIN.encode("utf-16"), (), "UTF-16"),
        (text_of(COLUMNS, ";"), (), "semicolons"),
        (text_of(COLUMNS, "\t"), (), "tabs"),
        (text_of(COLUMNS, " | "), (), "bars"),
        ("sep=;\n" + text_of(COLUMNS, ";"), (), "as it says"),
        (text_of([[f'"{cell}"' for cell in row] for row in COLUMNS]), (), "a column a reel"),
        (text_of([[f" {cell} " for cell in row] for row in COLUMNS]), (), "a column a reel"),
        (text_of([*COLUMNS, ["", "", ""], ["", "", "", ""]]), (), "a column a reel"),
        (text_of([[*row, "", ""] for row in COLUMNS]), (), "a column a reel"),
        (text_of([["", "", ""], *COLUMNS]), (), "a column a reel"),
        (text_of(HEADER + COLUMNS), (), "row 1 as labels"),
        (text_of([["R1", "r2", "R 3"], *COLUMNS]), (), "row 1 as labels"),
        (text_of([["base 1", "base 2", "base 3"], *COLUMNS]), (), "row 1 as labels"),
        (text_of([["left", "middle", "right"], *COLUMNS]), ("--header",), "row 1 as labels"),
        (text_of([[str(i), *row] for i, row in enumerate(COLUMNS)]), (), "column 1 as stop numbers"),
        (text_of([[str(i), *row] for i, row in enumerate(COLUMNS, 1)]), (), "column 1 as stop numbers"),
        (
            text_of([["Stop", *HEADER[0]], *([str(i), *row] for i, row in enumerate(COLUMNS))]),
            (),
            "row 1 as labels, column 1 as stop numbers",
        ),
        (
            text_of([[row[2], row[0], row[1]] for row in [["r1", "r2", "r3"], *COLUMNS]]),
            (),
            "in the order that",
        ),
        (text_of([list(strip) for strip in STRIPS]), (), "a row a reel"),
        (text_of([[f"Reel {i}", *strip] for i, strip in enumerate(STRIPS, 1)]), (), "column 1 as labels"),
        (PLAIN.replace("Lion", "lION").replace("Owl", "OWL"), (), "'lION' taken as 'Lion' (2 cells)"),
        (PLAIN.replace("Lion", "L1"), ("--map", "L1=Lion"), "'L1' taken as 'Lion' (2 cells)"),
        (PLAIN.replace("Lion", "=7"), ("--map", "=7=Lion"), "'=7' taken as 'Lion'"),
    ],
)
def test_tables_of_people(read, data, options, said):
    strips, err = read(data, *options)
    assert strips == STRIPS
    assert said in err
    assert all(line.startswith("workbench: ") for line in err.splitlines())


@pytest.mark.parametrize(
    ("data", "options", "said"),
    [
        ("Lion,Owl,A\nA,,A\nK,K,Lion\n", (), "t.csv: row 2, column 2: is blank"),
        (PLAIN.replace("Owl", "Eagle"), (), "t.csv: row 1, column 2: must be one of"),
        (PLAIN.replace("A", "L1"), ("--map", "L1=Eagle"), "'L1' must stand for one of"),
        (text_of([["left", "middle", "right"], *COLUMNS]), (), "row 1, column 1"),
        ("Lion,Owl,A\nA,K,A\nK,A,Lion\n", (), "more than one way"),
        ("1,1,1\nLion,Lion,Lion\n1,Owl,A\nA,A,A\n", ("--header",), None),
        ("Lion,Owl\nA,K\nA,A\nA,A\n", (), "must have 3"),
        ("", (), "blank"),
        (",,\n", (), "blank"),
        (b"\xff\x00\x00", (), "UTF-8"),
        (b"Li\xf6n,Owl,A\n", (), "UTF-8"),
        ('"Lion,Owl,A\n', (), "t.csv"),
        (PLAIN, ("--reels", "free"), "reels"),
        (PLAIN, ("--map", "nothing"), "--map"),
        (PLAIN, ("--name", "../x"), "--name"),
        (PLAIN, ("--json",), "--json"),
    ],
)
def test_what_is_open_or_wrong_is_refused_with_its_place(read, data, options, said):
    found = read(data, *options)
    if said is None:
        assert isinstance(found, tuple)
    else:
        assert isinstance(found, str) and said in found, found


def test_numbers_that_are_symbols_as_well_are_no_labels_by_themselves(folder, capsys):
    text = (folder / "g.toml").read_text().replace('"1", "+x"', '"1", "2", "3"')
    (folder / "g.toml").write_text(text)
    (folder / "t.csv").write_text("1,2,3\nLion,Owl,A\nA,K,K\nK,K,K\n")
    assert run(["import", "t.csv", "--game", "g.toml"]) == 2
    assert "more than one way" in capsys.readouterr().err
    for option, stops in (("--header", 3), ("--no-header", 4)):
        assert run(["import", "t.csv", "--game", "g.toml", "--columns", option]) == 0
        assert len(json.loads(capsys.readouterr().out)["reels"]["base"][0]) == stops


def test_a_random_table_is_read_back_or_refused_never_changed(folder):
    """Whatever a table of the game's symbols looks like, what is read is what was written."""
    from workbench.reading.grid import grid_of
    from workbench.reading.layout import Layout, read_layout

    names = Names(GAME.symbols.all, {})
    refused = 0
    for seed in range(400):
        chance = random.Random(seed)
        strips = tuple(tuple(chance.choice(SYMBOLS) for _ in range(chance.randint(1, 6))) for _ in range(3))
        depth = max(map(len, strips))
        rows = [[strip[i] if i < len(strip) else "" for strip in strips] for i in range(depth)]
        if chance.random() < 0.5:
            rows = [[str(i), *row] for i, row in enumerate(rows, chance.randint(0, 1))]
        if chance.random() < 0.5:
            rows = [[""] * (len(rows[0]) - 3) + ["1", "2", "3"], *rows]
        if chance.random() < 0.5:
            rows = [list(row) for row in zip(*rows, strict=True)]
        try:
            assert read_layout(grid_of("t", "t", rows), Layout(3, ("base",)), names, Told()).sets == {
                None: strips
            }
        except WorkbenchError:
            refused += 1
    assert refused < 100


def book(sheets):
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for r, row in enumerate(rows, 1):
            for c, cell in enumerate(row, 1):
                if cell != "":
                    sheet.cell(r, c).value = cell
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def test_workbooks_of_people(read):
    strips, err = read(book({"Base": HEADER + COLUMNS}), name="b.xlsx")
    assert strips == STRIPS and "sheet 'Base'" in err
    numbers = [["Lion", 1, "A"], ["A", "K", "A"], ["A", "", "A"], ["A", "", "A"]]
    strips, _ = read(book({"base": numbers}), name="b.xlsx")
    assert strips[1] == ("1", "K")
    assert "formula" in read(book({"base": [["=A1", "A", "A"]]}), name="b.xlsx")
    assert "given again" in read(
        book({"base": COLUMNS, "BASE ": HEADER + COLUMNS}),
        "--reels",
        "base",
        "--reels",
        "base",
        name="b.xlsx",
    )


def test_sheets_are_reel_sets_and_the_rest_comes_from_the_base(tmp_path, capsys):
    game, strips = KINDS[0]
    rows = {
        name: [
            [s[i] if i < len(s) else "" for s in strips.reels[name]]
            for i in range(max(map(len, strips.reels[name])))
        ]
        for name in ("base", "free")
    }
    sheets = {
        name: [[c.replace("+10", "plus") for c in row] for row in table] for name, table in rows.items()
    }
    (tmp_path / "b.xlsx").write_bytes(book(sheets))
    (tmp_path / "m.csv").write_text("plus,+10\n")
    base = ["import", str(tmp_path / "b.xlsx"), "--game", game.game, "--map", str(tmp_path / "m.csv")]
    assert run(base) == 2
    assert "--base" in capsys.readouterr().err
    out = str(tmp_path / "strategy.json")
    assert run([*base, "--base", "codex-of-fortune/strategy", "--out", out, "--json"]) == 0
    captured = capsys.readouterr()
    assert (tmp_path / "strategy.json").read_bytes() == canonical_bytes(strips)
    assert any("wheels" in line for line in json.loads(captured.out)["said"])
    assert run([*base, "--base", "codex-of-fortune/strategy", "--out", out]) == 2
    (tmp_path / "both.csv").write_text(
        text_of([[f"{n} {i}" for n in rows for i in range(1, 6)]])
        + text_of(
            [
                [cell for n in rows for cell in (rows[n][i] if i < len(rows[n]) else [""] * 5)]
                for i in range(120)
            ]
        )
    )
    both = ["import", str(tmp_path / "both.csv"), "--game", game.game, "--base", "codex-of-fortune/strategy"]
    capsys.readouterr()
    assert run([*both, "--name", "strategy"]) == 0
    assert capsys.readouterr().out.encode() == canonical_bytes(strips)


def test_an_index_reaches_no_other_folder(tmp_path):
    game, strips = KINDS[0]
    files = production_files(strips, game, ("csv",))
    (tmp_path / "index.csv").write_bytes(files["index.csv"].replace(b"reels.base.csv", b"../secret.csv"))
    with pytest.raises(WorkbenchError, match="in its folder"):
        read_source(tmp_path / "index.csv", game, Names(game.symbols.all, {}))
    (tmp_path / "index.csv").write_bytes(files["index.csv"])
    (tmp_path / "reels.base.csv").symlink_to("/etc/passwd")
    with pytest.raises(WorkbenchError, match="must be a file"):
        read_source(tmp_path / "index.csv", game, Names(game.symbols.all, {}))
    with pytest.raises(WorkbenchError, match="written only"):
        read_source(tmp_path / "strip_set.h", game, Names(game.symbols.all, {}))


def test_maps(tmp_path):
    (tmp_path / "m.toml").write_text('L1 = "Lion"\nL2 = "Owl"\n')
    assert names_of(GAME, [str(tmp_path / "m.toml"), "k1=K"]).mapped == {"L1": "Lion", "L2": "Owl", "k1": "K"}
    for bad in ("L1=Lion", "L1=K"), ("x=y=z",), (str(tmp_path / "absent.csv"),):
        with pytest.raises(WorkbenchError):
            names_of(GAME, [*bad, *(["L1=Owl"] if len(bad) == 2 else [])])
