"""Sessions with banked Keys against rounds enumerated one after the other."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import fsum

import pytest
from oracles import games as small
from oracles.key_rounds import Decide, KeyRounds, by_tables

from workbench.features.keys import Solution
from workbench.value import key_law
from workbench.value.key_session import KeySession
from workbench.value.round import bank_law, evaluate

SEEDS = (54, 165, 173)
STRATEGIES = ("advertised", "always-save-use-at-1", "worst", "never-save")
# what three enumerated rounds leave out, and the rounding of their transforms
EQUAL = 1e-12


@cache
def both_of(seed: int) -> tuple[key_law.KeyRounds, KeyRounds]:
    game, strips = small.random_game_and_strips(seed, small.TINY_STRIPS, **small.TINY_GAME)
    return key_law.KeyRounds.of(evaluate(game, strips)), KeyRounds(game, strips)


def played(seed: int, strategy: str) -> tuple[key_law.KeyRounds, Solution, KeyRounds, Decide]:
    laws, whole = both_of(seed)
    solution = laws.value.solution(strategy)
    return laws, solution, whole, by_tables(solution.policy.save, solution.policy.use)


@pytest.mark.parametrize("rounds", [1, 3])
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("seed", SEEDS)
def test_net_result_of_a_new_player(seed: int, strategy: str, rounds: int) -> None:
    laws, solution, whole, decide = played(seed, strategy)
    session = KeySession(laws, solution, rounds)
    expected, lost = whole.session(decide, rounds, {0: 1.0})
    assert lost < EQUAL
    for net in sorted(expected)[:: max(1, len(expected) // 40)]:
        at_least = fsum(p for win, p in expected.items() if win >= net)
        assert session.at_least(Fraction(int(net), int(whole.bet))) == pytest.approx(at_least, abs=EQUAL)
    mean = fsum(p * net for net, p in expected.items()) / whole.bet
    assert session.mean == pytest.approx(mean, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_one_round_of_a_long_time_player_is_the_law_of_a_round(seed: int) -> None:
    laws, solution, _, _ = played(seed, "advertised")
    law = laws.law(solution)
    chances, _ = KeySession(laws, solution, 1, "long-time-player").total
    size = min(len(chances), len(law.chances))
    assert chances[:size] == pytest.approx(law.chances[:size], abs=EQUAL)


def lasting(whole: KeyRounds, decide: Decide, rounds: int, bankroll: int) -> tuple[float, list[float]]:
    """(P(a bankroll lasts), P(some k rounds in a row win nothing) for k = 1 .. rounds), course by course."""
    laws = {}
    states = {(0, bankroll, 0, 0): 1.0}
    for _ in range(rounds):
        after: dict[tuple[int, int, int, int], float] = {}
        for (bank, held, run, longest), chance in states.items():
            if bank not in laws:
                laws[bank] = whole.law_of_bank(decide, bank)[0]
            broke = held < whole.bet
            for (win, then), p in laws[bank].items():
                left = -1 if broke else min(held - int(whole.bet) + int(win), rounds * int(whole.bet))
                dry = run + 1 if win == 0 else 0
                key = (then, left, dry, max(longest, dry))
                after[key] = after.get(key, 0.0) + chance * p
        states = after
    lasts = fsum(p for (_, held, _, _), p in states.items() if held >= 0)
    spells = [
        fsum(p for (_, _, _, longest), p in states.items() if longest >= k) for k in range(1, rounds + 1)
    ]
    return lasts, spells


@pytest.mark.parametrize("bankroll", [1, 2, 3])
@pytest.mark.parametrize("seed", SEEDS)
def test_bankroll_and_dry_spells(seed: int, bankroll: int) -> None:
    laws, solution, whole, decide = played(seed, "always-save-use-at-1")
    rounds = 4
    lasts, spells = lasting(whole, decide, rounds, bankroll * int(whole.bet))
    session = KeySession(laws, solution, rounds)
    assert session.lasts(bankroll) == pytest.approx(lasts, abs=EQUAL)
    assert session.dry_spells(list(range(1, rounds + 1))) == pytest.approx(spells, abs=EQUAL)


def test_the_bank_carries_over() -> None:
    """Rounds taken as independent would give another law, so the equalities above say something."""
    laws, solution, _, _ = played(54, "advertised")
    assert bank_law(solution)[0] < 1
    one = KeySession(laws, solution, 1).mean
    assert KeySession(laws, solution, 30).mean > 30 * one + 1e-6
