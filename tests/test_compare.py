"""Strip sets held against each other: alignment against a brute-force twin, differences, figures that move."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest
from new_game import definition, starter

from workbench.compare.align import align, edits
from workbench.compare.comparison import compare
from workbench.compare.figures import moved_figures
from workbench.errors import UsageError
from workbench.game import find_game, load_definition
from workbench.library import Loaded
from workbench.reels.files import load_strip_set, strip_set_sha256
from workbench.reels.strip_set import Stage, StripSet, Weights
from workbench.value.evaluate import figures_of

STRIPS = Path(__file__).parents[1] / "strips"
SHIPPED = {"codex-of-fortune": "strategy", "spellmaster": "rtp-92"}
GAMES = (*SHIPPED, "my-game")


@cache
def original(game: str) -> Loaded:
    if game == "my-game":
        return as_loaded(definition(), starter())
    rules = load_definition(find_game(game))
    return as_loaded(rules, load_strip_set(STRIPS / game / f"{SHIPPED[game]}.json", rules))


def as_loaded(game, strips: StripSet) -> Loaded:
    return Loaded(Path(f"{strips.name}.json"), strip_set_sha256(strips), game, strips)


def with_strip(loaded: Loaded, reel: int, strip, name: str = "base") -> Loaded:
    reels = loaded.strips.reels[name]
    changed = loaded.strips.with_reels(name, (*reels[:reel], tuple(strip), *reels[reel + 1 :]))
    return as_loaded(loaded.game, changed)


def rotated(loaded: Loaded, by: int) -> Loaded:
    reels = tuple(strip[by:] + strip[:by] for strip in loaded.strips.reels["base"])
    return as_loaded(loaded.game, loaded.strips.with_reels("base", reels))


def heavier(wheel: Weights) -> Weights:
    return replace(wheel, weights=(wheel.weights[0] + 1, *wheel.weights[1:]))


def unevaluated(loaded: Loaded, strategy: str | None):
    """Figures of no set: for tests of what differs in the sets alone."""
    return {"rtp": 0.5, "strategy": strategy, "error_bound": 1e-12}


def strips_of(*sets: Loaded, other: int = 0):
    return compare(sets, evaluate=unevaluated).others[other]


def differing(against):
    return [strip for strip in against.strips if not strip.same]


def distance(a, b) -> int:
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        new = [i]
        for j, y in enumerate(b, 1):
            new.append(min(row[j] + 1, new[-1] + 1, row[j - 1] + (x != y)))
        row = new
    return row[-1]


def brute_force(a, b) -> tuple[int, int]:
    """The least distance over all turns, and the turn: smallest either way, forward first."""
    found = [(distance(a, b[r:] + b[:r]), min(r, len(b) - r), r) for r in range(len(b))]
    best = min(found)
    return best[0], best[2]


@pytest.mark.parametrize("seed", range(40))
def test_an_alignment_is_as_short_as_the_shortest(seed):
    rng = random.Random(seed)
    a = tuple(rng.choices("AKQJ"[: rng.randint(1, 4)], k=rng.randint(1, 14)))
    b = a[3:] + a[:3] if seed % 4 == 0 else tuple(rng.choices("AKQJ", k=rng.randint(1, 14)))
    found = align(a, b)
    runs = edits(a, b, found)
    assert (sum(edit.differing for edit in runs), found.rotation) == brute_force(a, b)
    assert [i for i, _ in found.pairs if i is not None] == list(range(len(a)))
    turned = [(k + found.rotation) % len(b) for k in range(len(b))]
    assert [j for _, j in found.pairs if j is not None] == turned


@pytest.mark.parametrize("seed", range(40))
def test_the_edits_make_the_second_strip_of_the_first(seed):
    rng = random.Random(seed)
    a = tuple(rng.choices("AKQ", k=rng.randint(0, 12)))
    b = tuple(rng.choices("AKQ", k=rng.randint(0, 12)))
    found = align(a, b)
    made = list(a)
    for edit in reversed(edits(a, b, found)):
        here, there = edit.stops
        assert tuple(made[here : here + len(edit.before)]) == edit.before
        made[here : here + len(edit.before)] = edit.after
        assert all(b[(there + k) % len(b)] == symbol for k, symbol in enumerate(edit.after))
    r = found.rotation
    assert tuple(made) == b[r:] + b[:r]


@pytest.mark.parametrize("game", GAMES)
def test_equal_sets_are_equal(game):
    comparison = compare([original(game), original(game)])
    assert comparison.equal and comparison.figures == ()
    assert comparison.others[0].same
    expected = [(name, r) for name, reels in sorted(original(game).strips.reels.items()) for r in range(5)]
    assert [(strip.reels, strip.reel) for strip in comparison.others[0].strips] == expected
    assert all(a == b for strip in comparison.others[0].strips for a, b in [strip.lengths])


@pytest.mark.parametrize("game", GAMES)
def test_a_swapped_stop_is_one_stop_and_moves_what_two_evaluations_say(game):
    first = original(game)
    strip = first.strips.reels["base"][1]
    new = next(symbol for symbol in ("A", "K") if symbol != strip[7])
    second = with_strip(first, 1, (*strip[:7], new, *strip[8:]))
    comparison = compare([first, second])
    (found,) = differing(comparison.others[0])
    (edit,) = found.edits
    assert (found.reels, found.reel, found.rotation, found.differing) == ("base", 1, 0, 1)
    assert (edit.stops, edit.before, edit.after) == ((7, 7), (strip[7],), (new,))
    assert {s: b - a for s, (a, b) in found.counts.items()} == {strip[7]: -1, new: 1}
    before, after = (figures_of(s.game, s.strips) for s in (first, second))
    figures = {figure.path: figure for figure in comparison.figures}
    assert figures["rtp"].values == (before["rtp"], after["rtp"])
    assert figures["rtp"].differences == (after["rtp"] - before["rtp"],)
    assert figures["rtp"].relative == ((after["rtp"] - before["rtp"]) / before["rtp"],)
    for name, value in after["components"].items():
        moved = figures.get(f"components.{name}")
        difference = value - before["components"][name]
        assert moved.differences == (difference,) if moved else abs(difference) <= 2e-12
    mains = [figure.main for figure in comparison.figures]
    assert [main for main, _ in groupby(mains)] == [True, False]
    assert comparison.figures[0].path == "rtp"


@pytest.mark.parametrize("game", GAMES)
def test_a_rotated_strip_has_no_stop_that_differs_and_no_exact_figure_moves(game):
    first = original(game)
    comparison = compare([first, rotated(first, 4)])
    turned = differing(comparison.others[0])
    assert [strip.reel for strip in turned] == [0, 1, 2, 3, 4]
    assert all(strip.rotation == strip.lengths[1] - 4 and not strip.edits for strip in turned)
    assert not any(strip.counts for strip in turned)
    assert comparison.figures == () and not comparison.equal


@pytest.mark.parametrize("stop", [0, 10, 59, 60])
def test_an_inserted_stop_is_one_stop(stop):
    first = original("codex-of-fortune")
    strip = first.strips.reels["base"][0]
    longer = (*strip[:stop], "Key", *strip[stop:])
    (found,) = differing(strips_of(first, with_strip(first, 0, longer)))
    (edit,) = found.edits
    assert (found.lengths, found.rotation, found.counts) == ((60, 61), 0, {"Key": (0, 1)})
    assert (edit.stops, edit.before, edit.after) == ((stop, stop), (), ("Key",))
    (back,) = differing(strips_of(with_strip(first, 0, longer), first))
    assert (back.edits[0].before, back.edits[0].after, back.counts) == (("Key",), (), {"Key": (1, 0)})


def test_reels_that_one_set_has_alone():
    first = original("codex-of-fortune")
    own = first.strips.with_reels("free.Koi", first.strips.reels["free"])
    found = differing(strips_of(first, as_loaded(first.game, own)))
    assert [(strip.reels, strip.reel, strip.lengths[0]) for strip in found] == [
        ("free.Koi", r, 0) for r in range(5)
    ]
    assert [strip.differing for strip in found] == [len(strip) for strip in first.strips.reels["free"]]


@pytest.mark.parametrize(
    ("game", "wheel"), [("codex-of-fortune", "free_spins.keys"), ("spellmaster", "money")]
)
def test_a_wheel_weight_more(game, wheel):
    first = original(game)
    before = first.strips.wheels[wheel]
    second = as_loaded(first.game, first.strips.with_wheel(wheel, heavier(before)))
    comparison = compare([first, second])
    (found,) = comparison.others[0].weights
    weight = before.weights[0]
    assert (found.place, found.value) == (f"wheels.{wheel}", before.values[0])
    assert (found.weights, found.totals) == ((weight, weight + 1), (before.total, before.total + 1))
    assert found.probabilities == (weight / before.total, (weight + 1) / (before.total + 1))
    assert not differing(comparison.others[0]) and not comparison.others[0].same
    moved = {figure.path for figure in comparison.figures}
    assert "rtp" in moved and "components.lines" not in moved


def test_position_reels_are_compared_where_they_are_in_force():
    first = original("codex-of-fortune")
    (stage,) = first.strips.position_reels["re_spins"]
    cells = (*stage.cells[:4], heavier(stage.cells[4]))
    stages = (stage, Stage(2, stage.cells), Stage(3, cells))
    second = as_loaded(first.game, first.strips.with_position_reels("re_spins", stages))
    (found,) = strips_of(first, second).weights
    assert (found.place, found.start, found.reel) == ("position_reels.re_spins", 3, 4)
    assert found.weights[1] == found.weights[0] + 1
    assert found.to_json()["from"] == 3 and "stops" not in found.to_json()


def test_a_cell_for_all_reels_has_no_reel():
    first = original("spellmaster")
    stages = first.strips.position_reels["respins.charge"]
    changed = (*stages[:1], replace(stages[1], cells=(heavier(stages[1].cells[0]),)), *stages[2:])
    second = as_loaded(first.game, first.strips.with_position_reels("respins.charge", changed))
    (found,) = strips_of(first, second).weights
    assert (found.start, found.reel, found.value) == (stages[1].start, None, "Blank")


def test_stop_weights_follow_their_stops_when_a_strip_is_turned():
    first = original("my-game")
    reels = first.strips.reels["base"]
    weights = tuple(tuple(range(1, len(strip) + 1)) for strip in reels)
    ours = as_loaded(first.game, replace(first.strips, stop_weights={"base": weights}))
    turned = replace(rotated(first, 4).strips, stop_weights={"base": tuple(w[4:] + w[:4] for w in weights)})
    against = strips_of(ours, as_loaded(first.game, turned))
    assert against.weights == () and all(strip.rotation for strip in differing(against))
    equally = strips_of(first, ours)
    assert [w.weights for w in equally.weights[:2]] == [(1, 2), (1, 3)]
    assert equally.weights[0].stops == (1, 1) and equally.weights[0].value == reels[0][1]
    assert equally.weights[0].totals == (len(reels[0]), sum(weights[0]))


def test_three_sets_are_each_held_against_the_first():
    first = original("my-game")
    strip = first.strips.reels["base"][1]
    second = with_strip(first, 1, (*strip[:3], "Crown", *strip[3:]))
    comparison = compare([first, rotated(first, 2), second])
    assert [other.letter for other in comparison.others] == ["B", "C"]
    assert [len(differing(other)) for other in comparison.others] == [5, 1]
    assert all(figure.moves == (False, True) for figure in comparison.figures)
    rtp = comparison.figures[0]
    assert (
        rtp.values[2] == figures_of(second.game, second.strips)["rtp"] == rtp.values[0] + rtp.differences[1]
    )


def table(**figures):
    return {"error_bound": 1e-12, **figures}


def test_figures_within_both_bounds_together_are_left_out():
    assert not moved_figures([table(rtp=0.5), table(rtp=0.5 + 1.9e-12)])
    assert moved_figures([table(rtp=0.5), table(rtp=0.5 + 2.1e-12)])
    assert not moved_figures([table(top_prize={"one_in": 1e7}), table(top_prize={"one_in": 1e7 + 1e-4})])
    assert moved_figures([table(hits=10**15), table(hits=10**15 + 1)])
    assert not moved_figures([table(game="a", ok=True, error_bound=1e-9), table(game="b", ok=False)])


def test_figures_only_one_set_has_and_rows_by_what_they_are_about():
    rows = [
        {"symbol": "A", "count": 5, "pay": 9, "hits": 2},
        {"symbol": "K", "count": 5, "pay": 8, "hits": 4},
    ]
    found = moved_figures(
        [table(combinations=rows, rtp=0), table(combinations=rows[1:], rtp=1, max_win={"value": None})]
    )
    assert [(figure.path, figure.values, figure.main) for figure in found] == [
        ("rtp", (0, 1), True),
        ("combinations[count 5, pay 9, symbol A].hits", (2, None), False),
    ]
    assert found[0].relative == (None,) and found[1].differences == (None,)


def test_sets_that_cannot_be_compared():
    codex, other = original("codex-of-fortune"), original("spellmaster")
    with pytest.raises(UsageError, match=r"rtp-92\.json: game: must be 'codex-of-fortune', that of strategy"):
        compare([codex, other])
    with pytest.raises(UsageError, match="must be 2 to 26, but got 1"):
        compare([codex])
