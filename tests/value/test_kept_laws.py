"""Laws kept between runs: read back as they were, never believed blindly, never in the way."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from oracles import games as small

from workbench.value import kept_laws
from workbench.value.key_law import KeyLaw
from workbench.value.round import RoundValue, evaluate
from workbench.value.round_law import law_of


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
    monkeypatch.setattr(kept_laws, "KEPT", 2)
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
