"""Laws of rounds with banked Keys against rounds enumerated in full."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from oracles import games as small
from oracles.key_rounds import NAMED, KeyRounds, by_tables
from scipy.stats import chi2

from workbench.errors import UsageError
from workbench.exact.spin import spin_model, trigger_law
from workbench.exact.start_law import StartLaw
from workbench.value import key_law
from workbench.value.key_moments import deviation, key_moments, starts_of
from workbench.value.quick_key_law import quick_key_law
from workbench.value.round import RoundValue, evaluate
from workbench.value.round_law import RoundLaw, law_of

SEEDS = (54, 126, 165, 173)  # position reels
TALL = {"ladders": ((7,), (5, 3))}
# what the enumeration leaves out of a round, and what the transforms of small games round to
EQUAL = 1e-13


@cache
def both_of(seed: int, tall: bool = False) -> tuple[RoundValue, key_law.KeyRounds, KeyRounds]:
    game, strips = small.random_game_and_strips(
        seed, small.TINY_STRIPS, **{**small.TINY_GAME, **(TALL if tall else {})}
    )
    value = evaluate(game, strips)
    return value, key_law.KeyRounds.of(value), KeyRounds(game, strips)


def as_table(law: RoundLaw) -> dict[Fraction, float]:
    return {k * law.step: float(p) for k, p in enumerate(law.chances) if p}


@pytest.mark.parametrize("strategy", [*NAMED, "worst", "optimal"])
@pytest.mark.parametrize(("seed", "tall"), [*((seed, False) for seed in SEEDS), (54, True)])
def test_every_win_against_enumerated_rounds(seed: int, tall: bool, strategy: str) -> None:
    value, laws, whole = both_of(seed, tall)
    solution = value.solution(strategy)
    expected = whole.stationary(by_tables(solution.policy.save, solution.policy.use), most_bank=60)
    if solution.bank is not None:
        assert expected.beyond < EQUAL
    found = as_table(laws.law(solution))
    enumerated: dict[Fraction, float] = {}
    for win, chance in zip(expected.wins.wins.tolist(), expected.wins.chances.tolist(), strict=True):
        place = Fraction(int(win), int(whole.bet))
        enumerated[place] = enumerated.get(place, 0.0) + chance
    for win in found.keys() | enumerated.keys():
        assert abs(found.get(win, 0.0) - enumerated.get(win, 0.0)) <= EQUAL, win


@pytest.mark.parametrize("seed", SEEDS)
def test_moments_are_those_of_the_direct_formulas(seed: int) -> None:
    value, laws, _ = both_of(seed)
    moments = key_moments(value)
    assert moments
    for strategy in ("worst", "optimal", "never-save"):
        solution = value.solution(strategy)
        law = laws.law(solution)
        assert law.chances.sum() == pytest.approx(1, abs=1e-12)
        assert law.mean == pytest.approx(value.rtp(strategy), rel=1e-11)
        assert law.standard_deviation == pytest.approx(deviation(value, moments, solution).round, rel=1e-10)


def marginal(starts: StartLaw) -> dict[tuple[int, int, int], int]:
    found: dict[tuple[int, int, int], int] = {}
    for s, b, k, n in zip(starts.symbol, starts.board, starts.scatters, starts.weight, strict=True):
        key = (int(s), int(b), int(k))
        found[key] = found.get(key, 0) + int(n)
    return found


@pytest.mark.parametrize("seed", range(40))
def test_starts_are_those_of_the_trigger_law(seed: int) -> None:
    game, strips = small.random_game_and_strips(seed)
    hold = game.hold_and_spin
    if hold is None:
        return
    value = evaluate(game, strips)
    windows = spin_model(game).windows(strips.reels["base"])
    scatters = windows.scatters(hold.trigger.symbol, hold.trigger.reels)
    free = game.free_spins
    most = max(hold.trigger.least, free.trigger.least if free else 0)
    law = trigger_law(windows, scatters, hold.trigger, most, hold.wild_only_lines == "last-resort")
    expected = {
        (int(s), int(b), int(k)): int(n)
        for s, b, k, n in zip(law.symbol, law.board, law.scatters, law.weight, strict=True)
    }
    assert marginal(starts_of(value, hold)) == expected


def test_a_wrong_law_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The spin's coins apart from the board it starts: the mean stays, the law doesn't."""
    value, laws, _ = both_of(126)
    starts = starts_of(value, value.game.hold_and_spin)  # type: ignore[arg-type]
    assert len(set(starts.coins.tolist())) > 1
    apart = np.full_like(starts.coins, round(np.average(starts.coins, weights=starts.weight)))
    changed = StartLaw(starts.symbol, starts.board, starts.scatters, apart, starts.weight, starts.cycle)
    monkeypatch.setattr(key_law, "starts_of", lambda *_: changed)
    solution = value.solution("advertised")
    right, wrong = laws.law(solution), key_law.KeyRounds.of(value).law(solution)
    size = min(len(right.chances), len(wrong.chances))
    assert np.abs(right.chances[:size] - wrong.chances[:size]).max() > 1e-6


def test_re_spin_strips_are_refused() -> None:
    game, strips = small.random_game_and_strips(8, small.TINY_STRIPS, **small.TINY_GAME)
    with pytest.raises(UsageError, match="position reels"):
        law_of(game, strips)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("strategy", ["advertised", "never-save"])
def test_the_quick_law_has_the_exact_one_in_its_intervals(seed: int, strategy: str) -> None:
    value, laws, _ = both_of(seed)
    solution = value.solution(strategy)
    exact, quick = laws.law(solution), quick_key_law(value, solution, 100_000)
    assert quick.step == exact.step
    part = quick.estimated
    assert part
    alone = float(laws.laws.plain[0].sum())
    assert part.share == pytest.approx(1 - alone, abs=1e-12)
    size = max(len(quick.chances), len(exact.chances))
    drawn, true = np.zeros(size), np.zeros(size)
    drawn[: len(part.counts)] = part.counts
    true[: len(exact.chances)] = exact.chances
    true[: laws.laws.plain.shape[1] * laws.prizes.coin : laws.prizes.coin] -= laws.laws.plain[0]
    true = true / part.share
    expected = true * part.draws
    often = expected >= 20
    others = 1 - true[often].sum()
    x2 = ((drawn - expected)[often] ** 2 / expected[often]).sum()
    if others * part.draws >= 20:
        x2 += (drawn[~often].sum() - others * part.draws) ** 2 / (others * part.draws)
    # seeds are fixed: the chance that all of these pass is no matter of luck
    assert chi2.sf(x2, max(1, int(often.sum()) - (others * part.draws < 20))) > 1e-3
    assert drawn[true < 1e-13].sum() == 0
