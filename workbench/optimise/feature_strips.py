"""Free strips, wheels and position reels on given base strips.

Hold-and-spin depends on the base strips and the two weights of the position reels only, so it is tabulated once over
these (:mod:`workbench.optimise.hold_table`), and every proposal's weights are read off the table: the study is left
with what can't be solved, the worth of a Key, the load, the odds of the top prize. The best proposal's weights
are then mended on the exact value.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from workbench.errors import EndlessFeatureError, StripSetError, TargetError
from workbench.features.free_spins import FreeSpinsValue, free_spins_tables, free_spins_value
from workbench.features.keys import closed_form
from workbench.game.definition import GameDefinition
from workbench.optimise.base_strips import base_figures, base_figures_of, broken_rules
from workbench.optimise.context import FAR, Run
from workbench.optimise.drafts import (
    CELL_TOTAL,
    assemble,
    free_reels_of,
    free_space,
    position_stage,
    wheels_of,
)
from workbench.optimise.hold_table import KEY_SHARES, SHARES, TABLE_KEYS, HoldTable
from workbench.optimise.study import Trial, Values, run_study
from workbench.optimise.target import score
from workbench.prob.product_chain import Array
from workbench.reels.strip_set import Reels, StripSet
from workbench.value.figures import keys_figures, top_prize
from workbench.value.round import Evaluator, RoundValue

WORST, BEST = "strategies.worst", "rtp"
FITTING = 0.01
# what fits no weights scores from here on; where so many trials found nothing better, nothing is hoped for
ROUGH = 10.0
ENOUGH_ROUGH = 120
BROKEN = 0.2
POOL = 64
# a study goes some way below the least of a pool
BELOW_POOL = 0.75
FITTED = 3
DEFAULT_GAP = 0.06
SHOWN = ("worst", "optimal", "advertised", "always-save-use-at-1")


def key_figures(value: RoundValue) -> dict[str, Any]:
    """The figures a trial is judged by: those of ``figures`` that the target may name, without the long ones."""
    best = value.solution("optimal")
    rtp = {name: value.rtp(name) for name in SHOWN}
    used = np.flatnonzero(best.policy.use)
    return {
        **base_figures_of(value),
        "rtp": rtp["optimal"],
        "strategies": rtp,
        "advertised_shortfall": rtp["optimal"] - rtp["advertised"],
        "optimal_policy": {"use_at": int(used[0]) if len(used) else None},
        "keys": keys_figures(value, best),
        "top_prize": top_prize(value, best),
    }


@dataclass(frozen=True)
class FeatureSearch:
    """Free strips, wheels and position reels on given base strips."""

    run: Run
    base: Reels

    @property
    def game(self) -> GameDefinition:
        """The game."""
        return self.run.game

    def found(self) -> list[StripSet]:
        """The best proposals of the study, best first, their position reels read off the table."""
        table = self.table()

        def objective(number: int, values: Values) -> float:
            try:
                return self.distance(self.draft(number, values), table)
            except (EndlessFeatureError, StripSetError):
                return FAR

        found = run_study(
            free_space(self.game),
            objective,
            self.run.settings_for("features", self.base),
            met=FITTING,
            on_trial=self.run.report("features"),
            hopeless=_only_rough,
        )
        best = sorted(found, key=lambda t: (t.score, t.number))
        fit = [t for t in best[:FITTED] if t.score < ROUGH] or best[:1]
        return [self.guessed(self.draft(t.number, t.values), table)[0] for t in fit]

    def table(self) -> HoldTable:
        """Hold-and-spin over the grid; the free strips and wheels play no part in it."""
        evaluator = Evaluator(self.game)
        low, laws = [], []
        for i, p in enumerate(SHARES):
            for q in KEY_SHARES:
                value = self._with_shares(evaluator, p, q)
                low.append(_saved(value))
                laws.append(_ladder(value)[:, :TABLE_KEYS])
            self.run.progress("re-spins", i + 1, len(SHARES), 0.0)
        shape = (len(SHARES), len(KEY_SHARES))
        keys = value.key_game
        extra = keys.used_prize[:, :TABLE_KEYS] - keys.saved_prize[:, None]
        return HoldTable(np.array(low).reshape(shape), np.array(laws).reshape(*shape, *laws[0].shape), extra)

    def lacking(self, least: float) -> float:
        """How many bets a round the base strips leave too few for the features at their poorest.

        Lines, hold-and-spin of the least shares and Free Spins worth ``least`` are what the worst play returns at the least.
        """
        best, worst = self._wanted()
        held = _saved(self._with_shares(Evaluator(self.game), SHARES[0], KEY_SHARES[0]))
        chance, lines = self._at_base
        return max(0.0, lines + held + chance * least - (best - DEFAULT_GAP if worst is None else worst))

    def least_paid(self) -> float:
        """The least that Free Spins without Keys are worth among drafts whose Keys are worth what the target asks."""
        wanted = self.run.target.figure("keys.value")
        value = wanted.range[0] if wanted else 0.0
        found = [self._worth(number) for number in range(POOL)]
        return BELOW_POOL * min((paid for paid, key in found if key >= value), default=0.0)

    def _worth(self, number: int) -> tuple[float, float]:
        """(Free Spins without Keys, a Key) of a random draft, in bets."""
        rng = self.run.rng("pool", number)
        values = {
            p.name: rng.randint(int(p.low), int(p.high)) if p.whole else rng.uniform(p.low, p.high)
            for p in free_space(self.game)
        }
        try:
            worth = self._free_only(self.draft(number, values))
        except (EndlessFeatureError, StripSetError):
            return 0.0, -math.inf
        prizes = worth.fortune_wins
        return worth.line_win + float(prizes[0]), float(prizes[-1] - prizes[0]) / (len(prizes) - 1)

    def _with_shares(self, evaluator: Evaluator, p: float, q: float) -> RoundValue:
        """The value of a draft whose position reels have these shares."""
        hold = self.game.hold_and_spin
        assert hold is not None
        stages = position_stage(self.game, cell_weight(p), cell_weight(q))
        strips = self.draft(0, {p.name: p.low for p in free_space(self.game)})
        return evaluator(strips.with_position_reels(hold.name, stages))

    def guessed(self, strips: StripSet, table: HoldTable) -> tuple[StripSet, float, dict[str, Any]]:
        """(the set with position reels read off the table, how far the table falls short, its Key figures)."""
        game, hold, free = self.game, self.game.hold_and_spin, self.game.free_spins
        assert hold and free and game.banked_keys
        worth, most = self._free_only(strips), game.banked_keys.use_at_most
        chance, lines = self._at_base
        best, worst = self._wanted()
        c = float(worth.fortune_wins[-1] - worth.fortune_wins[0]) / most
        fixed = lines + chance * (worth.line_win + float(worth.fortune_wins[0]))
        low = (worst if worst is not None else best - DEFAULT_GAP) - fixed
        p, q, rate, miss = table.solve(low, best - (worst if worst is not None else best - DEFAULT_GAP), c)
        found = {"keys": {"value": c, "load": rate / (most * chance)}}
        stages = position_stage(game, cell_weight(p), cell_weight(q))
        return strips.with_position_reels(hold.name, stages), miss, found

    @cached_property
    def _at_base(self) -> tuple[float, float]:
        """(P(Free Spins), the lines' RTP)."""
        free = self.game.free_spins
        assert free is not None
        found = base_figures(self.game, self.base)
        return float(found["features"][free.name]["probability"]), float(found["components"]["lines"])

    def _free_only(self, strips: StripSet) -> FreeSpinsValue:
        """What Free Spins are worth, without touching hold-and-spin."""
        game, free = self.game, self.game.free_spins
        assert free and game.banked_keys
        tables = free_spins_tables(game, free, strips)
        return free_spins_value(game, free, strips, tables, game.banked_keys.use_at_most)

    def _wanted(self) -> tuple[float, float | None]:
        best, worst = self.run.target.figure(BEST), self.run.target.figure(WORST)
        if best is None or best.value is None:
            raise TargetError("the target must give 'rtp' a value")
        return best.value, worst.value if worst else None

    def distance(self, strips: StripSet, table: HoldTable) -> float:
        """The score apart from the RTPs, which the weights will meet; a set that fits no weights is judged by that."""
        guessed, miss, keys = self.guessed(strips, table)
        target = self.run.target
        others = target.model_copy(
            update={"figures": tuple(f for f in target.figures if f.figure not in (WORST, BEST))}
        )
        rough = 100.0 * miss + score(others, keys)
        if rough > 0:
            return ROUGH + rough
        free = self.game.free_spins
        assert free is not None
        broken = broken_rules(self.run, free.reels, strips.reels[free.reels])
        return score(others, key_figures(Evaluator(self.game)(guessed))) + BROKEN * broken

    def draft(self, number: int, values: Values) -> StripSet:
        """The strip set of a trial, position reels still at their first guess."""
        rng = self.run.rng("features", number)
        free = free_reels_of(self.game, values, rng)
        stages = position_stage(self.game, CELL_TOTAL // 12, CELL_TOTAL // 100)
        return assemble(
            self.game, self.run.target.name, self.base, free, stages, wheels_of(self.game, values)
        )

    def fitted(self, strips: StripSet) -> StripSet:
        """Mend the two weights of the position reels on the exact value: Newton's steps with measured slopes."""
        game, hold = self.game, self.game.hold_and_spin
        assert hold is not None
        evaluator = Evaluator(game)
        best, worst = self._wanted()
        gap = best - worst if worst is not None else DEFAULT_GAP
        cells = strips.position_reels[hold.name][0]
        key_reel = hold.key.reels[0]
        p, q = (cells.cell(key_reel).weight(s) for s in (hold.held_symbol, hold.key.symbol))

        def missed(p: int, q: int) -> Array:
            low, high = worst_and_best(
                evaluator(strips.with_position_reels(hold.name, position_stage(game, p, q)))
            )
            return np.array([low - (best - gap), high - low - gap])

        for _ in range(4):
            here = missed(p, q)
            step = max(p // 50, 1), max(q // 20, 1)
            jacobian = np.column_stack(
                [(missed(p + step[0], q) - here) / step[0], (missed(p, q + step[1]) - here) / step[1]]
            )
            move = np.linalg.lstsq(jacobian, -here)[0]
            moved = _within(p + move[0], SHARES[-1]), _within(q + move[1], KEY_SHARES[-1])
            if moved == (p, q):
                break
            p, q = moved
        return strips.with_position_reels(hold.name, position_stage(game, p, q))


def _ladder(value: RoundValue) -> Array:
    """(steps, K): P(step, Keys) of a hold-and-spin a round."""
    assert value.hold
    return np.asarray(value.hold.ladder.sum(axis=0))


def _saved(value: RoundValue) -> float:
    """Hold-and-spin a round whose Keys are all saved, in bets."""
    assert value.hold
    return value.hold.line_win + float(_ladder(value).sum(axis=1) @ value.key_game.saved_prize)


def _only_rough(trials: Sequence[Trial]) -> bool:
    return len(trials) >= ENOUGH_ROUGH and min(t.score for t in trials) >= ROUGH


def _within(weight: float, most: float) -> int:
    """A weight rounded and kept where the table reaches, so that a set which fits nothing can't run away."""
    return min(max(1, round(weight)), round(most * CELL_TOTAL))


def cell_weight(share: float) -> int:
    """The weight of a share of a position reel's cell: at least 1, at most half."""
    return min(max(1, round(share * CELL_TOTAL)), CELL_TOTAL // 2)


def worst_and_best(value: RoundValue) -> tuple[float, float]:
    """The RTP of the worst and of the best play."""
    form = closed_form(value.key_game)
    if form.holds:
        return value.fixed + form.base, value.fixed + form.optimal
    return value.rtp("worst"), value.rtp("optimal")
