"""Rounds of line games against enumeration of the whole cycle, in fractions."""

import random
from fractions import Fraction
from math import sqrt

import pytest

from tests.oracles.line_games import random_line_game
from tests.oracles.line_rounds import SpinSums, round_moments, spin_sums
from workbench.value.line_figures import line_figures
from workbench.value.line_round import line_round

GAMES = 25


def within(bound):
    """Equality within a bound, for figures above 1 in parts of their size."""
    return lambda found, exact: abs(found - float(exact)) <= bound * max(1.0, float(exact))


@pytest.mark.parametrize("seed", range(GAMES))
def test_every_figure_of_a_random_game(seed):
    game, strips = random_line_game(random.Random(f"line round {seed}"))
    figures = line_figures(line_round(game, strips))
    base = spin_sums(game, strips, free=False)
    free = spin_sums(game, strips, free=True) if game.free_games else None
    moments = round_moments(base, free)
    close = within(figures["error_bound"])
    assert Fraction(figures["rtp_exact"]) == moments.mean
    assert close(figures["standard_deviation"], sqrt(moments.variance))
    _check_components(game, figures, base, free, moments.played)
    _check_spin(close, figures, figures["spins"]["base"], base)
    _check_features(close, game, figures, base, moments)
    if free:
        name = game.free_games.name
        assert close(figures["per_round"][name]["played"], moments.played)
        _check_spin(close, figures["spins"][name], figures["spins"][name], free)


def _check_components(game, figures, base, free, played):
    exact = {name: Fraction(text) for name, text in figures["components_exact"].items()}
    expected = {
        name: base.mean(name) for name in exact if name in {"lines", *(f.name for f in game.features)}
    }
    if free:
        head = f"{game.free_games.name}."
        expected |= {n: played * free.mean(n.removeprefix(head)) for n in exact if n.startswith(head)}
    assert exact == expected
    assert sum(exact.values()) == Fraction(figures["rtp_exact"])


def _check_spin(close, figures, spin, sums: SpinSums):
    assert figures.get("cycle", sums.cycle) == sums.cycle
    hits = {}
    for row in figures["combinations"]:
        key = (row["symbol"], row["count"], row["pay"])
        hits[key] = hits.get(key, 0) + row["hits"] * row["lines"]
    assert hits == {key: n for key, n in sums.hits.items() if n}
    assert close(figures["hit_frequency"], sums.chance("hit"))
    variance = sums.expected(lambda w, x, n: w**2 + x) - sums.expected(lambda w, x, n: w) ** 2
    assert close(spin["standard_deviation"], sqrt(variance))
    assert close(spin["mean_win"], sums.expected(lambda w, x, n: w))


def _check_features(close, game, figures, base, moments):
    assert close(figures["line_hit_frequency"], base.chance("line"))
    for name, row in figures["features"].items():
        if game.free_games and name == game.free_games.name:
            awarded = base.expected(lambda w, x, n: n)
            assert close(row["probability"], base.chance("award"))
            assert close(row["mean_win"] * row["probability"], awarded * moments.free_mean)
            assert close(row["spins"] * row["probability"], moments.played)
        else:
            assert close(row["probability"], base.chance(name))
            assert close(row["mean_win"] * row["probability"], base.mean(name))
    assert len(figures["in_sight"]) == len({key[:2] for key in base.in_sight})
    for (symbol, reels, k), n in base.in_sight.items():
        label = f"{symbol} on {','.join(str(r + 1) for r in reels)}"
        law = figures["in_sight"].get(symbol) or figures["in_sight"][label]
        assert close(law[str(k)], Fraction(n, base.cycle))
    top = max(base.top)
    if top:
        assert figures["top_prize"]["value"] == top / game.bet.coins
        assert close(figures["top_prize"]["probability"], Fraction(base.top[top], base.cycle))
    else:
        assert figures["top_prize"] is None
