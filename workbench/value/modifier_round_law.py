"""The law of a whole round of a game with modifiers and Money respins, on the lattice of its smallest step.

The joint law of a spin's line win W and the Orbs in sight (:mod:`workbench.exact.win_law`) and the trigger wheels give
that of W and the awarded set M; the respins under M, given M, don't depend on W. So a round wins

    W                    with no award,
    min(cap, W + R)      under M with respins that don't fill the grid and win R,
    full_grid.pays       under M with respins that fill it,

and the law is the mixture. Under sets without Multiply the law of R is exact (:mod:`workbench.features.money_law`); the
others are drawn together: M among them, then W given M and fair plays of the respins under M. Each draw is an independent
round of that part, so the whole chance is an exact one plus a share of a binomial's. Full grids are exact throughout: plays
that fill one are left out of the draws, which leaves those that don't. The draws come from streams of one seed, as many
whatever the number of workers.

With levels of the stashes the awards are those at the stationary law of the levels before the spin, which doesn't look at
what the spin shows; rounds then depend on each other.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from workbench.errors import UsageError
from workbench.exact.gains import gains_of
from workbench.exact.line_law import line_law
from workbench.exact.marks import marks_on
from workbench.exact.win_law import win_law
from workbench.features.modifier_law import awards_in_sight
from workbench.features.money_chain import MoneyChain, MoneyWheels, money_chain, money_wheels
from workbench.features.money_law import MoneyLaw, cut, has_exact_law, money_law, money_step
from workbench.features.money_plays import played
from workbench.game.definition import GameDefinition
from workbench.game.features import ModifierTrigger
from workbench.prob.lattice import exact, in_steps, largest_step
from workbench.reels.strip_set import StripSet
from workbench.value.estimated import Estimated
from workbench.value.modifier_round import ModifierRound, evaluate
from workbench.value.round_law import RoundLaw

DRAWS = 8_000_000
QUICK_DRAWS = 400_000
BLOCK = 1 << 17
SEED = 20_261_201
MOST_STEPS = 1 << 24
# products of two laws are summed directly up to so many, and transformed beyond
MOST_PRODUCTS = 1 << 31
ROUNDING = 2.0**-52
NONE = "none"

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Drawn = tuple[Ints, Array]


def modifier_round_law(game: GameDefinition, strips: StripSet, quick: bool = False) -> RoundLaw:
    """The law of a round of a strip set that fits the game; UsageError where its lattice is too fine."""
    return law_of_round(evaluate(game, strips), QUICK_DRAWS if quick else DRAWS)


def law_of_round(
    value: ModifierRound, draws: int = DRAWS, seed: int = SEED, workers: int | None = None
) -> RoundLaw:
    """The law of a round; what isn't exact comes from ``draws`` rounds of that part."""
    sets = _sets(value)
    step = _step(value, sets)
    cap = None if value.game.win_cap == "none" else int(exact(value.game.win_cap) / step)
    if max(cap or 0, _full(value, step)) >= MOST_STEPS:
        raise UsageError(
            f"law: with steps of {float(step):.3g} bets a round wins {MOST_STEPS} of them or more"
        )
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        spin = pool.submit(_lines, value, step)
        laws = {s.name: money_law(s.chain, s.wheels, step, cap, pool) for s in sets if s.exact}
        drawn = [s for s in sets if not s.exact]
        plays = _plays(drawn, step, draws, seed, pool)
        lines = spin.result()
        counts = _counts(((lines[name], future.result()) for name, future in plays), cap)
    parts = [cut(lines[NONE], cap), *(_sum(lines[m], law.chances, cap) for m, law in laws.items())]
    known = _mixture(parts, sum(s.chance * s.full for s in sets), _full(value, step))
    left_out, error = _errors(sets, laws)
    share = sum(s.chance * (1 - s.full) for s in drawn)
    dependent = value.law.levels is not None
    if not share:
        return RoundLaw(step, known, left_out, error, None, dependent)
    counts = np.pad(counts, (0, max(0, len(known) - len(counts))))
    part = Estimated(share, counts, seed, value.rtp, sqrt(value.variance))
    return RoundLaw(step, _mixture([known, part.chances], 0.0, 0), left_out, error, part, dependent)


@dataclass(frozen=True)
class _Set:
    """A modifier set that occurs: its chance a round, and that its respins fill the grid."""

    name: str
    chance: float
    full: float
    chain: MoneyChain
    wheels: MoneyWheels

    @property
    def exact(self) -> bool:
        """Whether the law of its respins is."""
        return has_exact_law(self.chain)


def _sets(value: ModifierRound) -> list[_Set]:
    game, strips = value.game, value.strips
    return [
        _Set(m, float(p), float(f), money_chain(game, strips, m), money_wheels(game, strips, m))
        for m, p, f in zip(value.law.sets, value.law.chance, value.full, strict=True)
        if p > 0
    ]


