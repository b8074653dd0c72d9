"""The figures of a strip set as the contract names them: fractions, wins in total bets, plain JSON values."""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.exact.line_hits import LineHits
from workbench.features.keys import Solution
from workbench.game.definition import GameDefinition
from workbench.prob.product_chain import Array
from workbench.value.heading import heading
from workbench.value.key_moments import deviation, key_moments
from workbench.value.policy_figures import UNLISTED, optimal_policy
from workbench.value.round import RoundValue, bank_law, default_strategy, strategies
from workbench.value.spread import Spread, spread_figures

NEW_PLAYER_ROUNDS = (1_000, 10_000, 100_000, 1_000_000)
# Every figure is a sum of at most some 10^4 positive terms of total size below 10, each a product of at most some
# hundred factors rounded to 2^-53.
ROUNDING = 1e-12

Figures = dict[str, Any]


def figures(value: RoundValue, strategy: str | None = None, sha256: str | None = None) -> Figures:
    """All exact figures under a strategy (the game's default if None).

    ``sha256`` is that of the file the set was read from; without it that of the canonical file.
    """
    game, strips = value.game, value.strips
    strategy = strategy or default_strategy(game)
    solution = value.solution(strategy)
    components = value.components(strategy)
    found: Figures = {
        **heading(game, strips, sha256),
        "rtp": sum(components.values()),
        "strategy": strategy,
        "components": components,
        "lines_rtp_exact": f"{value.lines.rtp.numerator}/{value.lines.rtp.denominator}",
        "cycle": value.lines.cycle,
        "hit_frequency": value.spins.hit_frequency,
        "hits": value.spins.hits,
        "combinations": combinations(game, value.lines),
        "features": _features(value, solution, components),
    }
    if game.banked_keys:
        found["strategies"] = {name: value.rtp(name) for name in strategies(game)}
        found["advertised_shortfall"] = found["strategies"]["optimal"] - found["strategies"]["advertised"]
        found["optimal_policy"] = optimal_policy(value)
        found["keys"] = keys_figures(value, solution)
        found["autoplay_cost"] = _autoplay_cost(found["strategies"])
        found["new_player"] = _new_player(value, solution)
    found |= spread_of(value, solution, found["rtp"])
    found["top_prize"] = top_prize(value, solution)
    found["error_bound"] = error_bound(value, solution)
    return found


def spread_of(value: RoundValue, solution: Solution, rtp: float) -> Figures:
    """Deviations, volatility index, tolerance; nothing where re-spins spin whole strips."""
    moments = key_moments(value)
    if moments is None:
        return {}
    found = deviation(value, moments, solution)
    long_run = Spread(rtp, found.long_run**2) if value.game.banked_keys else None
    return spread_figures(Spread(rtp, found.round**2), long_run)


def combinations(game: GameDefinition, lines: LineHits) -> list[dict[str, Any]]:
    """Hits of every combination on one line over the cycle, best symbol first, longest run first."""
    rows = []
    ordered = sorted(lines.hits.items(), key=lambda item: (item[0].symbol, -item[0].length))
    for award, hits in ordered:
        share = hits * award.coins * lines.lines / (lines.cycle * lines.bet)
        rows.append(
            {
                "symbol": game.symbols.all[award.symbol],
                "count": award.length,
                "wilds_only": award.wild_only,
                "pay": award.coins,
                "hits": hits,
                "rtp": share,
            }
        )
    return rows


def one_in(probability: float) -> float | None:
    """1 / p for display; None where p is 0."""
    return 1.0 / probability if probability > 0 else None


