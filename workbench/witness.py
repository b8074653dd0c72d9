"""Exact figures against simulated ones: who is wrong, and how sure we are.

Pure functions on names and numbers. A figure's z-score is that of its two-tailed probability under the exact value: from the binomial
law for counts, from Student's t for batch means. Holm's step-down test keeps the chance of any false accusation at
``LEVEL`` however many figures are compared and however they depend on each other.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.simulate.estimates import RARE, Estimate, Proportion
from workbench.simulate.intervals import binomial_tails, normal_score, student_two_tails

LEVEL = 0.01


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
    """All comparisons, the unlikeliest first, and the names of those Holm's test rejects at 1 %."""

    comparisons: tuple[Comparison, ...]
    rejected: tuple[str, ...]

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
            "worst": {"name": self.worst.name, **self.worst.to_json()},
            "figures": {c.name: c.to_json() for c in self.comparisons},
        }


def compare(name: str, exact: float, estimate: Estimate) -> Comparison:
    """Test one figure against its exact value."""
    return Comparison(name, exact, estimate, _probability(exact, estimate))


def _probability(exact: float, estimate: Estimate) -> float:
    if isinstance(estimate, Proportion):
        return _binomial(exact, estimate)
    difference = estimate.mean - exact
    if estimate.standard_error == 0:
        return float(math.isclose(estimate.mean, exact, rel_tol=1e-12, abs_tol=1e-12))
    return student_two_tails(difference / estimate.standard_error, estimate.degrees)


def _binomial(exact: float, estimate: Proportion) -> float:
    """Twice the smaller tail of the binomial law; by its score where counts are large."""
    if not 0 < exact < 1:
        return float(estimate.mean == exact)
    expected = exact * estimate.trials
    if min(expected, estimate.trials - expected) >= RARE:
        score = (estimate.count - expected) / math.sqrt(expected * (1 - exact))
        return student_two_tails(score, math.inf)
    return min(1.0, 2 * min(binomial_tails(estimate.count, estimate.trials, exact)))


def verdict(exact: Mapping[str, float], estimates: Mapping[str, Estimate], level: float = LEVEL) -> Verdict:
    """Compare the figures both sides name.

    Holm: with the probabilities in rising order p_1 <= p_2 <= ..., p_i is rejected while p_i <= level / (m - i + 1).
    Raises ValueError if they share no name.
    """
    shared = [name for name in exact if name in estimates]
    if not shared:
        raise ValueError("exact and simulated figures must share a name, but share none")
    ordered = sorted((compare(n, float(exact[n]), estimates[n]) for n in shared), key=lambda c: c.probability)
    rejected = []
    for i, comparison in enumerate(ordered):
        if comparison.probability > level / (len(ordered) - i):
            break
        rejected.append(comparison.name)
    return Verdict(tuple(ordered), tuple(rejected))
