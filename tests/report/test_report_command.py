"""``workbench report``: files written, refusals, and the shipped reports."""

from __future__ import annotations

import io
import json
import re
import zipfile
from dataclasses import replace

import numpy as np
import pytest
from command_line import Outcome
from new_game import GAME, write_game

from report.sheets import NAMES, SHIPPED, shipped
from workbench.cli import run
from workbench.commands.report import Wanted, shipped_sets, sources_of, workbook
from workbench.library import load
from workbench.report import par_sheet
from workbench.report.par_html import par_html
from workbench.report.par_model import Figure, par_json
from workbench.value.round_law import law_of


@pytest.fixture
def workbench(tmp_path, monkeypatch, capsysbinary):
    monkeypatch.chdir(tmp_path)
    write_game(tmp_path / "here")

    def call(*arguments: str) -> Outcome:
        capsysbinary.readouterr()
        code = run(list(arguments))
        said = capsysbinary.readouterr()
        return Outcome(code, said.out.decode(), said.err.decode())

    return call


def test_a_set_at_a_path_with_a_simulation(workbench, tmp_path):
    done = workbench("report", "here/starter.json", "--out", "par", "--rounds", "20000", "--json")
    assert done.code == 0, done.err
    files = json.loads(done.out)["files"]
    assert {"par/par.json", "par/par.html", "par/par.xlsx"} <= set(files)
    table = json.loads((tmp_path / "par/par.json").read_text())
    assert (table["format"], table["game"]) == ("workbench.par-sheet/1", GAME)
    assert {s["id"] for s in table["sections"]} >= {"identification", "hits", "win_bands", "simulated"}
    again = workbench("report", "here/starter.json", "--out", "again", "--rounds", "20000")
    assert again.code == 0
    for name in files:
        assert (tmp_path / name).read_bytes() == (tmp_path / name.replace("par/", "again/", 1)).read_bytes()


def test_swapped_stops_are_a_section_where_they_are_asked_for(workbench, tmp_path, monkeypatch):
    from workbench.sensitivity import sensitivity
    from workbench.sensitivity.changes import swaps
    from workbench.sensitivity.table import Sensitivities

    def found(game, strips):
        two = swaps(game, strips)[:2]
        changes = np.array([[0.25], [-0.5]])
        return Sensitivities(
            None, ("rtp",), np.ones(1), two, changes, (False, False), (), np.zeros((0, 1)), {}
        )

    monkeypatch.setattr(sensitivity, "sensitivities", found)
    asked = ("report", "here/starter.json", "--rounds", "0", "--out")
    assert workbench(*asked, "par", "--sensitivity").code == 0
    assert workbench(*asked, "plain").code == 0
    table = json.loads((tmp_path / "par/par.json").read_text())
    assert table["sections"][-1]["id"] == "sensitivity"
    assert [t["rows"][0][-1]["value"] for t in table["sections"][-1]["tables"][:2]] == [0.25, -0.5]
    plain = json.loads((tmp_path / "plain/par.json").read_text())
    assert plain["sections"] == table["sections"][:-1]
    assert b"What one stop moves" in (tmp_path / "par/par.html").read_bytes()


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["--out", "x"], "STRIPS or --shipped"),
        (["here/starter.json", "--shipped", "--out", "x"], "STRIPS or --shipped"),
        (["here/starter.json", "--out", "x", "--rounds", "10"], "--rounds: must be 0 or 1000 at least"),
        (["here/starter.json", "--out", "here/starter.json"], "is not a directory"),
        (["here/none.json", "--out", "x"], "must be the path of a strip set"),
    ],
)
def test_what_cannot_be_done_is_one_line(workbench, tmp_path, arguments, said):
    assert said in workbench("report", *arguments).error_line
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("name", shipped_sets())
def test_every_shipped_set_has_its_report(name):
    sheet = shipped(name)
    assert sheet.sha256 == load(name).sha256
    assert (SHIPPED / name / "par.json").read_bytes() == par_json(sheet)
    assert (SHIPPED / name / "par.html").read_bytes() == par_html(sheet)


def test_every_report_is_of_a_shipped_set():
    files = {f"{name}/par.{kind}" for name in shipped_sets() for kind in ("json", "html", "xlsx")}
    assert {p.relative_to(SHIPPED).as_posix() for p in SHIPPED.rglob("*") if p.is_file()} == files


LAW = ("law", "win_bands", "percentiles", "likeliest", "win_curve")
# twice what sums on machines of other kinds can differ by; law entries are rounded at 1e-14 and there are 4e5 of them
NOISE = 1e-9


