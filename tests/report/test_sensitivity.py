"""What one swapped stop moves: against evaluations of edited sets, on the page, and in the workbook."""

from __future__ import annotations

import io
import re
from itertools import combinations

import pytest
from openpyxl import load_workbook

from report.recalculate import recalculated
from report.workbook_edits import edit_workbook, swapped
from report.workbook_sets import HOSTILE, hostile
from workbench.report.heat_map import STEPS, Heat
from workbench.report.par_html import par_html
from workbench.report.par_model import Figure
from workbench.report.par_sheet import par_sheet
from workbench.report.par_sources import Sources
from workbench.report.xlsx.door import book_bytes
from workbench.report.xlsx.formula import STALE
from workbench.report.xlsx.par_book import par_book
from workbench.sensitivity.changes import rule_breakers, swaps
from workbench.sensitivity.sensitivity import sensitivities
from workbench.value.evaluate import figures_of


@pytest.fixture(scope="module")
def sources():
    game, strips = hostile(HOSTILE[:5])
    return Sources(game, strips, figures_of(game, strips), {}, sensitivity=sensitivities(game, strips))


@pytest.fixture(scope="module")
def sheet(sources):
    return par_sheet(sources)


def edited(strips, name, reel, stop, symbol):
    reels = [list(strip) for strip in strips.reels[name]]
    reels[reel][stop] = symbol
    return strips.with_reels(name, tuple(map(tuple, reels)))


def test_a_stop_shows_the_largest_rise_and_fall_of_all_evaluated_swaps(sources, sheet):
    game, strips = sources.game, sources.strips
    every = swaps(game, strips)
    kept = [s for s, breaks in zip(every, rule_breakers(game, strips, every), strict=True) if not breaks]
    name, reel, stop = kept[len(kept) // 2].reels, kept[len(kept) // 2].reel, kept[len(kept) // 2].stop
    there = [s.symbol for s in kept if (s.reels, s.reel, s.stop) == (name, reel, stop)]
    assert len(there) > 2
    base = figures_of(game, strips)["rtp"]
    changes = {s: figures_of(game, edited(strips, name, reel, stop, s))["rtp"] - base for s in there}
    for way, pick in (("rise", max), ("fall", min)):
        table = sheet.table(f"sensitivity.{name}.{way}")
        symbol = table.column(f"symbol_{reel + 1}")[stop]
        change = table.column(f"change_{reel + 1}")[stop].value
        # a difference of two RTPs near 1, each a sum rounded to 2e-16 a hundred times
        assert abs(change - pick(changes.values())) < 1e-13
        assert abs(changes[symbol] - change) < 1e-13


def test_the_largest_of_all_head_the_section(sources, sheet):
    found = sources.sensitivity
    kept = [c[0] for c, breaks in zip(found.swap_changes, found.breaks, strict=True) if not breaks]
    assert found.figures[0] == "rtp"
    rises = [figure.value for figure in sheet.table("sensitivity.rise").column("change")]
    falls = [figure.value for figure in sheet.table("sensitivity.fall").column("change")]
    assert rises == sorted(kept, reverse=True)[:10] and falls == sorted(kept)[:10]


def test_every_stop_is_on_the_page(sources, sheet):
    page = par_html(sheet).decode()
    drawn = re.findall(r"<title>reel (\d+), stop (\d+): [^<]* instead, ([+-][0-9.]+)</title>", page)
    stops = sum(len(strip) for reels in sources.strips.reels.values() for strip in reels)
    assert len(drawn) == 2 * stops
    assert {float(change) > 0 for _, _, change in drawn} == {True, False}


# of linear RGB, after Machado, Oliveira and Fernandes (2009), severity 1
DEUTERANOPIA = (
    (0.367322, 0.860646, -0.227968),
    (0.280085, 0.672501, 0.047413),
    (-0.011820, 0.042940, 0.968881),
)
PROTANOPIA = (
    (0.152286, 1.052583, -0.204868),
    (0.114503, 0.786281, 0.099216),
    (-0.003882, -0.048116, 1.051998),
)
UNCHANGED = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def linear(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]


def lab(colour, seen):
    """CIE L*a*b* (D65) of a colour as somebody sees it."""
    rgb = linear(colour)
    r, g, b = (min(max(sum(w * x for w, x in zip(row, rgb, strict=True)), 0.0), 1.0) for row in seen)
    white = (0.95047, 1.0, 1.08883)
    rows = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    x, y, z = (
        t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116
        for t in ((m[0] * r + m[1] * g + m[2] * b) / w for m, w in zip(rows, white, strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("seen", [UNCHANGED, DEUTERANOPIA, PROTANOPIA])
def test_steps_of_colour_are_told_apart(seen):
    """A difference of 2.3 is just seen side by side; neighbours differ by more than twice that, signs by far more."""
    looks = {step: lab(Heat(1.0).fill(step), seen) for step in range(-STEPS, STEPS + 1)}

    def apart(a, b):
        return sum((x - y) ** 2 for x, y in zip(looks[a], looks[b], strict=True)) ** 0.5

    assert min(apart(a, b) for a, b in combinations(looks, 2)) > 5
    assert all(apart(step, -step) > 10 * step for step in range(1, STEPS + 1))


@pytest.mark.parametrize("step", range(-STEPS, STEPS + 1))
def test_letters_are_read_on_every_step(step):
    from workbench.report.heat_map import DARK_FROM

    def light(colour):
        return sum(w * x for w, x in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))

    ink = "#ffffff" if step >= DARK_FROM else "#14181d"
    dark, bright = sorted((light(ink), light(Heat(1.0).fill(step))))
    assert (bright + 0.05) / (dark + 0.05) >= 4.5


def sensitivity_cells(data):
    """The changes on the sheet but those of 0, which look like the number of a stop."""
    rows = load_workbook(io.BytesIO(data), data_only=True)["Sensitivity"].iter_rows(values_only=True)
    return [cell for row in rows for cell in row if (isinstance(cell, float) and cell) or cell == STALE]


def test_the_sheet_is_stale_after_an_edit_and_stands_before(sources, sheet, tmp_path):
    import random

    made = book_bytes(par_book(sources.game, sources.strips, sources.figures, sheet))
    (tmp_path / "made.xlsx").write_bytes(made)
    now = sources.strips.with_reels("base", swapped(sources.strips.reels["base"], random.Random(1)))
    edit_workbook(tmp_path / "made.xlsx", tmp_path / "edited.xlsx", sources.strips, now)
    out = recalculated(tmp_path)
    stands = sensitivity_cells((out / "made.xlsx").read_bytes())
    assert STALE not in stands
    # files of LibreOffice have 15 digits
    assert stands == pytest.approx(sensitivity_cells(made), rel=1e-14, abs=0)
    assert set(sensitivity_cells((out / "edited.xlsx").read_bytes())) == {STALE}
    changes = [
        f.value
        for t in sheet.section("sensitivity").tables
        for row in t.rows
        for f in row
        if isinstance(f, Figure) and f.value
    ]
    assert sorted(stands) == pytest.approx(sorted(changes), rel=1e-14, abs=0)
    scales = load_workbook(io.BytesIO(made))["Sensitivity"].conditional_formatting
    kinds = [rule.type for block in scales for rule in block.rules]
    assert kinds.count("colorScale") == 2 * len(sources.strips.reels)
