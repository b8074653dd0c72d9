"""What a round is worth: components that sum to the whole.

    rtp = lines + hold-and-spin lines + hold-and-spin prizes + free-spins lines + free-spins prizes

The lines' parts are the player's whatever he does; the ladder prizes of both features are the gain of his policy
(:mod:`workbench.features.keys`). Everything is per round and in total bets.

An :class:`Evaluator` computes each part from what it depends on alone and keeps it: a wheel's weight moves no line
hit, a position reel no Free Spins.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from workbench.errors import UsageError
from workbench.exact.line_hits import LineHits, line_hits
from workbench.exact.spin import SpinCounts, TriggerLaw, count_spins, spin_model, trigger_law
from workbench.features.free_spins import (
    FreeSpinsTables,
    FreeSpinsValue,
    free_spins_tables,
    free_spins_value,
)
from workbench.features.hold_and_spin import HoldLaw, hold_law
from workbench.features.keys import NAMED, KeyGame, Solution, evaluate_policy, optimal, worst
from workbench.game.definition import GameDefinition
from workbench.game.features import FreeSpins, HoldAndSpin
from workbench.prob.product_chain import Array
from workbench.reels.strip_set import StripSet
from workbench.value.kept_parts import KeptParts

# numbers of Keys less likely than this a round are left out of the player's decisions
NO_KEYS = 1e-18


@dataclass(frozen=True)
class HoldValue:
    """Hold-and-spin a round: the law of its end and the lines paid on the final board.

    ``ladder`` (2, steps, K): P(Free Spins follow or not, step, Keys); ``line_win`` in total bets; ``re_spins`` expected.
    """

    ladder: Array
    line_win: float
    re_spins: float
    lost: float

    @property
    def probability(self) -> float:
        """P(hold-and-spin) a round."""
        return float(self.ladder.sum())


@dataclass(frozen=True)
class RoundValue:
    """One strip set's exact worth. ``spins`` and ``starts`` are the joint law of the base spin."""

    game: GameDefinition
    strips: StripSet
    lines: LineHits
    spins: SpinCounts
    hold: HoldValue | None
    free: FreeSpinsValue | None
    free_tables: FreeSpinsTables | None
    free_probability: float

    @cached_property
    def key_game(self) -> KeyGame:
        """The decisions about Keys; a game without banked Keys has no choice and uses them at once."""
        hold, free, bank = self.game.hold_and_spin, self.game.free_spins, self.game.banked_keys
        prizes = np.zeros(2) if self.free is None else self.free.fortune_wins
        if hold is None or self.hold is None:
            return KeyGame(np.zeros((2, 1, 1)), np.zeros((1, 1)), np.zeros(1), self.free_probability, prizes)
        table = np.array(self.game.ladder(hold.ladder).table)
        law = self.hold.ladder
        law = law[:, :, : int(np.flatnonzero(law.sum(axis=(0, 1)) > NO_KEYS)[-1:].sum()) + 1]
        levels = np.minimum(hold.start_level + np.arange(law.shape[2]), len(table)) - 1
        saved = table[bank.saved_level - 1] if bank else table[hold.start_level - 1]
        free_probability = self.free_probability if free else 0.0
        return KeyGame(law, table[levels].T, saved, free_probability, prizes)

    @property
    def fixed(self) -> float:
        """What a round returns apart from ladder prizes."""
        hold = self.hold.line_win if self.hold else 0.0
        free = self.free_probability * self.free.line_win if self.free else 0.0
        return float(self.lines.rtp) + hold + free

    def solution(self, strategy: str | None) -> Solution:
        """The player's strategy, evaluated (named ones) or solved (worst, optimal); UsageError if unknown."""
        return self._solutions(strategy)

    def rtp(self, strategy: str | None) -> float:
        """Long-run RTP of a strategy."""
        return self.fixed + self.solution(strategy).gain

    def components(self, strategy: str | None) -> dict[str, float]:
        """The RTP by source, in the contract's names."""
        found = {"lines": float(self.lines.rtp)}
        solution = self.solution(strategy)
        if self.game.hold_and_spin and self.hold:
            name = self.game.hold_and_spin.name
            found[f"{name}.lines"] = self.hold.line_win
            found[f"{name}.{self.game.hold_and_spin.ladder}"] = solution.hold_and_spin
        if self.game.free_spins and self.free:
            name = self.game.free_spins.name
            found[f"{name}.lines"] = self.free_probability * self.free.line_win
            found[f"{name}.{self.game.free_spins.ladder}"] = solution.free_spins
        return found

    @cached_property
    def _cache(self) -> dict[str | None, Solution]:
        return {}

    def _solutions(self, strategy: str | None) -> Solution:
        if strategy not in self._cache:
            self._cache[strategy] = self._solve(strategy)
        return self._cache[strategy]

    def _solve(self, strategy: str | None) -> Solution:
        if strategy is None:
            return evaluate_policy(self.key_game, NAMED["never-save"])
        known = strategies(self.game)
        if strategy not in known:
            raise UsageError(f"strategy: must be one of {', '.join(known)}, but got {strategy!r}")
        if strategy == "optimal":
            return optimal(self.key_game)
        if strategy == "worst":
            return worst(self.key_game)
        return evaluate_policy(self.key_game, NAMED[strategy])


