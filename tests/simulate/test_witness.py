"""The verdict: right figures pass, planted errors are named."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from workbench.simulate.estimates import (
    Estimate,
    Proportion,
    by_batches,
    by_squares,
    deviation,
    square_without,
)
from workbench.simulate.intervals import (
    beta_cdf,
    binomial_tails,
    clopper_pearson,
    normal_score,
    student_quantile,
    student_two_tails,
    wilson,
)
from workbench.simulate.tally import Tally
from workbench.witness import RareWin, compare, verdict


@pytest.mark.parametrize(
    "a, b, x", [(1, 1, 0.3), (0.5, 15.5, 0.02), (300, 2e6, 1.4e-4), (5000, 5000, 0.51), (2, 9, 0.9)]
)
def test_beta_against_scipy(a: float, b: float, x: float) -> None:
    from scipy.special import betainc

    rounding = 2**-53 * (8 * math.lgamma(a + b) + 100)  # of the four logarithms of factorials, and of the sum
    assert beta_cdf(a, b, x) == pytest.approx(betainc(a, b, x), rel=rounding)


def test_intervals_against_scipy() -> None:
    from scipy.stats import binomtest, norm, t

    for count, trials in ((0, 50), (3, 1000), (50, 50), (700, 10**8)):
        found = binomtest(count, trials).proportion_ci(0.99, "exact")
        assert clopper_pearson(count, trials) == pytest.approx((found.low, found.high), rel=1e-7)
    found = binomtest(30_000, 10**6).proportion_ci(0.99, "wilson")
    assert wilson(30_000, 10**6) == pytest.approx((found.low, found.high), rel=1e-9)
    assert student_quantile(0.99, 31) == pytest.approx(t.ppf(0.995, 31), rel=1e-9)
    assert student_two_tails(3.5, 31) == pytest.approx(2 * t.sf(3.5, 31), rel=1e-9)
    assert normal_score(2 * norm.sf(5.5)) == pytest.approx(5.5, rel=1e-9)


def test_binomial_tails_by_enumeration() -> None:
    n, p, k = 12, 0.3, 5
    mass = [math.comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(n + 1)]
    assert binomial_tails(k, n, p) == pytest.approx((sum(mass[: k + 1]), sum(mass[k:])), rel=1e-12)


def estimates() -> dict[str, Estimate]:
    return {
        "rtp": Estimate(0.9512, 0.0006, 31),
        "rare": Proportion.of(3, 10**6),
        "common": Proportion.of(250_400, 10**6),
        "never": Proportion.of(0, 10**6),
    }


RIGHT = {"rtp": 0.95, "rare": 2e-6, "common": 0.25, "never": 1e-7, "not simulated": 0.5}


def test_right_figures_agree() -> None:
    found = verdict(RIGHT, estimates())
    assert found.agrees and len(found.comparisons) == 4 and found.worst.name == "rtp"
    assert found.to_json()["worst"]["z"] == found.worst.z > 0


@pytest.mark.parametrize(
    ("name", "wrong"), [("rtp", 0.97), ("rare", 5e-5), ("common", 0.253), ("never", 3e-5), ("rare", 0.0)]
)
def test_wrong_figure_is_named(name: str, wrong: float) -> None:
    found = verdict({**RIGHT, name: wrong}, estimates())
    assert found.rejected == (name,) and found.worst.name == name
    assert (found.worst.z > 0) == (estimates()[name].mean > wrong)


def test_holm_accounts_for_the_number_of_figures() -> None:
    borderline = Estimate(1003.5, 1.0)  # two tails 4.7e-4: alone beyond 1 %, not among fifty
    assert not verdict({"x": 1000.0}, {"x": borderline}).agrees
    many = {f"f{i}": Estimate(0.0, 1.0) for i in range(49)}
    assert verdict({"x": 1000.0, **dict.fromkeys(many, 0.0)}, {"x": borderline, **many}).agrees


def test_sums_of_few_contributions_are_listed_as_untested() -> None:
    found = verdict(
        {**RIGHT, "few": 3.0, "none": 1e-9},
        {**estimates(), "few": Estimate(1.0, 0.1), "none": Estimate(0.0, 0.0)},
    )
    assert found.agrees and found.untested == ("few", "none")
    assert verdict({"many": 3.0}, {"many": Estimate(1.0, 0.01)}).rejected == ("many",)
    with pytest.raises(ValueError, match="none of few is"):
        verdict({"few": 1.0}, {"few": Estimate(1.0, 0.1)})


@pytest.mark.parametrize("power", [1, 2])
def test_a_rare_win_not_seen_is_no_error(power: int) -> None:
    """40,000 bets once in 10^8 rounds, not seen in 2 10^8: half of 2 e^-2 likely, but 4 and more standard errors away."""
    rounds, chance, amount = 2 * 10**8, 1e-8, 40_000.0
    short = Estimate(5.0, 1e-6, number=rounds, power=power)
    exact = (5.0**power + amount**power * chance) ** (1 / power)
    assert compare("x", exact, short).probability < 1e-3
    rare = RareWin(amount, chance)
    assert compare("x", exact, short, rare).probability == pytest.approx(math.exp(-2), rel=1e-3)
    # seen three times it is near the mean, and an error in the rest shows
    seen = (5.0**power + 3 * amount**power / rounds) ** (1 / power)
    assert compare("x", exact, replace(short, mean=seen), rare).probability > 0.3
    wrong = (5.1**power + 3 * amount**power / rounds) ** (1 / power) + 10 * amount**power / rounds
    assert compare("x", exact, replace(short, mean=wrong), rare).probability < 1e-6


def test_a_common_win_beside_a_normal_sum_is_a_normal_sum() -> None:
    """Where the win is neither rare nor large both tests agree."""
    estimate = Estimate(0.95, 1e-3, number=10**6)
    without = compare("x", 0.9472, estimate).probability
    assert compare("x", 0.9472, estimate, RareWin(0.01, 0.5)).probability == pytest.approx(without, rel=1e-3)


def test_skewness_of_a_deviation_is_that_of_the_squares() -> None:
    from workbench.simulate.layout import Layout
    from workbench.simulate.tally import Batches, Identity, Session

    rng = np.random.default_rng(3)
    x = rng.integers(0, 50, 4000) * (rng.random(4000) < 0.1)
    wins = {int(w): int((x == w).sum()) for w in np.unique(x) if w}
    tally = Tally(
        Identity("g", "", "", "", None, None, 1, 1), Layout((("sums", (2,)),)), (Session(1, 0, len(x)),),
        (len(x), int(x.sum())), (int((x**2).sum()),), wins, int(x.max()),
        Batches.of(np.array([[0, 0]]), np.array([len(x)])),
    )  # fmt: skip
    found = deviation(tally, 0.5)
    y = (x - x.mean()) ** 2
    centred = y - y.mean()
    assert found.mean == pytest.approx(0.5 * x.std(ddof=1))
    assert found.standard_error == pytest.approx(0.5 * y.std() / math.sqrt(len(x)) / (2 * x.std()), rel=1e-3)
    assert found.skewness == pytest.approx((centred**3).mean() / y.std() ** 3 / math.sqrt(len(x)), rel=1e-2)


def test_nothing_in_common_is_refused() -> None:
    with pytest.raises(ValueError, match="must share a name"):
        verdict({"a": 1.0}, estimates())


def test_figures_without_spread_must_be_equal() -> None:
    assert compare("x", 0.5, Estimate(0.5, 0.0)).probability == 1
    assert compare("x", 0.5, Estimate(0.6, 0.0)).z > 38


def test_batch_error_is_that_of_dependent_rounds() -> None:
    """Rounds that come in pairs of equals: batches see twice the variance, squares don't."""
    from workbench.simulate.layout import Layout
    from workbench.simulate.tally import Batches, Identity, Session

    rng = np.random.default_rng(1)
    x = np.repeat(rng.integers(0, 100, 200_000), 2)
    sums = x.reshape(400, 1000).sum(axis=1)[:, None]
    identity = Identity("g", "", "", "", None, None, 1, 1)
    tally = Tally(
        identity, Layout((("sums", (1,)),)), (Session(1, 0, len(x)),), (int(x.sum()),), (), {}, 0,
        Batches.of(sums, np.full(400, 1000)),
    )  # fmt: skip
    batches = by_batches(tally, 0)
    squares = by_squares(int(x.sum()), int((x**2).sum()), len(x))
    true = math.sqrt(2 * (100**2 - 1) / 12 / len(x))
    # a variance of 400 batches has a relative error of sqrt(2 / 399); six of those
    assert abs((batches.standard_error / true) ** 2 - 1) < 6 * math.sqrt(2 / 399)
    assert squares.standard_error == pytest.approx(true / math.sqrt(2), rel=0.02)
    assert batches.mean == squares.mean