def _features(value: RoundValue, solution: Solution, components: dict[str, float]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    game = value.game
    if game.hold_and_spin and value.hold:
        name, chance = game.hold_and_spin.name, value.hold.probability
        won = components[f"{name}.lines"] + components[f"{name}.{game.hold_and_spin.ladder}"]
        keys = value.key_game.law.sum(axis=(0, 1))
        found[name] = {
            **_frequency(chance, won),
            "re_spins": value.hold.re_spins / chance if chance else 0.0,
            "with_free_spins": float(value.hold.ladder[1].sum()),
            "keys": _trimmed(keys / chance) if chance else [],
            "ladder": (hold_ladder(value, solution) / chance).tolist() if chance else [],
        }
    if game.free_spins and value.free:
        name, chance = game.free_spins.name, value.free_probability
        won = components[f"{name}.lines"] + components[f"{name}.{game.free_spins.ladder}"]
        law = used_law(value, solution)
        found[name] = {
            **_frequency(chance, won),
            "spins": value.free.spins,
            "used_keys": (law / chance).tolist() if chance else [],
            "fortune_wins_by_used_keys": value.free.fortune_wins.tolist(),
            "ladder": (free_ladder(value, solution) / chance).tolist() if chance else [],
            "ladder_by_used_keys": value.free.ladder.tolist(),
        }
    return found


def _frequency(chance: float, won: float) -> dict[str, Any]:
    return {
        "probability": chance,
        "one_in": one_in(chance),
        "mean_win": won / chance if chance else 0.0,
    }


def _trimmed(law: Array) -> list[float]:
    """A law without the trailing entries that are zero in print."""
    above = np.flatnonzero(law > UNLISTED)
    return [float(p) for p in law[: above[-1] + 1]] if len(above) else []


def hold_ladder(value: RoundValue, solution: Solution) -> Array:
    """(levels, steps): P(the hold-and-spin's prize is that of level and step) a round, under the policy."""
    feature = value.game.hold_and_spin
    assert feature and value.hold
    levels = value.game.ladder(feature.ladder).levels
    law = value.key_game.law
    saving, using = (
        np.tensordot(bank_law(solution), choices, axes=1)
        for choices in (solution.policy.save, 1.0 - solution.policy.save)
    )
    found = np.zeros((levels, law.shape[1]))
    bank = value.game.banked_keys
    for k in range(law.shape[2]):
        level = min(feature.start_level + k, levels)
        found[level - 1] += (law[:, :, k] * using[:, :, k]).sum(axis=0)
        if bank:
            found[bank.saved_level - 1] += (law[:, :, k] * saving[:, :, k]).sum(axis=0)
    return found


def used_law(value: RoundValue, solution: Solution) -> Array:
    """(U + 1,): P(Free Spins begin with u used Keys) a round."""
    game, policy = value.key_game, solution.policy
    bank = bank_law(solution)
    last, keys = len(bank) - 1, game.law.shape[2]
    begun = np.zeros(last + keys)
    begun[: last + 1] += bank * (game.free_spins - game.law[1].sum())
    for b in np.flatnonzero(bank).tolist():
        for k in range(keys):
            begun[b + k] += bank[b] * float(game.law[1, policy.save[b, 1, :, k], k].sum())
            begun[b] += bank[b] * float(game.law[1, ~policy.save[b, 1, :, k], k].sum())
    law = np.zeros(game.most_used + 1)
    for b, chance in enumerate(begun):
        uses = b > 0 and policy.use[min(b, last)]
        law[min(b, game.most_used) if uses else 0] += chance
    return law


def free_ladder(value: RoundValue, solution: Solution) -> Array:
    """(levels, steps): P(Free Spins' prize is that of level and step) a round, under the policy."""
    assert value.free
    return np.asarray(np.tensordot(used_law(value, solution), value.free.ladder, axes=1))


def top_prize(value: RoundValue, solution: Solution) -> dict[str, Any] | None:
    """The largest ladder prize and how often a round awards it, both features together."""
    game = value.game
    parts = []
    if game.hold_and_spin and value.hold:
        parts.append((game.hold_and_spin.ladder, hold_ladder(value, solution)))
    if game.free_spins and value.free:
        parts.append((game.free_spins.ladder, free_ladder(value, solution)))
    tables = [(np.array(game.ladder(name).table), law) for name, law in parts]
    if not tables:
        return None
    top = max(float(table.max()) for table, _ in tables)
    chance = float(sum(law[table == top].sum() for table, law in tables))
    return {"value": top, "probability": chance, "one_in": one_in(chance)}


def keys_figures(value: RoundValue, solution: Solution) -> dict[str, Any]:
    """Worth of a banked Key in bets, Keys won and saved a round, the load, the mean bank."""
    game = value.key_game
    uses = game.most_used * game.free_spins
    return {
        "value": game.key_value,
        "won_per_round": game.keys_won,
        "saved_per_round": solution.saved,
        "load": solution.saved / uses if uses else None,
        "mean_banked": solution.mean_bank,
    }


def _autoplay_cost(rtp: dict[str, float]) -> dict[str, float]:
    """What each of the four autoplay presets gives away against the optimum, in RTP."""
    presets = {
        "save, use": rtp["always-save-use-at-1"],
        "save, never use": rtp["save-never-use"],
        "use at once, use": rtp["never-save"],
        "use at once, never use": rtp["never-save"],
    }
    return {name: rtp["optimal"] - found for name, found in presets.items()}


def _new_player(value: RoundValue, solution: Solution) -> dict[str, float]:
    """RTP over the first N rounds of a player who starts with an empty bank."""
    early = solution.early_gains(NEW_PLAYER_ROUNDS)
    return {str(n): value.fixed + gain for n, gain in zip(NEW_PLAYER_ROUNDS, early, strict=True)}


def error_bound(value: RoundValue, solution: Solution) -> float:
    """Bound on |printed - true| of every exact figure: rounding, the lost Key tail, the decision process."""
    lost = 0.0
    if value.hold and value.game.hold_and_spin:
        largest = max(max(row) for row in value.game.ladder(value.game.hold_and_spin.ladder).table)
        lost = value.hold.lost * (largest + value.key_game.key_value * value.hold.ladder.shape[2])
        # a deviation of some bets errs by what is lost of its square, over twice itself
        lost = max(lost, value.hold.lost * largest**2 / 2)
    return float(f"{ROUNDING + lost + solution.error:.1e}") * 1.1


def assumptions(game: GameDefinition) -> list[dict[str, Any]]:
    """The readings in force: id, what the default says, and the settings' values."""
    return [
        {"id": r.id, "says": r.says, "settings": {path: str(game.setting(path)) for path in r.settings}}
        for r in game.readings
    ]
