"""What a workbook holds, without recalculating it: texts stay texts, bytes are the same, inputs are where they say."""

from __future__ import annotations

import io
import re
import zipfile

import pytest
from openpyxl import load_workbook

from report.recalculate import recalculated
from report.workbook_sets import HOSTILE, full, hostile, weighted
from workbench.report.xlsx.door import book_bytes
from workbench.report.xlsx.formula import STALE, Expr, both, one_in, ratio, shown, total
from workbench.report.xlsx.leaves import leaves
from workbench.report.xlsx.par_book import par_book
from workbench.value.evaluate import figures_of


@pytest.fixture(scope="module")
def made() -> bytes:
    game, strips = hostile()
    return book_bytes(par_book(game, strips, figures_of(game, strips)))


def test_hostile_symbols_are_counted_as_texts(made: bytes, tmp_path) -> None:
    game, strips = hostile()
    (tmp_path / "hostile.xlsx").write_bytes(made)
    book = load_workbook(recalculated(tmp_path) / "hostile.xlsx", data_only=True)
    cells = {row[0].value: row[1].value for row in book["Figures"].iter_rows(min_row=6)}
    for path, value in leaves(figures_of(game, strips)):
        if isinstance(value, float):
            assert cells[path] == pytest.approx(value, rel=1e-12), path
    counts = book["Counts"]
    assert [counts.cell(6 + i, 1).value for i in range(len(HOSTILE))] == HOSTILE
    assert counts.cell(6, 2).value == strips.reels["base"][0].count(HOSTILE[0])


def test_no_user_text_is_in_a_formula(made: bytes) -> None:
    book = load_workbook(io.BytesIO(made))
    formulas = [c.value for sheet in book for row in sheet.iter_rows() for c in row if c.data_type == "f"]
    assert len(formulas) > 100
    for formula in formulas:
        quoted = set(re.findall(r'"([^"]*)"', formula))
        assert quoted <= {STALE, "", "never", "as evaluated", "edited"}, formula


def test_functions_are_those_of_every_spreadsheet(made: bytes) -> None:
    game, strips = full()
    for data in (made, book_bytes(par_book(game, strips, figures_of(game, strips)))):
        book = load_workbook(io.BytesIO(data))
        formulas = [c.value for sheet in book for row in sheet.iter_rows() for c in row if c.data_type == "f"]
        used = {name for formula in formulas for name in re.findall(r"([A-Z]+)\(", formula)}
        assert used <= {
            *("IF", "AND", "IFERROR", "NA", "COUNT", "COUNTA", "COUNTIF", "SUM", "SUMPRODUCT", "EXACT"),
            *("INDEX", "MOD", "INT", "MIN", "MAX", "ABS"),
        }
        assert max(map(len, formulas)) <= 8192


def test_bytes_are_the_same(made: bytes) -> None:
    game, strips = hostile()
    assert book_bytes(par_book(game, strips, figures_of(game, strips))) == made
    assert zipfile.ZipFile(io.BytesIO(made)).testzip() is None


def test_stored_values_are_those_of_evaluate() -> None:
    game, strips = weighted()
    found = figures_of(game, strips)
    book = load_workbook(io.BytesIO(book_bytes(par_book(game, strips, found))), data_only=True)
    cells = {row[0].value: row[1].value for row in book["Figures"].iter_rows(min_row=6)}
    for path, value in leaves(found):
        if isinstance(value, float):
            assert cells[path] == pytest.approx(value, rel=1e-14, abs=0), path


def test_a_formula_carries_its_value() -> None:
    count = Expr("Counts!$B$6", 3, True)
    assert (1 - count / 4).text == "1-(Counts!$B$6/4)" and (1 - count / 4).value == 0.25
    assert total([count, 2]).text == "Counts!$B$6+2"
    assert one_in(Expr("A!$A$1", 0.0, True)).value == "never"
    assert ratio(count, Expr("A!$A$1", 0, True)).value == 0
    assert both([]).text == "TRUE"
    stale = Expr("F!$B$6", 1.0, True, ("F!$B$6",)) + count
    assert shown(stale).text == f'IF(COUNT(F!$B$6)=1,F!$B$6+Counts!$B$6,"{STALE}")'


def test_a_number_that_a_formula_would_cut_is_refused() -> None:
    with pytest.raises(AssertionError, match="more digits"):
        _ = Expr("A!$A$1", 1, True) * (1 / 3)
