"""Sheets against figures, and against what must hold whatever the figures are."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest
from new_game import definition, starter

from report.sheets import NAMES, line_sheet, shipped
from workbench.report.par_model import Figure, ParSheet, par_json, parse_par_json
from workbench.value.evaluate import figures_of

ROOT = Path(__file__).parents[2]
SHEETS = {"lines": line_sheet, **{name: lambda name=name: shipped(name) for name in NAMES}}


@pytest.fixture(params=SHEETS, scope="module")
def sheet(request) -> ParSheet:
    return SHEETS[request.param]()


def values(sheet: ParSheet, table: str, column: str) -> list[float]:
    found = sheet.table(table)
    assert found is not None
    return [c.value if isinstance(c, Figure) else c for c in found.column(column)]


def rtp(sheet: ParSheet) -> float:
    return sheet.table("summary").figure("rtp").value


def test_the_file_reads_back_as_the_sheet(sheet):
    data = par_json(sheet)
    assert parse_par_json(data, "par.json") == sheet
    assert par_json(parse_par_json(data, "par.json")) == data


def test_components_and_sources_sum_to_the_rtp(sheet):
    assert sum(values(sheet, "components", "rtp")) == pytest.approx(rtp(sheet), abs=1e-14)
    *parts, total = values(sheet, "split", "rtp")
    assert sum(parts) == pytest.approx(total, abs=1e-14) and total == rtp(sheet)


def test_contributions_of_symbols_and_lengths_sum_to_the_lines(sheet):
    lines = float(Fraction(sheet.table("hits.facts").figure("lines_rtp_exact").value))
    *_, total = values(sheet, "hits", "rtp")
    for table in ("hits.by_symbol", "hits.by_length"):
        assert sum(values(sheet, table, "rtp")) == pytest.approx(lines, abs=1e-12)
    assert total == pytest.approx(lines, abs=1e-12)
    part = values(sheet, "components", "rtp")[sheet.table("components").column("component").index("lines")]
    full_grid = sheet.game == "spellmaster"
    assert (part < lines) if full_grid else part == pytest.approx(lines, abs=1e-15)
    assert len(sheet.section("split").notes) == 1 + full_grid


def test_hits_and_pays_give_the_lines_as_a_fraction(sheet):
    """From the sheet's own hits, pays and lines, by hand, against the fraction it prints."""
    table = sheet.table("hits")
    bet = dict(
        zip(
            sheet.table("identification").column("id"),
            sheet.table("identification").column("value"),
            strict=True,
        )
    )["bet"]
    cycle = sheet.table("hits.facts").figure("cycle").value
    columns = [values(sheet, "hits", name)[:-1] for name in ("hits", "pay", "lines")]
    coins = sum(hits * pay * lines for hits, pay, lines in zip(*columns, strict=True))
    assert len(table.rows) > 10
    assert str(Fraction(coins, cycle * bet)) == sheet.table("hits.facts").figure("lines_rtp_exact").value


def test_counts_are_those_of_the_strips(sheet):
    for section_table in sheet.section("strips").tables:
        name = section_table.id.removeprefix("strips.")
        counts = sheet.table(f"counts.{name}.stops")
        reels = [c.id for c in section_table.columns if c.id.startswith("reel_")]
        for symbol, row in zip(counts.column("symbol"), counts.rows, strict=True):
            for reel, cell in zip(reels, row[1:], strict=False):
                strip = [s for s in section_table.column(reel) if s is not None]
                assert cell.value == (len(strip) if symbol == "total" else strip.count(symbol))


def test_wheels_and_position_reels_sum_to_one(sheet):
    for table in sheet.section("wheels").tables[1:]:
        if table.id.startswith("wheels."):
            weights, chances = values(sheet, table.id, "weight"), values(sheet, table.id, "probability")
            assert chances == [w / sum(weights) for w in weights]
        else:
            for row in table.rows:
                half = (len(row) - 3) // 2
                assert sum(row[3 : 3 + half]) == row[2]
                assert sum(cell.value for cell in row[3 + half :]) == pytest.approx(1, abs=1e-14)


