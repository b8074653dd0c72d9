"""Exact figures of sessions against played ones.

The figures of ``session --json`` by name, each tested as :mod:`workbench.witness` tests those of a round; the mean as that of
all wins of a session. A percentile q of a share p is right if at most p of sessions end below it and at least p end no
better: where that holds of those played it is in full agreement, else the nearer of the two shares is tested against p.

Where figures are estimated each has a 99 % interval beside it; the longer of its sides over 2.576 is taken for its standard
error, which adds to that of the play. A percentile's is that of the share of sessions that end no better than it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from workbench.simulate.estimates import Estimate
from workbench.simulate.session_figures import SessionFigures
from workbench.simulate.sessions import PlayedSessions
from workbench.value.estimated import NORMAL_99
from workbench.witness import LEVEL, Verdict, verdict

TABLES = ("loses_more_than", "wins_at_least", "percentiles", "dry_spell")


@dataclass(frozen=True)
class SessionVerdict:
    """The verdict on the figures of sessions, and the percentiles as they were played."""

    played: PlayedSessions
    verdict: Verdict
    percentiles: Mapping[str, Any]

    @property
    def agrees(self) -> bool:
        """Whether no figure is rejected."""
        return self.verdict.agrees

    @property
    def text(self) -> str:
        """The verdict in one line."""
        plan, worst = self.played.plan, self.verdict.worst
        known = "estimated" if worst.error else "exact"
        return (
            f"{plan.sessions} sessions of a {plan.start}, seed {plan.seed}: {len(self.verdict.comparisons)} figures"
            f" compared, {len(self.verdict.rejected)} disagree, worst {worst.name} with z = {worst.z:.2f}"
            f" ({known} {worst.exact:.9g}, simulated {worst.estimate.mean:.9g})"
        )

    def to_json(self) -> dict[str, Any]:
        """The verdict as a table."""
        plan = self.played.plan
        return {
            "sessions": plan.sessions,
            "rounds": plan.rounds,
            "seed": plan.seed,
            "start": str(plan.start),
            **self.verdict.to_json(),
            "percentiles": dict(self.percentiles),
        }


def session_verdict(
    figures: Mapping[str, Any], played: PlayedSessions, level: float = LEVEL
) -> SessionVerdict:
    """Hold the figures of ``session --json`` against played sessions of as many rounds; Holm's test at ``level``."""
    if figures["rounds"] != played.plan.rounds:
        raise ValueError(f"sessions must be of {figures['rounds']} rounds, but got {played.plan.rounds}")
    found = SessionFigures(played)
    exact = exact_sessions(figures)
    estimates = {name: _estimate(found, figures, name) for name in exact}
    percentiles = {p: found.percentile(float(p) / 100).to_json() for p in figures.get("percentiles", {})}
    judged = verdict(exact, estimates, level, None, session_errors(figures))
    return SessionVerdict(played, judged, percentiles)


def exact_sessions(figures: Mapping[str, Any]) -> dict[str, float]:
    """The exact figures by the names they are compared under; chances are cut to 0 .. 1, percentiles are their shares."""
    found: dict[str, float] = {
        "mean_win": figures["mean"] + figures["rounds"],
        "standard_deviation": figures["standard_deviation"],
    }
    chances = {name: figures[name] for name in ("ahead", "even_or_ahead")}
    for table in TABLES:
        for level, value in figures.get(table, {}).items():
            chances[f"{table}.{level}"] = float(level) / 100 if table == "percentiles" else value
    if "bankroll" in figures:
        chances["bankroll.lasts"] = figures["bankroll"]["lasts"]
    return found | {name: min(max(chance, 0.0), 1.0) for name, chance in chances.items()}


def session_errors(figures: Mapping[str, Any]) -> dict[str, float]:
    """The standard errors of estimated figures by the names they are compared under; none where all are exact."""
    if "estimated" not in figures:
        return {}
    found = {
        "mean_win": _error(figures["mean"], figures["mean_interval_99"]),
        "standard_deviation": _error(
            figures["standard_deviation"], figures["standard_deviation_interval_99"]
        ),
    }
    for name in ("ahead", "even_or_ahead"):
        found[name] = _error(figures[name], figures[f"{name}_interval_99"])
    for table in TABLES:
        if table == "percentiles":
            continue
        for level, interval in figures[f"{table}_interval_99"].items():
            found[f"{table}.{level}"] = _error(figures[table][level], interval)
    for level, (low, high) in figures["percentiles_share_interval_99"].items():
        found[f"percentiles.{level}"] = (high - low) / 2 / NORMAL_99
    if "bankroll" in figures:
        row = figures["bankroll"]
        found["bankroll.lasts"] = _error(row["lasts"], row["lasts_interval_99"])
    return found


def _error(value: float, interval: Sequence[float]) -> float:
    low, high = interval
    return max(high - value, value - low) / NORMAL_99


def _estimate(found: SessionFigures, figures: Mapping[str, Any], name: str) -> Estimate:
    """What was played of the figure of a name."""
    head, _, level = name.partition(".")
    match head:
        case "mean_win":
            return found.mean_win()
        case "standard_deviation":
            return found.standard_deviation()
        case "ahead":
            return found.more_than(Fraction(0))
        case "even_or_ahead":
            return found.at_least(Fraction(0))
        case "loses_more_than":
            return found.less_than(-Fraction(level))
        case "wins_at_least":
            return found.at_least(Fraction(level))
        case "dry_spell":
            return found.dry_spell(int(level))
        case "percentiles":
            net = round(Fraction(figures["percentiles"][level]) * found.played.units)
            return found.up_to(float(level) / 100, Fraction(net, found.played.units))
        case "bankroll":
            return found.lasts(Fraction(str(figures["bankroll"]["bets"])))
    raise ValueError(f"no figure of sessions is named {name!r}")
