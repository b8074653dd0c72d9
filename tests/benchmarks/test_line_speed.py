"""Speed of the exact side on line games of growing cycle; run with ``--benchmark-enable``, never timed in CI.

The groups put 28, 56 and 112 stops a reel side by side: the cycle grows by 1024, the cost shall not.
"""

import random

import pytest

from tests.vectors.slotvec import _toml, definition_table, vector
from workbench.exact.line_hits import line_hits
from workbench.game.load import parse_definition
from workbench.optimise.arrange import lay
from workbench.reels.strip_set import StripSet
from workbench.value.line_round import line_round

STOPS = (28, 56, 112)


@pytest.fixture(scope="module")
def game():
    """40 lines on five reels of four rows, Wilds on all reels, Scatters on the middle three."""
    table = definition_table(vector("slotopol_wolfrun_95_346736"))
    table["features"] = [f for f in table["features"] if f["kind"] == "scatter_pays"]
    return parse_definition(_toml(table).encode(), "forty lines")


def strips_of(game, stops):
    rng = random.Random(stops)
    symbols = [*game.symbols.regular, game.symbols.wild]
    reels = []
    for r in range(5):
        scatters = 2 if 1 <= r <= 3 else 0
        counts = dict.fromkeys(symbols, 0)
        for i in range(stops - scatters):
            counts[symbols[i % len(symbols)]] += 1
        reels.append(lay(counts, {"bonus": scatters} if scatters else {}, 0.7, 4, rng))
    return StripSet(game.game, game.sha256, "big", {"base": tuple(reels)}, {}, {})


@pytest.mark.parametrize("stops", STOPS)
@pytest.mark.benchmark(group="rtp of the lines")
def test_rtp(benchmark, game, stops):
    strips = strips_of(game, stops)
    assert benchmark(lambda: line_hits(game, strips.reels["base"]).rtp) > 0


@pytest.mark.parametrize("stops", STOPS)
@pytest.mark.benchmark(group="hit frequency")
def test_hit_frequency(benchmark, game, stops):
    strips = strips_of(game, stops)
    assert 0 < benchmark(lambda: line_round(game, strips).base.hit_frequency) < 1


@pytest.mark.parametrize("stops", STOPS)
@pytest.mark.benchmark(group="standard deviation")
def test_standard_deviation(benchmark, game, stops):
    strips = strips_of(game, stops)
    assert benchmark(lambda: line_round(game, strips).standard_deviation) > 0