def numbers(cell) -> list[float]:
    """A figure and its ends; one in so many as the probability it comes from, which is what rounding moves."""
    if not isinstance(cell, Figure):
        return [cell]
    found = [cell.value, *(cell.interval or ())]
    return [1 / x for x in found] if cell.kind == "one_in" else found


def same(stored, now) -> bool:
    if isinstance(now, Figure) and (stored.kind, stored.status) != (now.kind, now.status):
        return False
    pairs = list(zip(numbers(stored), numbers(now), strict=True))
    return all(
        a == b if isinstance(b, str | None) else abs(a - b) <= NOISE * max(1.0, abs(b)) for a, b in pairs
    )


def other_cells(stored, now, without=()) -> list[str]:
    """Where sheets differ; tables in ``without`` aren't compared."""
    tables = [
        {t.id: t for s in sheet.sections for t in s.tables if t.id not in without} for sheet in (stored, now)
    ]
    assert list(tables[0]) == list(tables[1])
    found = []
    for name, table in tables[0].items():
        other = tables[1][name]
        if (table.title, table.columns, table.notes, len(table.rows)) != (
            other.title,
            other.columns,
            other.notes,
            len(other.rows),
        ):
            found.append(name)
            continue
        for row, row_now in zip(table.rows, other.rows, strict=True):
            found += [f"{name}: {row[0]}" for a, b in zip(row, row_now, strict=True) if not same(a, b)]
    return found


def other_book_cells(stored: bytes, now: bytes) -> list[str]:
    """Where workbooks differ: in no byte, or on machines of other kinds in numbers by less than the noise."""
    if stored == now:
        return []
    books = [
        {name: ROW.split(parts.read(name).decode()) for name in sorted(parts.namelist())}
        for parts in (zipfile.ZipFile(io.BytesIO(data)) for data in (stored, now))
    ]
    if {name: len(cells) for name, cells in books[0].items()} != {n: len(c) for n, c in books[1].items()}:
        return ["other sheets or cells"]
    return [
        f"{name}: {a[:80]}"
        for name, cells in books[0].items()
        for a, b in zip(cells, books[1][name], strict=True)
        if a != b and not close_numbers(a, b)
    ]


ROW = re.compile(r"(?=<c )")
VALUE = re.compile(r"<v>([-+.0-9eE]+)</v>")


def close_numbers(a: str, b: str) -> bool:
    """Whether two cells are alike but for the last digits of their values."""
    found = VALUE.search(a), VALUE.search(b)
    if None in found or VALUE.sub("", a) != VALUE.sub("", b):
        return False
    x, y = (float(value[1]) for value in found)
    return abs(x - y) <= NOISE * max(1.0, abs(y))


def test_the_shipped_spellmaster_sheet_is_the_one_that_comes_out_now():
    name = NAMES[1]
    now, stored = sources_of(load(name), Wanted()), shipped(name)
    assert other_cells(stored, par_sheet.par_sheet(now)) == []
    assert other_book_cells((SHIPPED / name / "par.xlsx").read_bytes(), workbook(now, stored)) == []


def test_the_shipped_codex_sheet_is_the_one_that_comes_out_now(monkeypatch):
    """All but the law of a round, which takes a minute: that lies within the intervals of a drawn one."""
    name = NAMES[0]
    monkeypatch.setattr(par_sheet, "law_of", lambda game, strips: law_of(game, strips, quick=True))
    stored, now = shipped(name), par_sheet.par_sheet(sources_of(load(name), Wanted()))
    assert other_cells(stored, now, LAW) == []
    bands = zip(
        stored.table("win_bands").column("probability"),
        now.table("win_bands").column("probability"),
        strict=True,
    )
    for exact, drawn in bands:
        low, high = drawn.interval or (drawn.value - NOISE, drawn.value + NOISE)
        assert low <= exact.value <= high


def test_a_sheet_of_other_strips_would_be_noticed():
    stored = shipped(NAMES[1])
    assert other_cells(stored, replace(stored, sections=tuple(_moved(s) for s in stored.sections))) == [
        "split: respins"
    ]


def _moved(section):
    if section.id != "split":
        return section
    table = section.tables[0]
    rows = tuple(
        (row[0], replace(row[1], value=row[1].value + (1e-6 if row[0] == "respins" else 0)), *row[2:])
        for row in table.rows
    )
    return replace(section, tables=(replace(table, rows=rows), *section.tables[1:]))
