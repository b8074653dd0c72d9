"""Exact figures against simulated ones: who is wrong, and how sure we are.

Pure functions on names and numbers. A figure's z-score is that of its two-tailed probability under the exact value: from the binomial
law for counts, from Student's t for batch means. Holm's step-down test keeps the chance of any false accusation at
``LEVEL`` however many figures are compared and however they depend on each other. Means that rest on fewer than ``EVENTS``
independent contributions are far from normal, so they are listed as untested; counts are tested however rare.

A figure may itself be an estimate, with a standard error that doesn't come from the simulation. Both errors then add in
squares; the tails of a count are averaged over a normal law of the figure (cut to 0 .. 1), which comes to the same where counts
are large.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from workbench.game import GameDefinition
from workbench.simulate.estimates import RARE, VOLATILITY_90, Estimate, Proportion
from workbench.simulate.intervals import binomial_tails, normal_score, student_two_tails
from workbench.simulate.line_rule import is_line_game

LEVEL = 0.01
EVENTS = 1000
"""At so many contributions a sum's skewness moves a tail of z = 4.5 by less than half its size."""

AVERAGED = 100
"""Places to either side at which a count's tails are averaged."""


@dataclass(frozen=True)
class Comparison:
    """One figure both ways: ``probability`` is that of a difference at least this large if the exact value is right.

    ``error`` is the standard error of a value that is an estimate too, 0 of an exact one.
    """

    name: str
    exact: float
    estimate: Estimate
    probability: float
    error: float = 0.0

    @property
    def z(self) -> float:
        """The signed normal score; positive where the simulation is higher. At most some 38 in size, where probabilities end."""
        return math.copysign(normal_score(self.probability), self.estimate.mean - self.exact)

    def to_json(self) -> dict[str, Any]:
        """The comparison as a table."""
        if self.error:
            known = {"mean": self.exact, "standard_error": self.error}
            return {"estimated": known, "simulated": self.estimate.to_json(), "z": self.z}
        return {"exact": self.exact, "simulated": self.estimate.to_json(), "z": self.z}


