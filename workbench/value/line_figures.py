"""The figures of a line game's round by name: fractions, wins in total bets, plain JSON values."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import inf, sqrt
from typing import Any

from workbench.exact.line_rules import Award
from workbench.game.line_features import Bonus, ScatterPays
from workbench.value.figures import ROUNDING, one_in
from workbench.value.heading import heading
from workbench.value.line_round import LineRound, SpinValue, root
from workbench.value.spread import Spread, spread_figures

Figures = dict[str, Any]


def line_figures(value: LineRound, sha256: str | None = None) -> Figures:
    """All figures; ``sha256`` is that of the file the set was read from (None: of its canonical file)."""
    game = value.game
    found: Figures = {
        **heading(game, value.strips, sha256),
        "strategy": None,
        **{head: part for names in PARTS for head, part in names(value).items()},
        "error_bound": _error_bound(value),
    }
    return found


def _error_bound(value: LineRound) -> float:
    """Bound on |printed - true| of every figure, for those above 1 in parts of their size.

    Second moments have a relative error below ROUNDING: some 10^3 roundings of positive terms a reel. A deviation s from a
    mean square m is then off by at most m ROUNDING / s, or the root of m ROUNDING where s vanishes.
    """
    spins = [value.base, *([value.free] if value.free else [])]
    if all(spin.sums_are_exact for spin in spins):
        return ROUNDING
    squares = [(float(spin.square), root(spin.variance)) for spin in spins]
    squares.append((float(value.variance + value.rtp**2), value.standard_deviation))
    off = [min(m * ROUNDING / s if s else inf, sqrt(m * ROUNDING)) for m, s in squares]
    return max(ROUNDING, *off)


def returns(value: LineRound) -> Figures:
    """The RTP and its components, as numbers and as fractions."""
    parts = value.exact_components
    return {
        "rtp": float(value.rtp),
        "rtp_exact": _exact(value.rtp),
        "components": {name: float(part) for name, part in parts.items()},
        "components_exact": {name: _exact(part) for name, part in parts.items()},
        "lines_rtp_exact": _exact(value.base.components["lines"]),
        "cycle": value.base.spin.cycle,
    }


def hits(value: LineRound) -> Figures:
    """How often a paid spin pays anything, and how often a line."""
    base = value.base
    return {
        "hit_frequency": float(base.hit_frequency),
        "line_hit_frequency": float(base.line_hit_frequency),
        "hits": int(base.line_hit_frequency * base.spin.cycle),
    }


def _base_combinations(value: LineRound) -> Figures:
    return {"combinations": _combinations(value.base)}


def in_sight(value: LineRound) -> Figures:
    """The law of each mark's number in sight of a paid spin."""
    return {"in_sight": _in_sight(value.base)}


def _spread(value: LineRound) -> Figures:
    """Deviation, volatility index (90 %: 1.645) and where the RTP lies after N rounds, which are independent here."""
    return spread_figures(Spread(value.rtp, value.variance))


def _exact(number: Fraction) -> str:
    return f"{number.numerator}/{number.denominator}"


def _combinations(value: SpinValue) -> list[dict[str, Any]]:
    """Hits of every combination, best symbol first, longest run first; ``lines`` lines have them each."""
    spin, rows = value.spin, []
    for award, hits in sorted(spin.hits.hits.items(), key=_rank):
        row: dict[str, Any] = {
            "symbol": spin.combination(award),
            "count": award.length,
            "wilds_only": award.wild_only,
            "pay": award.coins,
            "hits": hits,
            "lines": spin.hits.lines,
            "rtp": hits * award.coins * spin.hits.lines / (spin.cycle * value.bet),
        }
        started = [bonus.name for bonus in spin.started(award)]
        if started:
            row["bonus"] = started
        if spin.spins(award):
            row["free_games"] = spin.spins(award)
        rows.append(row)
    return rows


def _rank(item: tuple[Award, int]) -> tuple[int, int, int]:
    award = item[0]
    return award.symbol, -award.length, -award.coins


def mark_names(value: SpinValue) -> tuple[str, ...]:
    """A name for each mark: its symbol, with its reels (from 1) where the symbol is counted on several sets of them."""
    symbols = [symbol for symbol, _ in value.spin.marks]
    return tuple(
        symbol if symbols.count(symbol) == 1 else f"{symbol} on {','.join(str(r + 1) for r in reels)}"
        for symbol, reels in value.spin.marks
    )


def _in_sight(value: SpinValue) -> dict[str, dict[str, float]]:
    laws = zip(mark_names(value), value.spin.in_sight, strict=True)
    return {name: {str(k): n / value.spin.cycle for k, n in enumerate(law)} for name, law in laws}


def _frequency(chance: float, won: float) -> Figures:
    return {"probability": chance, "one_in": one_in(chance), "mean_win": won / chance if chance else 0.0}


def features(value: LineRound) -> Figures:
    """Each feature's frequency and mean win."""
    base, found = value.base, dict[str, Figures]()
    by_sight = {name: (place, pays) for place, name, pays in base.spin.sight_pays}
    for feature in value.game.features:
        if isinstance(feature, ScatterPays):
            place, pays = by_sight[feature.name]
            chance = float(base.spin.by_sight(place, lambda k, p=pays: int(p(k) > 0)))  # type: ignore[misc]
            found[feature.name] = _frequency(chance, float(base.components[feature.name]))
        elif isinstance(feature, Bonus):
            chance = float(base.bonus_frequency(feature))
            found[feature.name] = _frequency(chance, float(base.components[feature.name]))
    if value.free and value.feature:
        chance = float(base.award_frequency)
        found[value.feature.name] = {
            **_frequency(chance, float(value.base.free_games * value.free_mean)),
            "spins": float(value.played) / chance if chance else 0.0,
            "awarded_per_round": float(base.free_games),
            "awarded_per_free_game": float(value.free.free_games),
        }
    return {"features": found}


def _spins(value: LineRound) -> Figures:
    """One paid spin's own win and one free game's own win."""
    found = {"base": _spin(value.base)}
    if value.free and value.feature:
        found[value.feature.name] = {
            **_spin(value.free),
            "retrigger_probability": float(value.free.award_frequency),
            "combinations": _combinations(value.free),
            "in_sight": _in_sight(value.free),
            "mean_win_with_retriggers": float(value.free_mean),
        }
    return {"spins": found}


def _spin(value: SpinValue) -> Figures:
    return {
        "mean_win": float(value.mean),
        "standard_deviation": root(value.variance),
        "hit_frequency": float(value.hit_frequency),
        "cycle": value.spin.cycle,
    }


def _top_prize(of: LineRound) -> Figures:
    """The largest win of one line in a paid spin, and how often some line of a spin wins it."""
    value = of.base
    top = max((award.coins for award in value.spin.hits.hits), default=0)
    if not top:
        return {"top_prize": None}
    chance = float(value.spin.some_line(lambda award: award.coins == top, {}))
    return {"top_prize": {"value": top / value.bet, "probability": chance, "one_in": one_in(chance)}}


def _per_round(value: LineRound) -> Figures:
    if value.feature is None:
        return {}
    return {"per_round": {value.feature.name: {"played": float(value.played)}}}


PARTS: tuple[Callable[[LineRound], Figures], ...] = (
    *(returns, hits, _base_combinations, in_sight, features),
    *(_spins, _spread, _top_prize, _per_round),
)
"""What the figures are put together from; each part by itself computes what it shows and no more."""