def test_win_bands_sum_to_one_and_their_parts_to_the_mean(sheet):
    chances = values(sheet, "win_bands", "probability")
    assert sum(chances) == pytest.approx(1, abs=1e-11)
    mean = sheet.table("law").figure("law.mean")
    assert sum(values(sheet, "win_bands", "rtp")) == pytest.approx(mean.value, abs=1e-10)
    for i, least in enumerate(values(sheet, "win_bands", "at_least")):
        assert sum(chances[i:]) == pytest.approx(least, abs=1e-11)
    ends = sheet.table("win_bands").column("to")
    assert list(ends[:-1]) == values(sheet, "win_bands", "from")[1:] and ends[-1] is None


def test_the_law_and_the_figures_are_of_one_game(sheet):
    """Two ways to the mean and the deviation: the whole law, and moments."""
    mean, deviation = (sheet.table("law").figure(f"law.{n}") for n in ("mean", "standard_deviation"))
    if mean.status == "exact":
        assert mean.value == pytest.approx(rtp(sheet), abs=1e-10)
        assert deviation.value == pytest.approx(
            sheet.table("volatility").figure("standard_deviation").value, rel=1e-9
        )
    else:
        low, high = sheet.table("summary").figure("rtp_with_cap").interval
        assert mean.interval[0] <= high and low <= mean.interval[1]


def test_every_figure_that_is_not_exact_has_an_interval(sheet):
    figures = [
        c for s in sheet.sections for t in s.tables for row in t.rows for c in row if isinstance(c, Figure)
    ]
    assert {f.status for f in figures} >= {"exact"}
    assert all((f.interval is None) == (f.status == "exact") for f in figures)


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_sheet_shows_the_figures_beside_its_strips(name):
    stored = json.loads((ROOT / "strips" / f"{name}.figures.json").read_text())
    sheet, bound = shipped(name), 2 * stored["error_bound"]
    assert (sheet.sha256, sheet.definition_sha256) == (stored["sha256"], stored["definition_sha256"])
    assert rtp(sheet) == pytest.approx(stored["rtp"], abs=bound)
    assert values(sheet, "components", "rtp") == pytest.approx(
        list(_in_order(sheet, stored["components"])), abs=bound
    )
    assert values(sheet, "hits", "hits")[:-1] == [row["hits"] for row in stored["combinations"]]
    for feature, row in stored["features"].items():
        place = sheet.table("features").column("feature").index(feature)
        for key in ("probability", "mean_win"):
            assert values(sheet, "features", key)[place] == pytest.approx(row[key], rel=1e-11)


def _in_order(sheet, components):
    return (components[name] for name in sheet.table("components").column("component"))


def test_codex_says_where_its_range_comes_from():
    sheet = shipped(NAMES[0])
    *parts, total = values(sheet, "strategies.range", "difference")
    assert sum(parts) == pytest.approx(total, abs=1e-13) == pytest.approx(0.078, abs=1e-6)
    assert values(sheet, "strategies.range", "difference")[0] == 0
    for row in sheet.table("strategies").rows:
        assert sum(cell.value for cell in row[3:]) == pytest.approx(row[1].value, abs=1e-13)


def test_spellmaster_says_what_is_estimated():
    sheet = shipped(NAMES[1])
    assert sheet.table("summary").figure("rtp").status == "exact"
    assert sheet.table("summary").figure("rtp_with_cap").status == "estimated"
    assert all(c.status == "estimated" for c in sheet.table("win_bands").column("probability"))
    assert any("Estimated" in note for note in sheet.section("win_bands").notes)


def test_a_line_sheet_is_its_figures_without_what_it_has_not():
    figures, sheet = figures_of(definition(), starter()), line_sheet()
    assert rtp(sheet) == figures["rtp"]
    assert sheet.table("summary").figure("rtp_exact").value == figures["rtp_exact"]
    assert {s.id for s in sheet.sections}.isdisjoint({"strategies", "assumptions", "simulated"})
    assert values(sheet, "hits.free_games", "hits")[:-1] == [
        row["hits"] for row in figures["spins"]["free_games"]["combinations"]
    ]


@pytest.mark.parametrize("name", NAMES)
def test_the_simulation_agrees(name):
    sheet = shipped(name)
    run = dict(row[::2] for row in sheet.table("simulated.run").rows)
    assert run["rejected"] == "none" and run["rounds"] == 10_000_000
    for row in sheet.table("simulated.main").rows:
        assert row[2].status == "estimated" and abs(row[3]) < 5
