"""A sheet can't be built wrong, and what isn't a sheet is refused in one line."""

import json

import pytest

from report.sheets import line_sheet
from workbench.errors import FileError
from workbench.report.par_model import Column, Figure, Table, par_json, parse_par_json


@pytest.mark.parametrize(
    "make",
    [
        lambda: Figure(1.0, "rtp", "estimated"),
        lambda: Figure(1.0, "rtp", "exact", (0.9, 1.1)),
        lambda: Figure(1.0, "rtp", "bounded", (1.1, 1.2)),
        lambda: Figure(1.0, "fraction"),
        lambda: Figure("1/2", "rtp"),
        lambda: Table("t", "T", (Column("a", "A"),), (("x", "y"),)),
    ],
)
def test_what_is_wrong_cannot_be_built(make):
    with pytest.raises(ValueError):
        make()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda raw: raw.update(format="workbench.par-sheet/2"),
        lambda raw: raw.pop("sha256"),
        lambda raw: raw.update(sections=[3]),
        lambda raw: raw["sections"][0]["tables"][0]["rows"][0].append("more"),
        lambda raw: raw["sections"][0]["tables"][0]["columns"][0].update(kind="colour"),
        lambda raw: raw["sections"][1]["tables"][0]["rows"][0][2].update(status="sure"),
        lambda raw: raw["sections"][1]["tables"][0]["rows"][0][2].update(interval=["a", 1]),
    ],
)
def test_what_is_no_sheet_is_refused(spoil):
    raw = json.loads(par_json(line_sheet()))
    spoil(raw)
    with pytest.raises(FileError, match=r"^x\.json: "):
        parse_par_json(json.dumps(raw).encode(), "x.json")
