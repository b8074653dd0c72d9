"""Deviations of games with banked Keys against rounds enumerated in full and covariances summed one by one."""

from __future__ import annotations

from functools import cache

import pytest
from oracles import games as small
from oracles.key_rounds import NAMED, KeyRounds, by_tables

from workbench.value.key_moments import KeyMoments, deviation, key_moments
from workbench.value.round import RoundValue, evaluate

SEEDS = (54, 126, 165, 173)  # position reels
TALL = {"ladders": ((7,), (5, 3))}  # where saving can be worth while


@cache
def both_of(seed: int, tall: bool = False) -> tuple[RoundValue, KeyMoments, KeyRounds]:
    game, strips = small.random_game_and_strips(
        seed, small.TINY_STRIPS, **{**small.TINY_GAME, **(TALL if tall else {})}
    )
    value = evaluate(game, strips)
    moments = key_moments(value)
    assert moments
    return value, moments, KeyRounds(game, strips)


@pytest.mark.parametrize("strategy", [*NAMED, "worst", "optimal"])
@pytest.mark.parametrize(("seed", "tall"), [*((seed, False) for seed in SEEDS), (54, True), (165, True)])
def test_against_enumerated_rounds(seed: int, tall: bool, strategy: str) -> None:
    value, moments, whole = both_of(seed, tall)
    solution = value.solution(strategy)
    expected = whole.stationary(by_tables(solution.policy.save, solution.policy.use), most_bank=60)
    assert solution.bank is None or expected.beyond < 1e-12
    found = deviation(value, moments, solution)
    assert value.rtp(strategy) == pytest.approx(expected.mean, rel=1e-11)
    assert found.round == pytest.approx(expected.deviation, rel=1e-9, abs=1e-6)
    assert found.long_run == pytest.approx(expected.long_run_variance**0.5, rel=1e-9, abs=1e-6)


@pytest.mark.parametrize("seed", [1, 10])
def test_without_a_start_of_re_spins(seed: int) -> None:
    value, moments, whole = both_of(seed)
    expected = whole.stationary(NAMED["advertised"], most_bank=10)
    found = deviation(value, moments, value.solution("advertised"))
    assert (found.round, found.long_run) == pytest.approx((expected.deviation,) * 2, rel=1e-9, abs=1e-6)


def test_re_spin_strips_have_none() -> None:
    value = evaluate(*small.random_game_and_strips(8, small.TINY_STRIPS, **small.TINY_GAME))
    assert value.game.hold_and_spin
    assert value.game.hold_and_spin.spun == "strips"
    assert key_moments(value) is None