def bank_law(solution: Solution) -> Array:
    """Law of the bank at the start of a round; far out where there is no stationary one."""
    if solution.bank is not None:
        return solution.bank
    law = np.zeros(len(solution.policy.use))
    law[-1] = 1.0
    return law


def strategies(game: GameDefinition) -> tuple[str, ...]:
    """The strategies every report shows; none for a game without choices."""
    return ("worst", "optimal", *NAMED) if game.banked_keys else ()


def default_strategy(game: GameDefinition) -> str | None:
    """The strategy whose RTP is printed when none is named."""
    return "optimal" if game.banked_keys else None


class Evaluator:
    """Evaluates strip sets of one game, keeping the parts that a change leaves alone."""

    def __init__(self, game: GameDefinition) -> None:
        self.game = game
        self._kept = KeptParts()

    def __call__(self, strips: StripSet) -> RoundValue:
        """The exact worth of a strip set; raises what its parts raise (StripSetError, EndlessFeatureError)."""
        game, base = self.game, strips.reels["base"]
        hold_feature, free_feature = game.hold_and_spin, game.free_spins
        lines = self._kept.part(("lines", base), lambda: line_hits(game, base))
        spins, starts = self._kept.part(("spin", base), lambda: self._spin(strips))
        hold = free = tables = None
        chance = 0.0
        if hold_feature:
            feature = hold_feature
            key = ("hold", base, *_spun(feature, strips))
            hold = self._kept.part(key, lambda: self._hold(feature, strips, starts))
        if free_feature:
            tables = self.free_tables(free_feature, strips)
            used = game.banked_keys.use_at_most if game.banked_keys else 1
            free = free_spins_value(game, free_feature, strips, tables, used)
            chance = spins.scatters_at_least(free_feature.trigger.least) / spins.cycle
        return RoundValue(game, strips, lines, spins, hold, free, tables, chance)

    def free_tables(self, feature: FreeSpins, strips: StripSet) -> FreeSpinsTables:
        """Free Spins by collectable and spins, kept by their strips."""
        reels = tuple((n, r) for n, r in strips.reels.items() if n.split(".")[0] == feature.reels)
        return self._kept.part(("free", reels), lambda: free_spins_tables(self.game, feature, strips))

    def _spin(self, strips: StripSet) -> tuple[SpinCounts, TriggerLaw | None]:
        game = self.game
        windows = spin_model(game).windows(strips.reels["base"])
        triggers = [f.trigger for f in (game.hold_and_spin, game.free_spins) if f]
        most = max((t.least for t in triggers), default=0)
        symbol, on = (triggers[0].symbol, triggers[0].reels) if triggers else ("", ())
        scatters = windows.scatters(symbol, on)
        counts = count_spins(windows, scatters, most)
        if game.hold_and_spin is None:
            return counts, None
        hold = game.hold_and_spin
        return counts, trigger_law(
            windows, scatters, hold.trigger, most, hold.wild_only_lines == "last-resort"
        )

    def _hold(self, feature: HoldAndSpin, strips: StripSet, starts: TriggerLaw | None) -> HoldValue:
        assert starts is not None
        ladder = self.game.ladder(feature.ladder)
        free = self.game.free_spins
        follows = (
            starts.scatters >= free.trigger.least if free else np.zeros(len(starts.scatters), dtype=bool)
        )
        mass = starts.weight / starts.cycle
        law: HoldLaw = hold_law(self.game, feature, strips, starts, [mass * ~follows, mass * follows])
        return HoldValue(
            ladder=np.moveaxis(law.ladder(feature.meter.per_step, ladder.steps), 2, 0),
            line_win=float(mass @ law.line_coins) / self.game.bet.coins,
            re_spins=float(law.re_spins.sum()),
            lost=law.lost,
        )


def _spun(feature: HoldAndSpin, strips: StripSet) -> tuple[Hashable, ...]:
    """What the re-spins of a strip set depend on."""
    if feature.spun == "strips":
        return (strips.reels[feature.name],)
    return (strips.position_reels[feature.name],)


def evaluate(game: GameDefinition, strips: StripSet) -> RoundValue:
    """The exact worth of one strip set."""
    return Evaluator(game)(strips)
