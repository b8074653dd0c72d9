"""The workbook recalculated by LibreOffice, as made and edited, against ``evaluate``.

A cell either equals what ``evaluate`` finds for the edited set or says that it is stale, and only cells whose inputs were edited
say so. Live cells are sums of some hundred positive products of doubles: 1e-12 of their value is 4000 roundings.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook

from report.recalculate import recalculated
from report.workbook_edits import all_at_once, edit_workbook, moved_cells, reweighted, swapped
from report.workbook_sets import SETS
from workbench.reels.strip_set import StripSet
from workbench.report.xlsx.door import book_bytes
from workbench.report.xlsx.formula import STALE
from workbench.report.xlsx.leaves import leaves
from workbench.report.xlsx.par_book import par_book
from workbench.value.evaluate import figures_of

CLOSE = 1e-12
# what the player's policy decides may stay as it was though its inputs are edited: only evaluate can tell
POLICY = (
    *("optimal_policy/", "features/re_spins/", "features/free_spins/used_keys", "features/free_spins/ladder"),
    *("components/re_spins.fortune_wins", "keys/"),
)
# a bound of one or two digits, and the number of plays that happened to pass the cap
COARSE = ("error_bound", "estimates/")
# joint chances of few symbols: one that stands alone on its reel may move and leave them as they are
RARE = ("features/royal/", "top_prize/")
# with stop weights a combination's hits are values of the whole strips, also where its own symbols stay
WEIGHTED = ("combinations/", "spins/free_games/combinations/", "components_exact/")


@dataclass(frozen=True)
class Case:
    """A workbook, edited or not: the set it was made for, the set in its cells, and what its cells show."""

    game: str
    was: dict[str, Any]
    now: dict[str, Any]
    shown: dict[str, Any]
    errors: list[str]


def free_swap(strips: StripSet) -> StripSet:
    """Stops of the free strips alone change places."""
    import random

    return strips.with_reels("free", swapped(strips.reels["free"], random.Random(4)))


def other_wheels(strips: StripSet) -> StripSet:
    """A trigger wheel and the respins of one set have other weights."""
    import random

    rng = random.Random(6)
    changed = strips.with_wheel("trigger.blue", reweighted(strips.wheels["trigger.blue"], rng))
    name = "respins.multiply"
    return changed.with_position_reels(name, moved_cells(strips.position_reels[name], rng))


EDITS = {
    "codex-free": ("codex", free_swap),
    "codex-all": ("codex", lambda s: all_at_once(s, 11)),
    "spellmaster-wheels": ("spellmaster", other_wheels),
    "spellmaster-all": ("spellmaster", lambda s: all_at_once(s, 12)),
    "full-as-made": ("full", lambda s: s),
    "full-all": ("full", lambda s: all_at_once(s, 13)),
    "weighted-all": ("weighted", lambda s: all_at_once(s, 15)),
    "codex-as-made": ("codex", lambda s: s),
    "spellmaster-as-made": ("spellmaster", lambda s: s),
}


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Case]:
    """All workbooks, recalculated in one run."""
    made, edited = tmp_path_factory.mktemp("made"), tmp_path_factory.mktemp("edited")
    sets = {name: make() for name, make in SETS.items()}
    was = {name: figures_of(*pair) for name, pair in sets.items()}
    for name, (game, strips) in sets.items():
        (made / f"{name}.xlsx").write_bytes(book_bytes(par_book(game, strips, was[name])))
    now = {}
    for name, (of, edit) in EDITS.items():
        game, strips = sets[of]
        changed = edit(strips)
        now[name] = was[of] if changed == strips else figures_of(game, changed)
        edit_workbook(made / f"{of}.xlsx", edited / f"{name}.xlsx", strips, changed)
    out = recalculated(edited)
    return {
        name: Case(of, dict(leaves(was[of])), dict(leaves(now[name])), *_read(out / f"{name}.xlsx"))
        for name, (of, _) in EDITS.items()
    }


def _read(path: Path) -> tuple[dict[str, Any], list[str]]:
    """What the cells of the figures show, and every error anywhere."""
    book = load_workbook(path, data_only=True, read_only=True)
    shown = {row[0]: row[1] for row in book["Figures"].iter_rows(min_row=6, max_col=2, values_only=True)}
    errors = [
        f"{sheet.title}: {value}"
        for sheet in book
        for row in sheet.iter_rows(values_only=True)
        for value in row
        if isinstance(value, str) and value.startswith(("#", "Err:"))
    ]
    return shown, errors


def agrees(cell: Any, figure: Any, within: float) -> bool:
    """Whether a cell shows a figure."""
    if figure is None:
        return cell in ("never", "none")
    if isinstance(figure, bool):
        return bool(cell == ("yes" if figure else "no"))
    if isinstance(figure, int | float) and isinstance(cell, int | float):
        return abs(cell - figure) <= within * abs(figure)
    return str(cell) == str(figure)


@pytest.mark.parametrize("name", EDITS)
def test_no_cell_is_wrong(cases: dict[str, Case], name: str) -> None:
    case = cases[name]
    wrong = {
        path: (case.shown[path], case.now.get(path, 0))
        for path in case.was
        if case.shown[path] != STALE and not agrees(case.shown[path], case.now.get(path, 0), CLOSE)
    }
    assert not wrong
    assert not case.errors


@pytest.mark.parametrize("name", [name for name in EDITS if name.endswith("as-made")])
def test_nothing_is_stale_as_made(cases: dict[str, Case], name: str) -> None:
    assert STALE not in cases[name].shown.values()


@pytest.mark.parametrize("name", [name for name in EDITS if not name.endswith("as-made")])
def test_what_is_stale_moved(cases: dict[str, Case], name: str) -> None:
    case = cases[name]
    stale = [path for path, cell in case.shown.items() if cell == STALE and path in case.was]
    assert stale
    idle = [p for p in stale if p in case.now and case.now[p] == case.was[p]]
    spared = (*POLICY, *COARSE, *RARE, *(WEIGHTED if case.game == "weighted" else ()))
    assert not [p for p in idle if not p.startswith(spared)]


def test_a_stop_of_the_free_strips_leaves_the_base_game_alone(cases: dict[str, Case]) -> None:
    shown = cases["codex-free"].shown
    standing = ("hit_frequency", "features/re_spins/probability", "components/re_spins.lines")
    assert all(isinstance(shown[path], float) for path in standing)
    live = ("components/lines", "components/free_spins.lines", "features/free_spins/spins")
    assert all(isinstance(shown[path], float) for path in live)
    assert {shown[p] for p in ("rtp", "standard_deviation", "keys/value", "strategies/worst")} == {STALE}


def test_a_trigger_wheel_moves_chances_and_makes_no_feature_stale(cases: dict[str, Case]) -> None:
    shown = cases["spellmaster-wheels"].shown
    assert isinstance(shown["modifier_sets/charge/mean_win"], float)
    assert (
        shown["modifier_sets/charge/probability"]
        != cases["spellmaster-wheels"].was["modifier_sets/charge/probability"]
    )
    assert isinstance(shown["hit_frequency"], float)
    assert (
        shown["modifier_sets/multiply/mean_win"] == shown["components/respins.money"] == shown["rtp"] == STALE
    )


def test_all_means_of_a_line_game_are_live(cases: dict[str, Case]) -> None:
    for name in ("full-all", "full-as-made"):
        case = cases[name]
        means = [path for path in case.was if path == "rtp" or path.startswith("components/")]
        assert len(means) > 5 and all(isinstance(case.shown[path], int | float) for path in means)
