"""Laws kept between runs: read back as they were, never believed blindly, never in the way."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from oracles import games as small

from tests.oracles.money_rounds import small_game
from workbench.value import kept_arrays, kept_laws, modifier_round_law
from workbench.value.key_law import KeyLaw
from workbench.value.round import RoundValue, evaluate
from workbench.value.round_law import RoundLaw, law_of


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WORKBENCH_CACHE_DIR", str(tmp_path))
    return tmp_path / "laws"


def value_of(seed: int) -> RoundValue:
    return evaluate(*small.random_game_and_strips(seed, small.TINY_STRIPS, **small.TINY_GAME))


def same(one: KeyLaw, two: KeyLaw) -> bool:
    parts = ((one.plain, two.plain), (one.hold, two.hold), (one.free, two.free))
    return one.left_out == two.left_out and all(np.array_equal(a, b) for a, b in parts)


def no_work(value: RoundValue) -> KeyLaw:
    raise AssertionError("computed anew")


def test_a_law_is_computed_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = kept_laws.kept_key_law(value_of(165))
    assert len(list(folder.iterdir())) == 1
    monkeypatch.setattr(kept_laws, "key_law", no_work)
    assert same(kept_laws.kept_key_law(value_of(165)), first)
    with pytest.raises(AssertionError, match="computed anew"):
        kept_laws.kept_key_law(value_of(173))


@pytest.mark.parametrize("spoil", ["cut", "noise", "other", "doubled", "negative"])
def test_a_spoilt_file_is_computed_anew(folder: Path, spoil: str) -> None:
    value = value_of(165)
    law = kept_laws.kept_key_law(value)
    (path,) = folder.iterdir()
    parts = {"plain": law.plain, "hold": law.hold, "free": law.free, "left_out": np.array(law.left_out)}
    match spoil:
        case "cut":
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        case "noise":
            path.write_bytes(b"\x80\x04N.")
        case "other":
            np.savez(path, plain=np.array([object()], dtype=object))
        case "doubled":
            np.savez(path, **{**parts, "plain": 2 * law.plain})
        case "negative":
            np.savez(path, **{**parts, "free": -law.free})
    assert same(kept_laws.kept_key_law(value), law)
    assert same(kept_laws.kept_key_law(value_of(165)), law)


def test_the_oldest_are_forgotten(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_arrays, "KEPT", 2)
    for seed in (54, 165, 173):
        kept_laws.kept_key_law(value_of(seed))
    assert len(list(folder.iterdir())) == 2


def test_nowhere_to_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("WORKBENCH_CACHE_DIR", str(tmp_path / "file"))
    game, strips = small.random_game_and_strips(165, small.TINY_STRIPS, **small.TINY_GAME)
    assert law_of(game, strips).mean == pytest.approx(evaluate(game, strips).rtp("optimal"), rel=1e-10)


def test_quick_is_exact_where_the_law_is_kept(folder: Path) -> None:
    game, strips = small.random_game_and_strips(165, small.TINY_STRIPS, **small.TINY_GAME)
    assert law_of(game, strips, quick=True).estimated
    exact = law_of(game, strips)
    assert exact.estimated is None
    again = law_of(game, strips, quick=True)
    assert again.estimated is None
    assert np.array_equal(again.chances, exact.chances)


@pytest.fixture
def fewer_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(modifier_round_law, "DRAWS", 20_000)
    monkeypatch.setattr(modifier_round_law, "QUICK_DRAWS", 5_000)


def same_round(one: RoundLaw, two: RoundLaw) -> bool:
    parts = [law.estimated for law in (one, two)]
    if parts[0] and parts[1]:
        numbers = [(p.share, p.seed, p.mean, p.standard_deviation) for p in parts if p]
        counts = [p.counts for p in parts if p]
        if numbers[0] != numbers[1] or not np.array_equal(*counts):
            return False
    rest = [(law.step, law.left_out, law.error, law.dependent, law.estimated is None) for law in (one, two)]
    return rest[0] == rest[1] and np.array_equal(one.chances, two.chances)


@pytest.mark.parametrize("multiply", [False, True])
def test_a_law_with_modifiers_is_computed_once(
    folder: Path, fewer_draws: None, monkeypatch: pytest.MonkeyPatch, multiply: bool
) -> None:
    game, strips = small_game(random.Random(f"round 1 {multiply}"), multiply)
    quick = law_of(game, strips, quick=True)
    first = law_of(game, strips)
    assert (first.estimated is not None) == multiply
    assert not multiply or not same_round(quick, first)
    monkeypatch.setattr(kept_laws, "modifier_round_law", no_work)
    assert same_round(law_of(game, strips), first)
    assert same_round(law_of(game, strips, quick=True), first)


@pytest.mark.parametrize("spoil", ["chances", "step", "counts", "part", "bounds"])
def test_a_spoilt_law_with_modifiers_is_computed_anew(folder: Path, fewer_draws: None, spoil: str) -> None:
    game, strips = small_game(random.Random("round 1 True"), True)
    law = law_of(game, strips)
    (path,) = folder.iterdir()
    arrays = dict(kept_arrays.read_arrays(path) or {})
    arrays[spoil] = {
        "chances": 2 * law.chances,
        "step": np.array([1, 0]),
        "counts": np.array([-1, 2]),
        "part": np.array([1.0]),
        "bounds": np.array([]),
    }[spoil]
    np.savez(path, **arrays)
    assert same_round(law_of(game, strips), law)
