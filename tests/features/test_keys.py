"""The player's choices against explicit chains, brute force over all policies, and the closed forms."""

import random

import numpy as np
import pytest
from oracles import keys as oracle

from workbench.features.keys import NAMED, KeyGame, closed_form, evaluate_policy, optimal, solve, worst
from workbench.prob.bank_chain import BankChain

TABLE = [[5.0, 10.0, 20.0], [10.0, 20.0, 40.0], [20.0, 30.0, 50.0], [30.0, 50.0, 100.0]]
BANK = 160


def _random_game(seed, *, prizes=None, free_spins=None):
    rng = random.Random(seed)
    law = np.zeros((2, 3, 3))
    for f, share in ((0, 0.02), (1, 0.004)):
        weights = np.array([[rng.random() for _ in range(3)] for _ in range(3)]) * [1.0, 0.3, 0.1]
        law[f] = share * weights / weights.sum()
    prizes = prizes or sorted(rng.uniform(10, 200) for _ in range(4))
    table = np.array(TABLE)
    free_spins = free_spins or 0.012
    game = KeyGame(law, table[:3].T, table[0], free_spins, np.array(prizes))
    case = oracle.Case(
        table=TABLE,
        re_spins={(bool(f), s + 1, k): law[f, s, k] for f in (0, 1) for s in range(3) for k in range(3)},
        free_spins_alone=free_spins - law[1].sum(),
        fv=tuple(prizes),
        bank=BANK,
    )
    return game, case


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", sorted(NAMED))
def test_named_strategies_against_the_explicit_chain(seed, name):
    game, case = _random_game(seed)
    found = evaluate_policy(game, NAMED[name])
    expected = oracle.evaluate(case, oracle.named_policy(case, name))
    assert found.gain == pytest.approx(expected.gain, rel=1e-11)
    assert found.hold_and_spin == pytest.approx(expected.components["re_spins"], rel=1e-11)
    assert found.free_spins == pytest.approx(expected.components["free_spins"], rel=1e-11)
    if name != "save-never-use":
        assert found.mean_bank == pytest.approx(expected.mean_banked, rel=1e-8, abs=1e-12)


@pytest.mark.parametrize("seed", range(40))
def test_solved_policies_beat_every_named_one_and_equal_the_closed_form(seed):
    game, _ = _random_game(seed)
    best, least = solve(game, 1.0), solve(game, -1.0)
    for make in NAMED.values():
        gain = evaluate_policy(game, make).gain
        assert least.gain <= gain + 1e-12
        assert best.gain >= gain - 1e-12
    form = closed_form(game)
    assert least.gain == pytest.approx(form.base, rel=1e-12)
    assert optimal(game).gain == pytest.approx(best.gain, rel=1e-11)
    assert worst(game).gain == pytest.approx(least.gain, rel=1e-12)
    if form.holds:
        assert best.gain == pytest.approx(form.optimal, rel=1e-12)
        assert evaluate_policy(game, NAMED["advertised"]).gain == pytest.approx(form.advertised, rel=1e-12)


def test_the_closed_forms_are_tried_on_both_sides():
    held = [closed_form(_random_game(seed)[0]).holds for seed in range(40)]
    assert any(held)
    assert not all(held)


