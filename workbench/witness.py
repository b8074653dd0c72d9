"""Exact figures against simulated ones: who is wrong, and how sure we are.

Pure functions on names and numbers. A figure's z-score is that of its two-tailed probability under the exact value: from the binomial
law for counts, from Student's t for batch means. Holm's step-down test keeps the chance of any false accusation at
``LEVEL`` however many figures are compared and however they depend on each other. Means that rest on fewer than ``EVENTS``
independent contributions are far from normal, so they are listed as untested; counts are tested however rare.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.game import GameDefinition
from workbench.simulate.estimates import RARE, Estimate, Proportion
from workbench.simulate.intervals import binomial_tails, normal_score, student_two_tails

LEVEL = 0.01
EVENTS = 1000
"""At so many contributions a sum's skewness moves a tail of z = 4.5 by less than half its size."""


@dataclass(frozen=True)
class Comparison:
    """One figure both ways: ``probability`` is that of a difference at least this large if the exact value is right."""

    name: str
    exact: float
    estimate: Estimate
    probability: float

    @property
    def z(self) -> float:
        """The signed normal score; positive where the simulation is higher. At most some 38 in size, where probabilities end."""
        return math.copysign(normal_score(self.probability), self.estimate.mean - self.exact)

    def to_json(self) -> dict[str, Any]:
        """The comparison as a table."""
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


def compare(name: str, exact: float, estimate: Estimate) -> Comparison:
    """Test one figure against its exact value."""
    return Comparison(name, exact, estimate, _probability(exact, estimate))


def can_be_tested(exact: float, estimate: Estimate) -> bool:
    """Whether a figure can be tested: a count, or a mean of at least ``EVENTS`` contributions if the exact value is right.

    A mean of n rare independent contributions has (mean / standard error)^2 = n; under the exact value it would be
    n exact / mean. A standard error of 0 leaves nothing to test by, unless both are 0.
    """
    if isinstance(estimate, Proportion) or (exact == 0 and estimate.mean == 0):
        return True
    if estimate.standard_error == 0:
        return False
    return max(estimate.mean, exact) * estimate.mean >= EVENTS * estimate.standard_error**2


def _probability(exact: float, estimate: Estimate) -> float:
    if isinstance(estimate, Proportion):
        return _binomial(exact / estimate.scale, estimate)
    if estimate.standard_error == 0:
        return float(estimate.mean == exact)
    return student_two_tails((estimate.mean - exact) / estimate.standard_error, estimate.degrees)


def _binomial(exact: float, estimate: Proportion) -> float:
    """Twice the smaller tail of the binomial law; by its score where counts are large."""
    if not 0 < exact < 1:
        return float(estimate.count == exact * estimate.trials)
    expected = exact * estimate.trials
    if min(expected, estimate.trials - expected) >= RARE:
        score = (estimate.count - expected) / math.sqrt(expected * (1 - exact))
        return student_two_tails(score, math.inf)
    return min(1.0, 2 * min(binomial_tails(estimate.count, estimate.trials, exact)))


def verdict(exact: Mapping[str, float], estimates: Mapping[str, Estimate], level: float = LEVEL) -> Verdict:
    """Compare the figures both sides name.

    Holm: with the probabilities in rising order p_1 <= p_2 <= ..., p_i is rejected while p_i <= level / (m - i + 1).
    Raises ValueError if they share no name or no figure can be tested.
    """
    shared = [name for name in exact if name in estimates]
    if not shared:
        raise ValueError("exact and simulated figures must share a name, but share none")
    tested = [name for name in shared if can_be_tested(float(exact[name]), estimates[name])]
    if not tested:
        raise ValueError(f"some figure must be common enough to test, but none of {', '.join(shared)} is")
    ordered = sorted((compare(n, float(exact[n]), estimates[n]) for n in tested), key=lambda c: c.probability)
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
    hits: dict[str, float] = {}
    for row in figures.get("combinations", []):
        symbol = game.symbols.wild if row.get("wilds_only") else row["symbol"]
        key = f"hits.base.{symbol}.{row['count']}"
        hits[key] = hits.get(key, 0.0) + row["hits"] * len(game.lines) / figures["cycle"]
    return found | hits


def _numbers(prefix: str, table: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _numbers(f"{prefix}{key}.", value)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield f"{prefix}{key}", float(value)
