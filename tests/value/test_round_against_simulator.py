"""Every component of a round against rounds played by the rules, in simultaneous 99.9 % intervals.

The simulator's kernel is proved equal, event by event, to a plain-Python player of the rules (tests/simulate).
"""

import pytest
from oracles import games as small
from simulate.sets import codex, realistic

from workbench.simulate.figures import estimates_of
from workbench.simulate.run import simulate
from workbench.simulate.strategy import named_strategies
from workbench.value.figures import figures
from workbench.value.round import evaluate
from workbench.witness import exact_table, verdict

LEVEL = 0.001


def _verdict(game, strips, name, rounds, seed):
    exact = figures(evaluate(game, strips), name)
    if name in ("optimal", "worst"):
        pytest.fail("solved strategies come as tables")
    tally = simulate(game, strips, rounds, seed, named_strategies(game)[name], 2)
    return verdict(exact_table(game, exact), estimates_of(game, tally, True), LEVEL)


@pytest.mark.parametrize("name", ["advertised", "never-save", "save-never-use", "always-save-use-at-1"])
def test_a_realistic_set(name):
    found = _verdict(codex(), realistic(), name, 3_000_000, 11)
    assert found.agrees, found.worst
    assert len(found.comparisons) >= 10


@pytest.mark.parametrize("seed", range(4))
def test_small_lively_games(seed):
    game, strips = small.random_game_and_strips(100 + seed)
    found = _verdict(game, strips, "advertised", 400_000, seed)
    assert found.agrees, found.worst