@pytest.mark.parametrize("seed", range(8))
def test_new_player(seed):
    game, case = _random_game(seed)
    found = evaluate_policy(game, NAMED["advertised"]).early_gains([10, 300])
    policy = oracle.named_policy(case, "advertised")
    assert found == pytest.approx([oracle.mean_over_rounds(case, policy, n) for n in (10, 300)], rel=1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_bellman_residual_of_the_optimal_policy(seed):
    """No single change of a choice gains more than rounding: checked on the explicit chain of a large bank."""
    game, case = _random_game(seed, free_spins=0.02)
    found = optimal(game)
    rows = len(found.policy.use)

    def at(b):
        return min(b, rows - 1)

    save = {
        (bool(f), s + 1, k, b): bool(found.policy.save[at(b), f, s, k])
        for f in (0, 1)
        for s in range(3)
        for k in (1, 2)
        for b in range(BANK + 1)
    }
    use = {b: bool(found.policy.use[at(b)]) for b in range(1, BANK + 1)}
    base = oracle.evaluate(case, oracle.Policy(save=save, use=use)).gain
    assert base == pytest.approx(found.gain, rel=1e-9)
    for key in list(save)[:60]:
        changed = oracle.Policy(save={**save, key: not save[key]}, use=use)
        assert oracle.evaluate(case, changed).gain <= base + 1e-12
    for b in range(1, 6):
        changed = oracle.Policy(save=save, use={**use, b: not use[b]})
        assert oracle.evaluate(case, changed).gain <= base + 1e-12


@pytest.mark.parametrize("load", [1.0 - 1e-3, 1.2, 3.0])
def test_a_bank_that_overflows(load):
    """Above load 1 the bank grows for ever under advertised play, and every Free Spins is begun with three Keys."""
    game, _ = _random_game(3)
    rate = game.keys_won / (3 * load)
    game = KeyGame(
        game.law * (rate < 1), game.used_prize, game.saved_prize, max(rate, game.law[1].sum()), game.prizes
    )
    found = evaluate_policy(game, NAMED["advertised"])
    form = closed_form(game)
    if form.load < 1:
        assert found.gain == pytest.approx(form.advertised, rel=1e-7)
    else:
        assert found.mean_bank is None
        assert found.gain == pytest.approx(
            form.base + game.free_spins * (game.prizes[3] - game.prizes[0]), rel=1e-12
        )


@pytest.mark.parametrize("seed", range(6))
def test_the_extremes_over_all_policies_of_a_small_bank(seed):
    """With rare Keys a bank of three hardly binds.

    kappa = 2e-3 Keys a round against 0.9 Free Spins: the bank stands at three with chance (kappa / 0.9)^3 = 1e-8, and a
    Key lost there is worth at most 30 bets, so the restriction costs at most 1e-8 * kappa * 30 = 7e-10 bets.
    """
    rng = random.Random(seed)
    law = np.zeros((2, 1, 2))
    law[:, 0, 1] = [1.5e-3, 5e-4]
    law[:, 0, 0] = [0.01, 0.002]
    prizes = [10.0, rng.uniform(5, 40)]
    table = [[5.0], [rng.uniform(3, 40)]]
    game = KeyGame(law, np.array(table).T, np.array(table[0]), 0.9, np.array(prizes))
    case = oracle.Case(
        table=table,
        re_spins={(bool(f), 1, k): law[f, 0, k] for f in (0, 1) for k in (0, 1)},
        free_spins_alone=0.9 - law[1].sum(),
        fv=tuple(prizes),
        bank=3,
    )
    extremes = oracle.extremes(case)
    for found in (solve(game, 1.0), optimal(game)):
        assert found.gain == pytest.approx(extremes.optimal, abs=1e-8)
    for found in (solve(game, -1.0), worst(game)):
        assert found.gain == pytest.approx(extremes.worst, abs=1e-8)


def test_more_keys_in_a_round_than_the_first_bank_holds():
    """Keys by the dozen: the law reaches further than the bank the solver begins with."""
    law = np.zeros((2, 1, 71))
    law[0, 0] = 0.01 * 0.9 ** np.arange(71) / (0.9 ** np.arange(71)).sum()
    prizes = np.array([10.0, 20.0, 40.0, 100.0])
    used = np.array([[5.0 + min(k, 3) for k in range(71)]])
    game = KeyGame(law, used, np.array([5.0]), 0.05, prizes)
    form = closed_form(game)
    assert form.holds
    assert evaluate_policy(game, NAMED["advertised"]).gain == pytest.approx(form.advertised, rel=1e-12)
    assert solve(game, 1.0).gain == pytest.approx(form.optimal, rel=1e-11)


def _steep_game(seed):
    """Prizes that rise ever more slowly with used Keys, up to seven Keys a round, and a load just below 1."""
    rng = random.Random(seed)
    keys = 8
    law = np.zeros((2, 3, keys))
    for f, share in ((0, 0.02), (1, 0.004)):
        weights = np.array([[rng.random() * 0.4**k for k in range(keys)] for _ in range(3)])
        law[f] = share * weights / weights.sum()
    steps = sorted((rng.uniform(0.5, 1.5) * 0.75**i for i in range(3)), reverse=True)
    prizes = rng.uniform(800, 2000) + 400 * np.cumsum([0, *steps])
    table = np.cumsum(rng.uniform(20, 200) * np.ones((keys + 1, 3)), axis=0) * np.array([1.0, 2, 4])
    free_spins = float((law * np.arange(keys)).sum()) / 3 / rng.uniform(0.7, 0.9)
    return KeyGame(law, table[:keys].T.copy(), table[0].copy(), free_spins, prizes)


def _best_gain(game, bank):
    """Howard's policy iteration on an explicit chain of ``bank`` + 1 states, what doesn't fit lost."""
    size, keys = bank + 1, game.law.shape[2]
    states = np.arange(size)
    save = np.ones((2, 3, keys, size), dtype=bool)
    use = states >= 3
    plain = game.free_spins - game.law[1].sum()
    gain = None
    while True:
        moves, rewards = np.zeros((size, size)), np.zeros(size)
        used = np.minimum(states, 3) * use

        def play(chance, to, prize, follow, at, moves=moves, rewards=rewards, used=used):
            to = np.minimum(to, bank)
            end = to - used[to] if follow else to
            np.add.at(moves, (states[at], end[at]), chance)
            rewards[at] += chance * (prize + (game.prizes[used[to]][at] if follow else 0.0))

        play(1 - game.law.sum() - plain, states, 0.0, False, states >= 0)
        play(plain, states, 0.0, True, states >= 0)
        for f in (0, 1):
            for s in range(3):
                for k in range(keys):
                    saved = save[f, s, k] & (k > 0)
                    play(game.law[f, s, k], states + k, game.saved_prize[s], f == 1, saved)
                    play(game.law[f, s, k], states, game.used_prize[s, k], f == 1, ~saved)
        system = np.eye(size) - moves
        system[:, 0] = 1.0
        solved = np.linalg.solve(system, rewards)
        if gain is not None and solved[0] <= gain + 1e-12:
            return gain
        gain, h = solved[0], np.concatenate([[0.0], solved[1:]])
        spend = game.prizes[np.minimum(states, 3)] + h[states - np.minimum(states, 3)]
        use = (states > 0) & (spend >= game.prizes[0] + h)
        begun = np.where(use, spend, game.prizes[0] + h)
        for f, worth in ((0, h), (1, begun)):
            for k in range(1, keys):
                more = worth[np.minimum(states + k, bank)] - worth
                save[f, :, k] = more[None] >= (game.used_prize[:, k] - game.saved_prize)[:, None]


@pytest.mark.parametrize("seed", [0, 7, 18, 35])
def test_the_optimal_gain_where_far_states_are_a_tie(seed):
    """Far out to keep and to use are worth the same to more digits than a bias has: noise must not choose there."""
    game = _steep_game(seed)
    found = solve(game, 1.0)
    assert found.error < 1e-12
    assert found.gain == pytest.approx(_best_gain(game, 200), rel=1e-12)


def test_low_states_that_are_never_left():
    """0 and 1 change places for ever, whatever the states above do."""
    moves = np.zeros((6, 3))
    moves[0] = [0.0, 0.75, 0.25]
    moves[1] = [0.5, 0.5, 0.0]
    moves[2:] = [0.0, 0.5, 0.5]
    rewards = np.array([[3.0], [9.0], [100.0], [100.0], [100.0], [100.0]])
    gains, bias = BankChain(moves, rewards, 1).solve()
    assert gains[0] == pytest.approx((2 * 3 + 9) / 3, rel=1e-14)
    assert bias[1, 0] - bias[0, 0] == pytest.approx((9 - 3) / 0.75, rel=1e-14)


def test_states_above_that_are_never_left():
    """From 0 the chain leaps over states 1 and 2, which lead nowhere, and rises for ever."""
    moves = np.zeros((6, 5))
    moves[0] = [0.0, 0.5, 0.0, 0.0, 0.5]
    moves[1] = [0.0, 0.5, 0.5, 0.0, 0.0]
    moves[2] = [0.5, 0.5, 0.0, 0.0, 0.0]
    moves[3:] = [0.0, 0.5, 0.5, 0.0, 0.0]
    rewards = np.array([[0.0], [7.0], [7.0], [1.0], [2.0], [2.0]])
    gains, bias = BankChain(moves, rewards, 1).solve()
    assert gains[0] == 2.0
    # two rounds in 0 lack 2 each, two in 3 lack 1 each
    assert bias[-1, 0] - bias[0, 0] == pytest.approx(2 * 2 + 2 * 1, rel=1e-14)