@dataclass(frozen=True)
class Verdict:
    """All comparisons, the unlikeliest first, the names Holm's test rejects at 1 %, and those too rare to test."""

    comparisons: tuple[Comparison, ...]
    rejected: tuple[str, ...]
    untested: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether no figure is rejected."""
        return not self.rejected

    @property
    def worst(self) -> Comparison:
        """The figure with the unlikeliest difference."""
        return self.comparisons[0]

    def to_json(self) -> dict[str, Any]:
        """The verdict as a table."""
        return {
            "agrees": self.agrees,
            "compared": len(self.comparisons),
            "rejected": list(self.rejected),
            "untested": list(self.untested),
            "worst": {"name": self.worst.name, **self.worst.to_json()},
            "figures": {c.name: c.to_json() for c in self.comparisons},
        }


@dataclass(frozen=True)
class RareWin:
    """A win the exact side knows of that a run may be too short to show: its amount in bets, its chance a trial."""

    amount: float
    chance: float


def compare(
    name: str, exact: float, estimate: Estimate, rare: RareWin | None = None, error: float = 0.0
) -> Comparison:
    """Test one figure against its exact value; ``rare`` is a rare win in it, ``error`` its own standard error if it has one."""
    if not error:
        return Comparison(name, exact, estimate, _probability(exact, estimate, rare))
    if isinstance(estimate, Proportion):
        probability = _averaged_binomial(exact / estimate.scale, estimate, error / estimate.scale)
    else:
        both = replace(estimate, standard_error=math.hypot(estimate.standard_error, error))
        probability = _probability(exact, both, rare)
    return Comparison(name, exact, estimate, probability, error)


def can_be_tested(exact: float, estimate: Estimate) -> bool:
    """Whether a figure can be tested: a count, or a mean of at least ``EVENTS`` contributions if the exact value is right.

    A mean of n rare independent contributions has (mean / standard error)^2 = n; under the exact value it would be
    n exact / mean, and its skewness is 1 / sqrt(n); an estimate known to be more skewed isn't tested.
    A standard error of 0 leaves nothing to test by, unless both are 0.
    """
    if isinstance(estimate, Proportion) or (exact == 0 and estimate.mean == 0):
        return True
    if estimate.standard_error == 0:
        return False
    if estimate.skewness**2 * EVENTS > 1:
        return False
    return max(estimate.mean, exact) * estimate.mean >= EVENTS * estimate.standard_error**2


def rare_wins(figures: Mapping[str, Any]) -> dict[str, RareWin]:
    """The rare win in each figure that has one: the top prize in those of the round, the full grid in those of respins."""
    top = figures.get("top_prize")
    if not top:
        return {}
    of_round = RareWin(top["value"], top["probability"])
    found = dict.fromkeys(("rtp", "standard_deviation"), of_round)
    found["volatility_index_90"] = RareWin(VOLATILITY_90 * top["value"], top["probability"])
    respins = figures.get("features", {}).get("respins", {})
    if respins.get("probability"):
        found["features.respins.mean_win"] = RareWin(
            top["value"], top["probability"] / respins["probability"]
        )
    for name, row in figures.get("modifier_sets", {}).items():
        found[f"modifier_sets.{name}.mean_win"] = RareWin(top["value"], row["full_grid"])
    return found


def _probability(exact: float, estimate: Estimate, rare: RareWin | None) -> float:
    if isinstance(estimate, Proportion):
        return _binomial(exact / estimate.scale, estimate)
    if estimate.standard_error == 0:
        return float(estimate.mean == exact)
    if rare:
        return _with_rare(exact, estimate, rare)
    return student_two_tails((estimate.mean - exact) / estimate.standard_error, estimate.degrees)


def _with_rare(exact: float, estimate: Estimate, rare: RareWin) -> float:
    """Twice the smaller tail where a rare win comes k ~ Poisson(number x chance) times, beside a normal sum.

    The normal part's spread is the one seen, rare wins included where they were: too wide, never too narrow.
    """
    slope = 2 * estimate.mean if estimate.power == 2 else 1.0
    unit = rare.amount**estimate.power / estimate.number
    away = (estimate.mean**estimate.power - exact**estimate.power) / unit
    spread = slope * estimate.standard_error / unit
    expected = estimate.number * rare.chance
    reach = 40 * math.sqrt(expected) + 40
    low = high = 0.0
    for k in range(max(0, math.floor(expected - reach)), math.ceil(expected + reach) + 1):
        weight = (
            math.exp(k * math.log(expected) - expected - math.lgamma(k + 1)) if expected else float(k == 0)
        )
        score = (away - (k - expected)) / spread
        tail = weight * student_two_tails(score, estimate.degrees) / 2
        low += tail if score < 0 else weight - tail
        high += tail if score >= 0 else weight - tail
    return min(1.0, 2 * max(min(low, high), 0.0))


def _binomial(exact: float, estimate: Proportion) -> float:
    """Twice the smaller tail of the binomial law; by its score where counts are large."""
    if not 0 < exact < 1:
        return float(estimate.count == exact * estimate.trials)
    expected = exact * estimate.trials
    if min(expected, estimate.trials - expected) >= RARE:
        score = (estimate.count - expected) / math.sqrt(expected * (1 - exact))
        return student_two_tails(score, math.inf)
    return min(1.0, 2 * min(binomial_tails(estimate.count, estimate.trials, exact)))


def _averaged_binomial(exact: float, estimate: Proportion, error: float) -> float:
    """Twice the smaller tail of the binomial law, averaged over a normal law of its probability."""
    expected = exact * estimate.trials
    if min(expected, estimate.trials - expected) >= RARE:
        spread = math.hypot(math.sqrt(expected * (1 - exact)), estimate.trials * error)
        return student_two_tails((estimate.count - expected) / spread, math.inf)
    low = high = weights = 0.0
    for k in range(-AVERAGED, AVERAGED + 1):
        score = 8 * k / AVERAGED
        weight = math.exp(-(score**2) / 2)
        below, above = binomial_tails(
            estimate.count, estimate.trials, min(max(exact + score * error, 0.0), 1.0)
        )
        low, high, weights = low + weight * below, high + weight * above, weights + weight
    return min(1.0, 2 * min(low, high) / weights)


def verdict(
    exact: Mapping[str, float],
    estimates: Mapping[str, Estimate],
    level: float = LEVEL,
    rare: Mapping[str, RareWin] | None = None,
    errors: Mapping[str, float] | None = None,
) -> Verdict:
    """Compare the figures both sides name; ``rare`` are the rare wins in them, ``errors`` the own standard errors of the first.

    Holm: with the probabilities in rising order p_1 <= p_2 <= ..., p_i is rejected while p_i <= level / (m - i + 1).
    Raises ValueError if they share no name or no figure can be tested.
    """
    shared = [name for name in exact if name in estimates]
    if not shared:
        raise ValueError("exact and simulated figures must share a name, but share none")
    rare, errors = rare or {}, errors or {}
    tested = [name for name in shared if can_be_tested(float(exact[name]), estimates[name])]
    if not tested:
        raise ValueError(f"some figure must be common enough to test, but none of {', '.join(shared)} is")
    ordered = sorted(
        (compare(n, float(exact[n]), estimates[n], rare.get(n), errors.get(n, 0.0)) for n in tested),
        key=lambda c: c.probability,
    )
    rejected = []
    for i, comparison in enumerate(ordered):
        if comparison.probability > level / (len(ordered) - i):
            break
        rejected.append(comparison.name)
    untested = tuple(name for name in shared if name not in tested)
    return Verdict(tuple(ordered), tuple(rejected), untested)


def exact_table(game: GameDefinition, figures: Mapping[str, Any]) -> dict[str, float]:
    """The figures of ``evaluate --json`` by the names of the simulator's estimates.

    Nested numbers are joined by dots; combinations become lines hit a round, ladders probabilities a round.
    """
    found = dict(_numbers("", figures))
    for name, table in (("re_spins", "re_fortune"), ("free_spins", "free_fortune")):
        feature = figures.get("features", {}).get(name, {})
        for level, row in enumerate(feature.get("ladder", [])):
            for step, share in enumerate(row):
                found[f"{table}.{level + 1}.{step + 1}"] = share * feature["probability"]
    hits = _hits(game, "base", figures, 1.0)
    free = game.free_games
    if free:
        hits |= _hits(game, free.name, figures["spins"][free.name], figures["per_round"][free.name]["played"])
    return found | hits | dict(_square_without(figures))


def _hits(game: GameDefinition, spin: str, figures: Mapping[str, Any], spins: float) -> dict[str, float]:
    """Lines won a round by combination, in a kind of spin that is played ``spins`` times a round.

    Where winning symbols are collected the Wilds' own run is listed as the symbol it counts as.
    """
    hits: dict[str, float] = {}
    renamed = not is_line_game(game)
    for row in figures.get("combinations", []):
        symbol = game.symbols.wild if renamed and row.get("wilds_only") else row["symbol"]
        key = f"hits.{spin}.{symbol}.{row['count']}"
        lines = row.get("lines", len(game.lines))
        hits[key] = hits.get(key, 0.0) + spins * row["hits"] * lines / figures["cycle"]
    return hits


def _square_without(figures: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """The mean square of a round's win but for the full grid, which pays in place of all else (S-9)."""
    if "components.respins.full_grid" in dict(_numbers("", figures)):
        top = figures["top_prize"]
        square = figures["standard_deviation"] ** 2 + figures["rtp"] ** 2
        yield "square.without_full_grid", square - top["probability"] * top["value"] ** 2


def _numbers(prefix: str, table: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _numbers(f"{prefix}{key}.", value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield f"{prefix}{key}", float(value)
