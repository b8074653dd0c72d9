"""The published distribution of Double Diamond Deluxe: variance, volatility index, table of RTP intervals."""

from fractions import Fraction
from statistics import NormalDist

import pytest

from tests.vectors.slotvec import vector
from workbench.value.spread import QUANTILES, Spread

OLD_90 = 1.65


@pytest.fixture(scope="module")
def v():
    return vector("harrigan_doublediamond_deluxe_925_distribution")


@pytest.fixture(scope="module")
def spread(v):
    return Spread.of({row["pay"]: row["hits"] for row in v["distribution"]}, v["bet"]["credits"])


def test_moments(v, spread):
    c, expected = v["computed"], v["expected"]
    assert float(spread.mean) == pytest.approx(c["rtp"], rel=0, abs=1e-12)
    assert float(spread.variance) == pytest.approx(c["variance"], rel=0, abs=1e-9)
    assert spread.standard_deviation == pytest.approx(c["sd"], rel=0, abs=1e-9)
    # printed 40.313421, exactly 40.3134204...: the last digit is rounded up
    assert abs(float(spread.variance) - expected["variance"]) < 1e-6
    assert round(spread.standard_deviation, 6) == expected["sd"]


def test_volatility_index(v, spread):
    assert spread.volatility_index(OLD_90) == pytest.approx(v["computed"]["vi_165"], rel=0, abs=1e-9)
    assert spread.volatility_index(NormalDist().inv_cdf(0.95)) == pytest.approx(
        v["computed"]["vi_1645"], rel=0, abs=1e-9
    )
    assert round(spread.volatility_index(OLD_90), 3) == v["expected"]["vi_90"]


def test_the_printed_house_edge_does_not_follow_from_the_printed_hits(v, spread):
    assert 1 - float(spread.mean) == pytest.approx(v["computed"]["house_edge"], abs=1e-12)
    assert abs(1 - float(spread.mean) - v["expected"]["house_edge"]) > 2e-4


def test_table_of_intervals(v, spread):
    """Half widths are those printed; the printed centres are those of the wrong house edge."""
    wrong_centre = 100 * (1 - v["expected"]["house_edge"])
    for plays, printed in v["expected"]["ci90_pct"].items():
        low, high = spread.interval(int(plays), OLD_90)
        half = 100 * (high - low) / 2
        assert half == pytest.approx(v["computed"]["ci90_half_width_pct"][plays], rel=0, abs=1e-9)
        assert [round(wrong_centre - half, 2), round(wrong_centre + half, 2)] == pytest.approx(
            printed, abs=0.0101
        )
        assert 100 * low == pytest.approx(100 * float(spread.mean) - half, abs=1e-9)


def test_plays_for_a_half_width(spread):
    for level, quantile in QUANTILES.items():
        low, high = spread.interval(round(spread.plays_for(0.01, quantile)), quantile)
        assert high - low == pytest.approx(0.02, rel=1e-4)
        assert spread.intervals((100,))[level]["100"] == list(spread.interval(100, quantile))


def test_a_certain_pay_has_no_spread():
    assert Spread.of({3: 7}, 3) == Spread(Fraction(1), Fraction(0))
