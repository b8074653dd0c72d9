"""What a front is over, and in which direction each of it is better.

``rtp_error``
    how far the RTP is beyond its tolerance, always to be made small; a set off by more than 0.001 isn't looked at.
``hit_frequency``
    as ``evaluate`` gives it; the higher the better, or the lower.
``standard_deviation``
    of a round, in total bets: the volatility; the lower the better, or the higher.
``feature_share``
    1 - components.lines / rtp, the part of the RTP that isn't line wins of the base game; the higher the better, or the lower.

A target's value for what an objective is made of is what is traded, so it isn't held. Its ranges are, as everything else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.errors import TargetError, UsageError
from workbench.optimise.dominance import Costs
from workbench.optimise.preferences import NAMES, PREFERENCES, USUAL
from workbench.optimise.target import Target, look_up, misses

RTP, HITS, LINES = "rtp", "hit_frequency", "components.lines"
TRADED = (HITS, "standard_deviation", "volatility_index_90", LINES)
NEAR_RTP = 1e-3
# costs are told apart to the digits that two orders of summation agree on
DIGITS = 11

Values = dict[str, float]


@dataclass(frozen=True)
class Objectives:
    """The objectives of a target; ``signs`` by name: 1 where small is better, -1 where large is."""

    target: Target
    signs: Mapping[str, int]

    @classmethod
    def of(cls, target: Target, preferences: Sequence[str]) -> Objectives:
        """TargetError if the target gives the RTP no value; UsageError if two preferences go against each other."""
        wanted = target.figure(RTP)
        if wanted is None or wanted.value is None:
            raise TargetError("--objective pareto: the target must give 'rtp' a value")
        signs = dict(USUAL)
        asked: dict[str, str] = {}
        for preference in preferences:
            name, sign = PREFERENCES[preference]
            if asked.setdefault(name, preference) != preference:
                raise UsageError(f"--prefer: {asked[name]} and {preference} go against each other")
            signs[name] = sign
        return cls(target, signs)

    @property
    def freed(self) -> Target:
        """The target with what is traded left out: single values, not ranges."""
        kept = tuple(f for f in self.target.figures if f.figure not in TRADED or f.value is None)
        return self.target.model_copy(update={"figures": kept})

    def values(self, figures: Mapping[str, Any]) -> Values:
        """The objectives of a set, in their own units. UsageError if the game has no such figure."""
        wanted = self.target.figure(RTP)
        assert wanted is not None
        rtp, lines = _figure(figures, RTP), _figure(figures, LINES)
        return {
            "rtp_error": wanted.miss(rtp),
            "hit_frequency": _figure(figures, HITS),
            "standard_deviation": _figure(figures, "standard_deviation"),
            "feature_share": 1.0 - lines / rtp if rtp else 0.0,
        }

    def costs(self, values: Values) -> Costs:
        """The values with their signs, all to be made small."""
        return tuple(round(values[name] * self.signs[name], DIGITS) + 0.0 for name in NAMES)

    def holds(self, figures: Mapping[str, Any], known_only: bool) -> bool:
        """Whether a set may be on the front: every hard figure but the RTP holds, and the RTP is off by at most 0.001."""
        wanted = self.target.figure(RTP)
        assert wanted is not None
        hard = tuple(f for f in self.freed.figures if f.importance == "hard" and f.figure != RTP)
        near = wanted.miss(_figure(figures, RTP)) <= NEAR_RTP
        return near and not misses(self.target.model_copy(update={"figures": hard}), figures, known_only)


def _figure(figures: Mapping[str, Any], path: str) -> float:
    found = look_up(figures, path)
    if found is None:
        raise UsageError(f"--objective pareto: needs the figure {path}, which this game doesn't have")
    return found