def _step(value: ModifierRound, sets: Sequence[_Set]) -> Fraction:
    """The largest part of a bet that every win, the cap and the full grid are whole numbers of."""
    game = value.game
    ends = [exact(value.feature.full_grid.pays)]
    if game.win_cap != "none":
        ends.append(exact(game.win_cap))
    lines = [Fraction(award.coins, game.bet.coins) for award in line_law(game).award if award]
    return largest_step([*ends, *lines, *(money_step(s.chain, s.wheels) for s in sets)])


def _full(value: ModifierRound, step: Fraction) -> int:
    return int(exact(value.feature.full_grid.pays) / step)


def _lines(value: ModifierRound, step: Fraction) -> dict[str, Array]:
    """By modifier set, NONE included: P(this set is awarded, the lines win k steps)."""
    game, strips, trigger = value.game, value.strips, value.game.only(ModifierTrigger)
    assert trigger is not None
    reels, colours = strips.reels["base"], sorted(trigger.colours)
    most = 1 if trigger.stash_levels == "shows-only" else trigger.stash_levels
    everywhere = tuple(range(len(reels)))
    marks = marks_on(game, reels, [(trigger.colours[c], everywhere) for c in colours], [most] * len(colours))
    gains = gains_of(line_law(game), [lambda award: float(award.coins)])
    law = win_law(game, reels, [np.ones(len(strip), dtype=np.int64) for strip in reels], gains, marks)
    awards = np.array(
        [awards_in_sight(strips, trigger, value.law, colours, row) for row in marks.numbers.tolist()]
    )
    steps = in_steps((Fraction(int(coins), game.bet.coins) for coins in law.values[:, 0]), step)
    chance = law.counts / law.cycle
    shares = {m: awards[law.marks, i] for i, m in enumerate(value.law.sets)}
    shares[NONE] = 1 - awards.sum(axis=1)[law.marks]
    return {
        name: np.bincount(steps, weights=chance * share).astype(np.float64) for name, share in shares.items()
    }


def _plays(
    sets: Sequence[_Set], step: Fraction, draws: int, seed: int, pool: Executor
) -> list[tuple[str, Future[Drawn]]]:
    """So many draws of a set, by its chance, and its respins, in blocks each with a stream of its own."""
    if not sets:
        return []
    first, *streams = np.random.SeedSequence(seed).spawn(1 + len(sets))
    chances = np.array([s.chance for s in sets])
    numbers = np.random.default_rng(first).multinomial(draws, chances / chances.sum())
    found = []
    for one, number, stream in zip(sets, numbers.tolist(), streams, strict=True):
        sizes = [min(BLOCK, number - done) for done in range(0, number, BLOCK)]
        for size, own in zip(sizes, stream.spawn(len(sizes)), strict=True):
            found.append((one.name, pool.submit(_block, one, step, size, own)))
    return found


def _block(one: _Set, step: Fraction, size: int, stream: np.random.SeedSequence) -> Drawn:
    """(wins of the respins, a number from 0 to 1 for the lines) of each play."""
    rng = np.random.default_rng(stream)
    return played(one.chain, one.wheels, step, size, rng), rng.random(size)


def _counts(blocks: Iterator[tuple[Array, Drawn]], cap: int | None) -> Ints:
    """How many draws won k steps, those that fill the grid left out; ``blocks`` with the law of the lines each."""
    found = np.zeros(1, dtype=np.int64)
    for lines, (respins, uniform) in blocks:
        below = np.cumsum(lines)
        won = respins + np.searchsorted(below / below[-1], uniform, side="right")
        won = won[respins >= 0]
        if cap is not None:
            won = np.minimum(won, cap)
        if won.max(initial=0) >= MOST_STEPS:
            raise UsageError(
                f"law: a drawn round wins {MOST_STEPS} steps or more, and the game has no win cap"
            )
        more = np.bincount(won, minlength=len(found))
        more[: len(found)] += found
        found = more
    return found


def _sum(one: Array, other: Array, cap: int | None) -> Array:
    """The law of the sum of two independent amounts, cut at the cap; masses multiply."""
    places = np.flatnonzero(one)
    if len(places) * len(other) > MOST_PRODUCTS:
        from scipy.signal import fftconvolve

        return cut(np.maximum(fftconvolve(one, other), 0.0), cap)
    found = np.zeros(len(one) + len(other) - 1)
    for k in places.tolist():
        found[k : k + len(other)] += one[k] * other
    return cut(found, cap)


def _mixture(parts: Sequence[Array], chance: float, full: int) -> Array:
    """The laws of rounds that exclude each other, and the chance of a full grid at what it pays."""
    found = np.zeros(max(full + 1, *map(len, parts)))
    for part in parts:
        found[: len(part)] += part
    found[full] += chance
    return found


def _errors(sets: Sequence[_Set], laws: Mapping[str, MoneyLaw]) -> tuple[float, float]:
    """(mass left out, rounding of one entry)."""
    exact_sets = [(s.chance, laws[s.name]) for s in sets if s.name in laws]
    return (
        sum(p * law.left_out for p, law in exact_sets),
        ROUNDING + sum(p * law.error for p, law in exact_sets),
    )
