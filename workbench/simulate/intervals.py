"""Intervals and tails for what was counted: exact for rare events, by batches where rounds depend on each other.

The regularised incomplete beta function I_x(a, b) gives all of them: P(X >= k) of a binomial X of n
trials is I_p(k, n - k + 1); two tails of Student's t beyond t are I_x(df / 2, 1 / 2) at x = df / (df + t^2).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

TINY = 1e-300
PRECISION = 1e-15


def beta_cdf(a: float, b: float, x: float) -> float:
    """I_x(a, b) by its continued fraction (Lentz), for a, b > 0 and 0 <= x <= 1.

    >>> round(beta_cdf(2, 3, 0.5), 12)
    0.6875
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_cdf(b, a, 1 - x)
    log_front = (
        math.lgamma(a + b)
        - math.lgamma(a)
        - math.lgamma(b)
        + a * math.log(x)
        + b * math.log1p(-x)
        - math.log(a)
    )
    return math.exp(log_front) / _fraction(a, b, x)


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction 1 + d1 / (1 + d2 / (1 + ...)) of I_x(a, b)."""
    value, c, d = 1.0, 1.0, 0.0
    for i in range(1, 100_000):
        m = i // 2
        if i % 2:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        else:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / (1 + term * d or TINY)
        c = 1 + term / c or TINY
        value *= c * d
        if abs(c * d - 1) < PRECISION:
            break
    return value


def _solve(rises: Callable[[float], float], target: float, low: float, high: float) -> float:
    """Where an increasing function reaches a target, by halving down to the spacing of floats."""
    for _ in range(200):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if rises(middle) < target else (low, middle)
    return (low + high) / 2


def clopper_pearson(count: int, trials: int, level: float = 0.99) -> tuple[float, float]:
    """The exact interval of a probability that gave ``count`` of ``trials``.

    >>> [round(end, 6) for end in clopper_pearson(0, 1000)]
    [0.0, 0.005284]
    """
    tail = (1 - level) / 2
    low, high = 0.0, 1.0
    if count > 0:
        low = _solve(lambda p: beta_cdf(count, trials - count + 1, p), tail, 0, 1)
    if count < trials:
        high = _solve(lambda p: beta_cdf(count + 1, trials - count, p), 1 - tail, 0, 1)
    return low, high


def wilson(count: int, trials: int, level: float = 0.99) -> tuple[float, float]:
    """Wilson's interval: the probabilities whose score z stays within the normal quantile."""
    z = student_quantile(level, math.inf)
    p, share = count / trials, z * z / trials
    middle = p + share / 2
    half = z * math.sqrt(p * (1 - p) / trials + share / (4 * trials))
    return (middle - half) / (1 + share), (middle + half) / (1 + share)


def binomial_tails(count: int, trials: int, probability: float) -> tuple[float, float]:
    """P(X <= count) and P(X >= count) of a binomial X."""
    below = 1 - beta_cdf(count + 1, trials - count, probability) if count < trials else 1.0
    above = beta_cdf(count, trials - count + 1, probability) if count > 0 else 1.0
    return below, above


def student_two_tails(t: float, degrees: float) -> float:
    """P(|T| >= |t|) of Student's t; of the normal law for infinite ``degrees``."""
    if math.isinf(degrees):
        return math.erfc(abs(t) / math.sqrt(2))
    return beta_cdf(degrees / 2, 0.5, degrees / (degrees + t * t))


@cache
def student_quantile(level: float, degrees: float) -> float:
    """The t whose two tails hold 1 - level.

    >>> round(student_quantile(0.99, math.inf), 6)
    2.575829
    """
    return _solve(lambda t: -student_two_tails(t, degrees), -(1 - level), 0, 1e6)


def normal_score(two_tails: float) -> float:
    """The z whose two normal tails hold that probability (38.5 where it is too small to tell)."""
    return _solve(lambda z: -math.erfc(z / math.sqrt(2)), -two_tails, 0, 40)
