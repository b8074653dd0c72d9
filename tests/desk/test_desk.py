"""The desk without a browser: actions, history, bad edits, long work; widgets by their observers."""

import pytest
from small import write_small

import workbench
from workbench.desk import Desk
from workbench.errors import UsageError, WorkbenchError

SHIPPED = ("codex-of-fortune/strategy", "spellmaster/rtp-92")


@pytest.fixture
def own(tmp_path):
    return write_small(tmp_path)


@pytest.fixture(scope="module", params=SHIPPED)
def shipped(request):
    return Desk(request.param)


def test_live_figures_of_a_moved_weight_are_those_of_evaluate(shipped):
    wheel = "free_spins.keys" if shipped.strategies else "money"
    value, weight = next(iter(shipped.strips.set.wheels[wheel].items()))
    before = shipped.figures["rtp"]
    shipped.set_weight(wheel, value, 2 * weight)
    exact = shipped.exact()
    assert shipped.figures["rtp"] != before
    for name, figure in shipped.figures.items():
        if name.startswith(("rtp", "components", "hit_frequency")):
            assert figure == pytest.approx(exact[name], abs=1e-13), name
    deep = shipped.deepen(shipped.strips, shipped.state.strategy)
    assert deep["standard_deviation"] == pytest.approx(exact["standard_deviation"], rel=1e-11)
    assert shipped.undo().figures["rtp"] == before


def test_history(own):
    desk = Desk(own)
    sets = [desk.strips.set]
    symbols = desk.strips.game.symbols.regular
    for stop in range(3):
        other = next(s for s in symbols if s != desk.strips.set.reels["base"][0][stop])
        sets.append(desk.swap(0, stop, other).strips.set)
    assert [desk.undo().strips.set for _ in range(3)] == sets[2::-1]
    with pytest.raises(UsageError, match="nothing to undo"):
        desk.undo()
    assert [desk.redo().strips.set for _ in range(3)] == sets[1:]
    with pytest.raises(UsageError, match="nothing to redo"):
        desk.redo()
    desk.undo()
    desk.swap(0, 0, symbols[0])
    with pytest.raises(UsageError, match="nothing to redo"):
        desk.redo()


def test_a_bad_edit_changes_nothing(own):
    desk = Desk(own)
    state = desk.state
    for edit in (
        lambda: desk.swap(0, 0, "nobody"),
        lambda: desk.delete(0, 9999),
        lambda: desk.set_weight("x", "1", 1),
    ):
        with pytest.raises(WorkbenchError):
            edit()
    assert desk.state is state
    with pytest.raises(WorkbenchError, match="reel 1"):
        while True:
            desk.delete(0, 0)
    assert len(desk.strips.set.reels["base"][0]) == 1
    assert desk.figures["rtp"] >= 0


def test_save_load_compare(own, tmp_path):
    desk = Desk(own)
    desk.set_count(0, desk.state.symbol, 1)
    saved = desk.save(tmp_path / "tuned.json")
    rtp = desk.figures["rtp"]
    desk.undo()
    desk.load(tmp_path / "tuned.json")
    assert desk.figures["rtp"] == rtp == workbench.evaluate(tmp_path / "tuned.json")["rtp"]
    assert desk.strips.set == saved.set
    assert not desk.compare().comparison.equal
    assert not list(tmp_path.glob(".tuned*"))
    with pytest.raises(UsageError, match="is of spellmaster"):
        desk.load("spellmaster/rtp-92")


def test_sensitivity_in_the_background_finds_what_a_swap_does(own):
    desk = Desk(own)
    heat = desk.sensitivity().wait(60)
    swap, change = next((s, c) for s, c, _ in heat.found.largest("rtp", 1))
    before = desk.figures["rtp"]
    desk.swap(swap.reel, swap.stop, swap.symbol, swap.reels)
    assert desk.figures["rtp"] - before == pytest.approx(change, abs=1e-12)


def test_work_stops_on_demand(own):
    desk = Desk(own)
    work = desk.sensitivity()
    work.stop()
    assert work.wait(60) is None or work.value.found.swaps
    assert not work.running


def test_widgets_call_the_desk_and_show_errors_in_place(own):
    board_of = pytest.importorskip("workbench.desk.widgets").Board
    desk = Desk(own)
    board = board_of(desk)
    slider = next(iter(board.counts._sliders._sliders.values()))
    before = desk.figures["rtp"]
    slider.value += 1
    assert desk.figures["rtp"] != before and f"{desk.figures['rtp']:.10g}" in board.figures.value
    desk.undo()
    assert slider.value == desk.strips.set.reels["base"][0].count(slider.description)
    for one in board.counts._sliders._sliders.values():
        one.value = 0
    assert "reel 1 must have 1 to" in board.message.value and 'role="alert"' in board.message.value
    desk.undo()
    board.grid.columns.button(1, 2).click()
    assert (desk.state.selection.reel, desk.state.selection.stop) == (1, 2)
    assert board.message.value == ""
    assert board.grid._picked is board.grid.columns.button(1, 2)


def test_a_law_beside_the_kernel(own):
    desk = Desk(own)
    work = desk.law()
    law = work.wait(60)
    assert law["mean"] == pytest.approx(desk.figures["rtp"], abs=1e-11)
    assert not work.running


def test_a_law_that_is_let_go_of_has_no_value(own):
    work = Desk(own).law()
    work.stop()
    assert work.wait(60) is None
    assert work.stopped


def test_a_set_whose_definition_stands_elsewhere_is_loaded(own, tmp_path):
    desk = Desk(own)
    other = tmp_path / "elsewhere" / "other.json"
    other.parent.mkdir()
    desk.strips.swap("base", 0, 0, desk.strips.game.symbols.regular[3]).save(other)
    with pytest.raises(WorkbenchError):
        desk.load(other)
    desk.load(other, next(tmp_path.glob("*.toml")))
    assert desk.strips.name == "other"


def test_the_law_button_can_be_let_go_of(own):
    from workbench.desk.widgets import Board

    board = Board(Desk(own))
    board.law.begin.click()
    assert (board.law.begin.disabled, board.law.end.disabled) == (True, False)
    board.law.end.click()
    assert (board.law.begin.disabled, board.law.end.disabled) == (False, True)
    board.law.work.wait(60)
    assert "stopped" in board.law.out.value
    board.law.begin.click()
    board.law.work.wait(60)
    assert "<img" in board.law.out.value
