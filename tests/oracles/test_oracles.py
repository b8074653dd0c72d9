"""The oracles against examples worked out by hand, and against what must hold whatever the game."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given, settings

from workbench.reels.strip_set import Stage, StripSet, Weights

from . import free_spins, games, keys, re_spins, rounds, spin
from .lines import LineAward, line_award

SOME = settings(max_examples=15, deadline=None)


def award(symbols: str, **wild: str) -> LineAward:
    table = games.game_table()
    table["wild"].update(wild)
    return line_award(games.built(table), symbols.split())


@pytest.mark.parametrize(
    ("symbols", "expected"),
    [
        ("Wild Wild Wild Shell Shell", ("Shell", 5, 60, False)),
        ("Wild Wild Wild J J", ("Lion", 3, 40, True)),
        ("Wild Wild Wild Wild Wild", ("Lion", 5, 200, True)),
        ("Wild Wild Wild Lion J", ("Lion", 4, 100, False)),
        ("Wild Wild Wild Scatter J", ("Lion", 3, 40, True)),
        ("Wild Wild Wild Koi J", ("Lion", 3, 40, True)),
        ("Wild Wild Lion Koi J", ("Lion", 3, 40, False)),
        ("J Wild J Koi J", ("J", 3, 5, False)),
        ("Wild Wild J Q Q", ("J", 3, 5, False)),
        ("A A Scatter A A", (None, 0, 0, False)),
        ("Scatter Wild Wild Wild Wild", (None, 0, 0, False)),
    ],
)
def test_line_of_the_shipped_game(symbols: str, expected: tuple[str | None, int, int, bool]) -> None:
    assert line_award(games.shipped_game(), symbols.split()) == expected


def test_wilds_without_a_pay_of_their_own() -> None:
    table = games.game_table()
    del table["paytable"]["Wild"]
    best = games.built(table)
    table["wild"]["leading_run"] = "own-pay"
    own = games.built(table)
    line = ["Wild", "Wild", "Wild", "J", "J"]
    assert line_award(best, line) == ("Lion", 3, 40, True)
    assert line_award(own, line) == ("J", 5, 20, False)
    assert line_award(own, ["Wild"] * 5).winner is None


def test_ties_go_to_the_wilds_then_to_the_higher_symbol() -> None:
    table = games.game_table()
    table["paytable"]["Wild"] = {"3": 10, "4": 10, "5": 10}
    table["paytable"]["Lion"] = table["paytable"]["Owl"] = {"3": 10, "4": 10, "5": 10}
    for symbol in ("Turtle", "Koi", "Shell", "A", "K", "Q", "J"):
        table["paytable"][symbol] = {"3": 1, "4": 1, "5": 1}
    table["wild"]["counts_as"] = "Koi"
    line = ["Wild", "Wild", "Wild", "Owl", "J"]
    assert line_award(games.built(table), line) == ("Koi", 3, 10, True)
    del table["paytable"]["Wild"]
    assert line_award(games.built(table), line) == ("Lion", 3, 10, True)


def test_short_runs_pay_where_listed() -> None:
    table = games.game_table()
    table["paytable"]["J"] = {"1": 1, "2": 2, "3": 5, "4": 10, "5": 20}
    game = games.built(table)
    assert line_award(game, ["J", "A", "A", "A", "A"]) == ("J", 1, 1, False)
    assert line_award(game, ["Wild", "A", "A", "K", "K"]) == ("A", 3, 10, False)
    assert line_award(game, ["Wild", "K", "A", "K", "K"]) == ("J", 1, 1, True)


def base_only(reels: list[list[str]]) -> StripSet:
    game = games.shipped_game()
    return StripSet(game.game, game.sha256, "t", {"base": tuple(map(tuple, reels))}, {}, {})


def test_spin_of_one_stop_a_reel() -> None:
    game = games.shipped_game()
    count = spin.count_spins(game, base_only([["A"]] * 5).reels["base"])
    assert (count.cycle, count.total_coins, count.hits) == (1, 40 * 40, {("A", 5): 40})
    assert count.triggers == {}


def test_hits_of_independent_cells() -> None:
    """On one row, A on half the stops of each reel: run 3 exactly is 1/16, run 4 1/32, run 5 1/32."""
    game = games.shipped_game()
    reels = [["A", "K"]] * 5
    count = spin.count_spins(game, reels)
    assert count.cycle == 32
    for symbol in ("A", "K"):
        assert [count.hits[symbol, n] for n in (3, 4, 5)] == [40 * 2, 40, 40]
    assert sum(count.coins.values()) == 32
    assert sum(c * n for c, n in count.coins.items()) == count.total_coins


def three_by_two(**re_spins_settings: object) -> dict:
    table = games.game_table()
    table["grid"]["rows"], table["lines"] = [2, 2, 2], [[0, 0, 0], [1, 1, 1]]
    table["paytable"] = {s: {"3": p["3"]} for s, p in table["paytable"].items()}
    for name in ("re_spins", "free_spins"):
        games.feature(table, name)["trigger"]["reels"] = [0, 1, 2]
        games.feature(table, name)["key"]["reels"] = [2]
    games.feature(table, "free_spins")["retrigger"]["reels"] = [0, 1, 2]
    games.feature(table, "re_spins").update(re_spins_settings)
    return table


@pytest.mark.parametrize(
    ("rule", "collectable", "board"),
    [
        ("count", "Lion", frozenset()),
        ("last-resort", "A", frozenset({(0, 1), (1, 1), (2, 1)})),
    ],
)
def test_start_board_beside_a_line_of_wilds(rule: str, collectable: str, board: spin.Board) -> None:
    game = games.built(three_by_two(wild_only_lines=rule))
    screen = (("Wild", "A"), ("Wild", "A"), ("Wild", "A"))
    paid = spin.LineReader(game).awards(screen)
    assert spin.start_of_hold(game, screen, paid) == (collectable, board)


def test_wilds_do_not_stay_on_the_start_board() -> None:
    game = games.built(three_by_two())
    screen = (("Wild", "Q"), ("Q", "Q"), ("Q", "J"))
    paid = spin.LineReader(game).awards(screen)
    assert spin.start_of_hold(game, screen, paid) == ("Q", frozenset({(1, 0), (2, 0)}))


def cell(**weights: int) -> Weights:
    return Weights("cell", tuple(weights), tuple(weights.values()))


def one_open_cell(key: dict, *stages: Stage) -> re_spins.ReSpins:
    """Re-Spins on 3 reels of 1 row, to be started with reels 1 and 2 held: one cell spins, on the Key reel."""
    table = three_by_two(key={"symbol": "Key", "reels": [2], **key})
    table["grid"]["rows"], table["lines"] = [1, 1, 1], [[0, 0, 0]]
    game = games.built(table)
    return re_spins.ReSpins(game, StripSet(game.game, game.sha256, "t", {}, {"re_spins": stages}, {}))


HELD = frozenset({(0, 0), (1, 0)})


def test_one_cell_without_limit() -> None:
    """Key 1/2, Collectable 1/3, Blank 1/6: keys are geometric, P(keys = k) = 1/2^(k+1), filled in 2 of 3 cases."""
    cells = (cell(Blank=1), cell(Blank=1), cell(Collectable=2, Key=3, Blank=1))
    law = one_open_cell({"at_most": "no-limit"}, Stage(1, cells)).play(HELD, most_keys=2)
    for held, share in ((3, Fraction(2, 3)), (2, Fraction(1, 3))):
        assert [law.law[held, k] for k in (0, 1, 2)] == [share / 2, share / 4, share / 4]
    assert (law.re_spins, law.keys) == (2, 1)


def test_one_cell_with_a_cap_of_one() -> None:
    """After the one Key, a Key is a Blank: it ends the feature."""
    cells = (cell(Blank=1), cell(Blank=1), cell(Collectable=2, Key=3, Blank=1))
    law = one_open_cell({"at_most": 1}, Stage(1, cells)).play(HELD)
    assert law.law == {
        (3, 0): Fraction(1, 3),
        (2, 0): Fraction(1, 6),
        (3, 1): Fraction(1, 6),
        (2, 1): Fraction(1, 3),
    }
    assert (law.re_spins, law.keys) == (Fraction(3, 2), Fraction(1, 2))


def test_stages_by_re_spin_number() -> None:
    """A Key for certain in re-spin 1, for certain in 2, nothing from 3 on."""
    blank = cell(Blank=1)
    stages = (Stage(1, (blank, blank, cell(Key=1))), Stage(3, (blank, blank, blank)))
    law = one_open_cell({"at_most": "no-limit"}, *stages).play(HELD, most_keys=5)
    assert (law.law, law.re_spins, law.keys) == ({(2, 2): 1}, 3, 2)


def test_two_keys_at_once_below_a_cap_of_one() -> None:
    """Both cells of reel 3 land Keys: one is awarded; then the Keys are Blanks and the feature ends."""
    game = games.built(three_by_two(key={"symbol": "Key", "reels": [2], "at_most": 1}))
    blank = cell(Blank=1)
    stages = (Stage(1, (blank, blank, cell(Key=1))),)
    chain = re_spins.ReSpins(game, StripSet(game.game, game.sha256, "t", {}, {"re_spins": stages}, {}))
    law = chain.play(frozenset())
    assert (law.law, law.re_spins, law.keys) == ({(0, 1): 1}, 2, 1)


def test_full_board_spins_no_more() -> None:
    cells = (cell(Blank=1), cell(Blank=1), cell(Collectable=1))
    law = one_open_cell({"at_most": "no-limit"}, Stage(1, cells)).play(HELD | {(2, 0)}, most_keys=1)
    assert (law.law, law.re_spins) == ({(3, 0): 1}, 0)


def test_strips_land_on_open_cells_only() -> None:
    """Reel 3 shows (Key, Collectable) or (Collectable, Blank) or (Blank, Key) with its lower cell held."""
    game = games.built(three_by_two(spun="strips"))
    reels = (("Blank",), ("Blank",), ("Key", "Collectable", "Blank"))
    strips = StripSet(game.game, game.sha256, "t", {"re_spins": reels}, {}, {})
    law = re_spins.ReSpins(game, strips).play(frozenset({(2, 1)}), most_keys=1)
    third = Fraction(1, 3)
    # From the start: Key 1/3, Collectable 1/3 (then reel 3 is full; one more re-spin), nothing 1/3.
    assert law.law == {(1, 0): third, (2, 0): third, (1, 1): third / 2, (2, 1): third / 2}
    assert law.keys == Fraction(1, 2)


def test_final_lines_count_held_cells_only() -> None:
    game = games.built(three_by_two())
    left = frozenset({(0, 0), (1, 0), (2, 0), (0, 1), (1, 1)})
    assert re_spins.board_coins(game, left, "A") == 10
    assert re_spins.board_coins(game, left | {(2, 1)}, "A") == 20


@SOME
@given(games.games_and_strips())
def test_re_spins_law_sums_to_one(pair: tuple) -> None:
    game, strips = pair
    chain = re_spins.ReSpins(game, strips)
    start = frozenset(re_spins.all_cells(game)[:2])
    law = chain.play(start, most_keys=2)
    assert sum(law.ends.values()) == sum(law.law.values()) == sum(law.boards.values()) == 1
    assert all(start <= board for board in law.boards)
    assert law.keys >= sum(k * p for (_, k), p in law.law.items())


def simulated(chain: re_spins.ReSpins, start: spin.Board, rng: random.Random) -> tuple[int, int, int]:
    """(held, Keys, re-spins) of one Re-Spins played by the rules, position reels only."""
    board, won, number = set(start), 0, 0
    while len(board) < len(chain.cells):
        number += 1
        stage = chain.stages[chain.stage(number)]
        landed = Counter()
        for reel, row in sorted(chain.cells - board):
            weights = stage.cell(reel)
            symbol = rng.choices(weights.values, weights.weights)[0]
            landed[symbol] += 1
            if symbol == "Collectable":
                board.add((reel, row))
        awarded = landed["Key"] if chain.cap is None else min(landed["Key"], chain.cap - won)
        won += awarded
        if not landed["Collectable"] and not awarded:
            break
    return len(board), won, number


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_re_spins_against_play(seed: int) -> None:
    game, strips = games.random_game_and_strips(seed, spun=("position-reels",), reels=(3,))
    chain, rng, plays = re_spins.ReSpins(game, strips), random.Random(seed), 4000
    start = frozenset({(0, 0)})
    law = chain.play(start, most_keys=12)
    seen = [simulated(chain, start, rng) for _ in range(plays)]
    for place, expected in (
        (0, sum(h * p for (h, _), p in law.law.items())),
        (1, law.keys),
        (2, law.re_spins),
    ):
        values = [one[place] for one in seen]
        mean = sum(values) / plays
        error = (sum((v - mean) ** 2 for v in values) / plays / plays) ** 0.5
        assert abs(mean - float(expected)) <= 5 * error + 1e-9


def test_free_spins_without_added_spins() -> None:
    """Each spin fills the meter by 1 or 0 alike; two spins: 0, 1, 2 with 1/4, 1/2, 1/4; a step is 1 wide."""
    table = three_by_two()
    table["grid"]["rows"], table["lines"] = [1, 1, 1], [[0, 0, 0]]
    games.feature(table, "free_spins")["meter"]["per_step"] = 1
    game = games.built(table)
    law = free_spins.play(game, [["A", "K"], ["K"], ["K"]], "A", 2)
    assert law.law == {(1, 0): 0.25, (2, 0): 0.5, (3, 0): 0.25}
    assert (law.spins, law.coins, law.missing) == (2, 7.0, 0)


def test_free_spins_with_added_spins() -> None:
    """One spin in two adds one: 1 / (1 - 1/2) spins. Each Key in sight counts, +10 only on its reel, Wilds never."""
    table = three_by_two()
    table["grid"]["rows"], table["lines"] = [1, 1, 1], [[0, 0, 0]]
    game = games.built(table)
    law = free_spins.play(game, [["Scatter", "+10"], ["Wild"], ["Key"]], "A", 1, most_keys=3)
    assert law.spins == pytest.approx(2, abs=1e-14)
    assert law.law == pytest.approx({(1, 1): 0.5, (1, 2): 0.25, (1, 3): 0.25}, abs=1e-14)
    assert free_spins.outcome(game, (("A",), ("+10",), ("Key",)), "A") == (11, 1, 0)


def test_free_spins_that_never_end_are_refused() -> None:
    table = three_by_two()
    table["grid"]["rows"], table["lines"] = [1, 1, 1], [[0, 0, 0]]
    with pytest.raises(ValueError, match="less than one"):
        free_spins.play(games.built(table), [["Scatter"], ["A"], ["A"]], "A", 1)


def simple_case(bank: int) -> keys.Case:
    """Re-Spins with one Key in a quarter of the rounds, Free Spins alone in a quarter; a Key is worth 10 there."""
    return keys.Case(
        table=((5.0, 10.0), (8.0, 30.0)),
        re_spins={(False, 1, 1): 0.25, (False, 2, 1): 0.125},
        free_spins_alone=0.25,
        fv=(20.0, 30.0, 40.0, 50.0),
        bank=bank,
    )


def test_gain_of_never_saving() -> None:
    case = simple_case(2)
    found = keys.evaluate(case, keys.named_policy(case, "never-save"))
    assert found.gain == pytest.approx(0.25 * 8 + 0.125 * 30 + 0.25 * 20, abs=1e-13)
    assert list(found.law) == [1, 0, 0]


def test_gain_of_saving_with_room_for_one() -> None:
    """Bank 0 or 1: up with 3/8, down with 1/4, so one Key is there in 3/5 of the rounds."""
    case = simple_case(1)
    found = keys.evaluate(case, keys.named_policy(case, "always-save-use-at-1"))
    assert found.law == pytest.approx([0.4, 0.6], abs=1e-13)
    assert found.gain == pytest.approx(0.25 * 5 + 0.125 * 10 + 0.25 * (20 + 0.6 * 10), abs=1e-13)
    assert found.saved == pytest.approx(0.4 * 0.375, abs=1e-13)


def test_gain_with_an_absorbing_full_bank() -> None:
    case = simple_case(3)
    found = keys.evaluate(case, keys.named_policy(case, "save-never-use"))
    assert found.law == pytest.approx([0, 0, 0, 1], abs=1e-13)
    assert found.gain == pytest.approx(0.25 * 5 + 0.125 * 10 + 0.25 * 20, abs=1e-13)


def test_long_run_law_splits_over_two_closed_sets() -> None:
    import numpy as np

    matrix = np.array([[0.5, 0.3, 0.2], [0, 1, 0], [0, 0, 1]])
    assert keys.long_run_law(matrix) == pytest.approx([0, 0.6, 0.4])


def test_extremes_of_all_policies() -> None:
    """With much room, saving a Key is worth 10: save at step 1 (lost 3), use at once at step 2 (lost 20)."""
    case = simple_case(2)
    found = keys.extremes(case)
    assert keys.policy_count(case) == 2 ** (2 * 3 + 2)
    never = keys.evaluate(case, keys.named_policy(case, "save-never-use")).gain
    assert found.worst == pytest.approx(never, abs=1e-12)
    assert all(p.save[False, 1, 1, 0] and not p.save[False, 2, 1, 0] for p in found.optimal_policies)
    assert found.optimal > keys.evaluate(case, keys.named_policy(case, "never-save")).gain


def test_large_bank_meets_the_worth_of_a_key() -> None:
    """fv is linear, so always saving and using at 3 gains worst + Keys saved a round x 10, load 1/4 / (3/4)."""
    table = ((5.0, 10.0), (8.0, 30.0))
    case = keys.Case(table, {(False, 1, 1): 0.25}, 0.25, (20.0, 30.0, 40.0, 50.0), bank=150)
    worst = 0.25 * 5 + 0.25 * 20
    assert keys.evaluate(case, keys.named_policy(case, "advertised")).gain == pytest.approx(
        worst + 2.5, abs=1e-12
    )


def test_new_player() -> None:
    case = simple_case(1)
    policy = keys.named_policy(case, "always-save-use-at-1")
    first = 0.25 * 5 + 0.125 * 10 + 0.25 * 20
    assert keys.mean_over_rounds(case, policy, 1) == pytest.approx(first)
    assert keys.mean_over_rounds(case, policy, 2) == pytest.approx(first + 0.375 * 0.25 * 10 / 2)


@SOME
@given(games.games_and_strips(strip_options={"max_cycle": 600}))
def test_a_round_holds_together(pair: tuple) -> None:
    game, strips = pair
    parts = rounds.round_parts(game, strips, most_keys=2)
    count = spin.count_spins(game, strips.reels["base"])
    assert sum(count.coins.values()) == sum(count.scatters.values()) == count.cycle
    assert sum(coins * n for (_, _, _, coins), n in count.hits_by_run.items()) == count.total_coins
    assert sum(parts.re_spins.values()) == Fraction(sum(count.triggers.values()), count.cycle)
    both = sum(p for (follows, _, _), p in parts.re_spins.items() if follows)
    assert both + parts.free_spins_alone == parts.free_spins
    case = rounds.case_of(game, parts, 4)
    found = keys.evaluate(case, keys.named_policy(case, "advertised"))
    assert found.law.sum() == pytest.approx(1)
    assert found.gain >= 0


@SOME
@given(games.games_and_strips(strip_options={"max_cycle": 600}))
def test_free_spins_law_sums_to_one(pair: tuple) -> None:
    game, strips = pair
    found = free_spins.whole(game, strips)
    assert sum(found.ends.values()) == pytest.approx(1, abs=1e-12)
    assert found.missing < 1e-14


def test_random_games_trigger_features() -> None:
    """Many of the games start Re-Spins, start Free Spins, have lines of Wilds alone: they test something."""
    seen = Counter()
    for seed in range(30):
        game, strips = games.random_game_and_strips(seed)
        count = spin.count_spins(game, strips.reels["base"])
        assert count.cycle <= 2000
        assert games.scatters_a_spin(game, strips.reels["free"]) <= 0.6
        seen["re-spins"] += bool(count.triggers)
        seen["free spins"] += any(n >= game.free_spins.trigger.least for _, n in count.scatters)
        seen["wild lines"] += any(wilds for _, _, wilds, _ in count.hits_by_run)
    assert min(seen[name] for name in ("re-spins", "free spins", "wild lines")) >= 10
