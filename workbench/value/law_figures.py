"""The law of a round in figures: moments, chances of no win and of large ones, percentiles, likeliest wins.

Where a part of the law is drawn, each figure it enters has its 99 % interval beside it: exact chances plus the binomial
interval of the drawn part. A percentile's interval ends at the wins at which these two bounds pass its share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from workbench.value.estimated import LEVEL
from workbench.value.round_law import RoundLaw

SHARES = {"50": 0.5, "75": 0.75, "90": 0.9, "95": 0.95, "99": 0.99, "99.9": 0.999, "99.99": 0.9999}
BOUNDS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
LIKELIEST = 20

Interval = list[float]


def bounds_of(law: RoundLaw) -> list[int]:
    """The wins whose chances are told: up to the largest win."""
    largest = float(law.wins[np.flatnonzero(law.chances > law.error)[-1]])
    return [x for x in BOUNDS if x <= largest]


def law_figures(law: RoundLaw, bounds: Sequence[int] | None = None) -> dict[str, Any]:
    """All figures of a law, intervals among them where a part is estimated; ``bounds`` replace those of the law."""
    bounds = bounds_of(law) if bounds is None else bounds
    found = {
        "strategy": law.strategy,
        "step": float(law.step),
        "mean": law.mean,
        "standard_deviation": law.standard_deviation,
        "skewness": law.skewness,
        "no_win": float(law.chances[0]),
        "at_least": {str(x): law.at_least(x) for x in bounds},
        "percentiles": {name: law.percentile(share) for name, share in SHARES.items()},
        "likeliest": [{"win": win, "probability": chance} for win, chance in law.likeliest(LIKELIEST)],
        "left_out": law.left_out,
        "entry_error": law.error,
    }
    if law.dependent:
        found["rounds"] = "dependent"
    return found if law.estimated is None else {**found, **_estimated(law, bounds)}


def _estimated(law: RoundLaw, bounds: Sequence[int]) -> dict[str, Any]:
    """What is estimated, and the intervals."""
    part, size = law.estimated, len(law.chances)
    assert part is not None
    likeliest = [round(win / law.step) for win, _ in law.likeliest(LIKELIEST)]
    return {
        "estimated": {
            "share": part.share,
            "draws": part.draws,
            "seed": part.seed,
            "level": LEVEL,
            "exact_without_cap": {"mean": part.mean, "standard_deviation": part.standard_deviation},
        },
        "mean_interval_99": _around(law.mean, part.half_width(law.wins)),
        "standard_deviation_interval_99": deviation_interval(law),
        "skewness_interval_99": skewness_interval(law),
        "no_win_interval_99": chance_interval(law, 0, 1),
        "at_least_interval_99": {str(x): chance_interval(law, law.first(x), size) for x in bounds},
        "percentiles_interval_99": {name: percentile_interval(law, share) for name, share in SHARES.items()},
        "likeliest_interval_99": [chance_interval(law, k, k + 1) for k in likeliest],
    }


def _around(value: float, half: float) -> Interval:
    return [value - half, value + half]


def chance_interval(law: RoundLaw, first: int, after: int) -> Interval:
    """Holds P(the win is ``first`` to ``after`` - 1 steps) with 99 %; both ends are equal where all is exact."""
    chance = float(law.chances[max(first, 0) : after].sum())
    if law.estimated is None:
        return [chance, chance]
    estimate, low, high = law.estimated.chance(first, after)
    known = max(0.0, chance - estimate)
    return [known + low, min(known + high, 1.0)]


def percentile_interval(law: RoundLaw, share: float) -> Interval:
    """Holds the least win that at least this share of rounds doesn't exceed."""
    ends = []
    for end in (1, 0):
        k = _first(lambda k, end=end: chance_interval(law, 0, k + 1)[end] >= share - 1e-14, len(law.chances))  # type: ignore[misc]
        ends.append(float(law.wins[k]))
    return ends


def _first(holds: Callable[[int], bool], size: int) -> int:
    """The first place of ``size`` at which a statement holds that holds from there on; the last if none."""
    low, high = 0, size - 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def deviation_interval(law: RoundLaw) -> Interval:
    """Of the standard deviation: the drawn part moves E[win^2] - mean^2 as its mean of win^2 - 2 mean win does."""
    assert law.estimated is not None
    half = law.estimated.half_width(law.wins**2 - 2 * law.mean * law.wins)
    return [max(0.0, end) ** 0.5 for end in _around(law.central_moment(2), half)]


def skewness_interval(law: RoundLaw) -> Interval:
    """Of the skewness g: with z = (win - mean) / deviation the drawn part moves it as its mean of z^3 - 3 z - 3/2 g z^2 does."""
    assert law.estimated is not None
    skewness, deviation = law.skewness, law.standard_deviation
    if not deviation:
        return [skewness, skewness]
    z = (law.wins - law.mean) / deviation
    return _around(skewness, law.estimated.half_width(z**3 - 3 * z - 1.5 * skewness * z**2))