@pytest.mark.parametrize(("largest", "beyond"), [(5000, 60), (2_000_000, 60), (5000, 900_000)])
def test_square_without_a_win_is_that_of_the_other_rounds(largest: int, beyond: int) -> None:
    """Also where the win, or another one, lies beyond the histogram's last place."""
    from workbench.simulate._shapes_kernels import WIN_CELLS
    from workbench.simulate.layout import Layout
    from workbench.simulate.tally import Batches, Identity, Session, Tally

    rng = np.random.default_rng(4)
    x = rng.integers(0, 50, 4000) * (rng.random(4000) < 0.3)
    x[:3], x[3] = largest, beyond
    wins = {
        int(w): int((np.minimum(x, WIN_CELLS - 1) == w).sum())
        for w in np.unique(np.minimum(x, WIN_CELLS - 1))
        if w
    }
    tally = Tally(
        Identity("g", "", "", "", None, None, 1, 1), Layout((("sums", (2,)),)), (Session(1, 0, len(x)),),
        (len(x), int(x.sum())), (int((x**2).sum()),), wins, int(x.max()),
        Batches.of(np.array([[0, 0]]), np.array([len(x)])),
    )  # fmt: skip
    found = square_without(tally, largest, 3, 0.5)
    y = np.where(x == largest, 0, x) ** 2 / 4
    assert found.mean == pytest.approx(y.mean())
    assert found.standard_error == pytest.approx(y.std() / math.sqrt(len(x)))
    assert found.skewness == pytest.approx(((y - y.mean()) ** 3).mean() / y.std() ** 3 / math.sqrt(len(x)))
    s = x.std()
    spread = ((x - x.mean()) ** 2).std()
    assert deviation(tally, 1.0).standard_error == pytest.approx(
        spread / math.sqrt(len(x)) / (2 * s), rel=1e-3
    )
