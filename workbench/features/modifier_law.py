"""Which modifiers a spin awards, jointly with its line win: one law of modifier sets M a round.

Stashes that only show what was collected (S-2): the colours C in sight choose the wheel ``trigger.<C>``, so

    P(M) = sum over C of P(C) w_C(M),      E[win; M] = sum over C of E[win; C] w_C(M),

and the same for the square: given C the award and the line win are independent. Rounds are independent.

Stashes with levels: a spin that shows n_i Orbs of colour i raises its level to min(K, l_i + n_i); the wheel is that of
the colours in sight at these levels; the colours of awarded modifiers go back to 0. The levels before a spin are a
Markov chain that doesn't look at the lines; the figures are those of its stationary law, and rounds depend on each
other through it. With h solving h(l) = E[W - g + h(l') | l], W + h(l') - h(l) - g is a martingale difference,
so its variance is the long-run variance of the win a round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from workbench.exact.colours import colour_law, count_law
from workbench.game.definition import GameDefinition
from workbench.game.features import ModifierTrigger
from workbench.reels.strip_set import StripSet, Weights

Real = NDArray[np.float64]


@dataclass(frozen=True)
class ModifierLaw:
    """A round's law of (modifier set, line win); wins in total bets.

    sets
        names of the modifier sets; the arrays follow their order.
    chance, win, square
        P(M), E[win; M], E[win^2; M].
    colours
        P(exactly these colours in sight), by name.
    base_win, base_square
        E[win] and E[win^2] of a spin, whatever it awards.
    levels
        the chain of the stashes' levels, None where they only show.
    """

    sets: tuple[str, ...]
    chance: Real
    win: Real
    square: Real
    colours: Mapping[str, float]
    base_win: float
    base_square: float
    levels: LevelChain | None


@dataclass(frozen=True)
class LevelChain:
    """The stashes: what can happen in a round from each vector of levels.

    Event e leads from state ``start[e]`` to ``end[e]`` and awards set ``award[e]`` (-1: none) with ``chance[e]``, of
    which ``win[e]`` is E[line win; e]. ``states`` are the level vectors, ``stationary`` their law.
    """

    states: tuple[tuple[int, ...], ...]
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    award: NDArray[np.int64]
    chance: Real
    win: Real
    stationary: Real

    def long_run_variance(self, mean: Real, full: Real, variance: float) -> float:
        """Variance a round in the long run, from that of one round at the stationary law.

        ``mean[M]`` is the respins' mean win under each set, ``full[M]`` the chance that a full grid replaces the line win.
        """
        padded_mean, padded_full = np.append(mean, 0.0), np.append(full, 0.0)
        won = self.win * (1 - padded_full[self.award]) + self.chance * padded_mean[self.award]
        size = len(self.states)
        reward = np.zeros(size)
        np.add.at(reward, self.start, won)
        move = np.zeros((size, size))
        np.add.at(move, (self.start, self.end), self.chance)
        pinned = np.eye(size) - move
        pinned[:, 0] = 1.0
        bias = np.linalg.solve(pinned, reward)
        bias[0] = 0.0
        rise = bias[self.end] - bias[self.start]
        weight = self.stationary[self.start]
        return float(variance + 2 * weight @ (won * rise) + weight @ (self.chance * rise**2))


@dataclass(frozen=True)
class Seen:
    """Numbers of Orbs in sight of a base spin, cut at K: their chance, E[win; n], E[win^2; n]; ``colours`` order them."""

    colours: tuple[str, ...]
    numbers: tuple[tuple[int, ...], ...]
    chance: Real
    win: Real
    square: Real

    def by_name(self) -> dict[str, float]:
        """P(exactly these colours in sight), "none" for none."""
        found: dict[str, float] = {}
        for numbers, chance in zip(self.numbers, self.chance, strict=True):
            name = "+".join(c for c, n in zip(self.colours, numbers, strict=True) if n) or "none"
            found[name] = found.get(name, 0.0) + float(chance)
        return found


def orbs_seen(game: GameDefinition, base: Sequence[Sequence[str]]) -> Seen:
    """What the base strips show of Orbs; numbers count up to K, which is 1 where stashes only show."""
    trigger = game.only(ModifierTrigger)
    assert trigger is not None
    marks = tuple((colour, trigger.colours[colour]) for colour in sorted(trigger.colours))
    colours = tuple(colour for colour, _ in marks)
    if trigger.stash_levels == "shows-only":
        law = colour_law(game, base, marks)
        bits = range(len(law.chance))
        numbers = tuple(tuple(b >> i & 1 for i in range(len(colours))) for b in bits)
        return Seen(colours, numbers, law.chance, law.win, law.square)
    laws = count_law(game, base, marks)
    cut: dict[tuple[int, ...], list[float]] = {}
    for counts in np.ndindex(*laws[0].shape):
        row = cut.setdefault(tuple(min(n, trigger.stash_levels) for n in counts), [0.0, 0.0, 0.0])
        for i, part in enumerate(laws):
            row[i] += max(float(part[counts]), 0.0)
    columns = np.array(list(cut.values())).T
    return Seen(colours, tuple(cut), columns[0], columns[1], columns[2])


def modifier_law(game: GameDefinition, strips: StripSet, seen: Seen | None = None) -> ModifierLaw:
    """The law of a strip set's base spin and trigger wheels; ``seen`` is :func:`orbs_seen` of its base strips."""
    trigger = game.only(ModifierTrigger)
    assert trigger is not None
    seen = seen or orbs_seen(game, strips.reels["base"])
    if trigger.stash_levels == "shows-only":
        return _by_colours(strips, trigger, seen)
    return _by_levels(strips, trigger, seen, trigger.stash_levels)


def award_chances(trigger: ModifierTrigger, wheel: Weights) -> Real:
    """The chance of each modifier set on a trigger wheel, in the order of ``trigger.modifier_sets``."""
    chances: Real = np.array([wheel.weight(m) for m in trigger.modifier_sets], dtype=np.float64) / wheel.total
    return chances


def awards_in_sight(
    strips: StripSet,
    trigger: ModifierTrigger,
    law: ModifierLaw,
    colours: Sequence[str],
    numbers: Sequence[int],
) -> Real:
    """P(M | these numbers of Orbs in sight), in the order of the sets; with levels at their stationary law."""
    awards: Real = np.zeros(len(trigger.modifier_sets))
    if not any(numbers):
        return awards
    if law.levels is None:
        name = "+".join(c for c, n in zip(colours, numbers, strict=True) if n)
        return award_chances(trigger, strips.wheels[f"{trigger.wheel}.{name}"])
    most = max(max(state) for state in law.levels.states)
    for state, weight in zip(law.levels.states, law.levels.stationary, strict=True):
        raised = [min(most, have + more) for have, more in zip(state, numbers, strict=True)]
        names = [(c, level) for c, level, n in zip(colours, raised, numbers, strict=True) if n]
        awards += weight * award_chances(trigger, wheel_at(strips, trigger, names))
    return awards


def _by_colours(strips: StripSet, trigger: ModifierTrigger, seen: Seen) -> ModifierLaw:
    awards = np.zeros((len(seen.numbers), len(trigger.modifier_sets)))
    for row, numbers in enumerate(seen.numbers):
        name = "+".join(c for c, n in zip(seen.colours, numbers, strict=True) if n)
        if name:
            awards[row] = award_chances(trigger, strips.wheels[f"{trigger.wheel}.{name}"])
    return ModifierLaw(
        sets=trigger.modifier_sets,
        chance=seen.chance @ awards,
        win=seen.win @ awards,
        square=seen.square @ awards,
        colours=seen.by_name(),
        base_win=float(seen.win.sum()),
        base_square=float(seen.square.sum()),
        levels=None,
    )


def _by_levels(strips: StripSet, trigger: ModifierTrigger, seen: Seen, most: int) -> ModifierLaw:
    states = tuple(product(range(most + 1), repeat=len(seen.colours)))
    events = [e for s in states for e in _events(strips, trigger, seen, states, s, most)]
    columns = list(zip(*events, strict=True))
    start, end, award, which = (np.array(column, dtype=np.int64) for column in columns[:4])
    share = np.array(columns[4])
    stationary = _stationary(len(states), start, end, share * seen.chance[which])
    weight = stationary[start] * share
    chance, win, square = (
        _by_award(award, weight * part[which], len(trigger.modifier_sets))
        for part in (seen.chance, seen.win, seen.square)
    )
    chain = LevelChain(
        states, start, end, award, share * seen.chance[which], share * seen.win[which], stationary
    )
    return ModifierLaw(
        sets=trigger.modifier_sets,
        chance=chance,
        win=win,
        square=square,
        colours=seen.by_name(),
        base_win=float(seen.win.sum()),
        base_square=float(seen.square.sum()),
        levels=chain,
    )


def _by_award(award: NDArray[np.int64], mass: Real, sets: int) -> Real:
    """Mass of each modifier set; -1, no award, is left out."""
    found: Real = np.zeros(sets + 1)
    np.add.at(found, award, mass)
    return found[:-1]


def _events(
    strips: StripSet,
    trigger: ModifierTrigger,
    seen: Seen,
    states: tuple[tuple[int, ...], ...],
    state: tuple[int, ...],
    most: int,
) -> Iterator[tuple[int, int, int, int, float]]:
    """(start, end, award or -1, number of the sight, share of the sight's chance) of all that can happen in a state."""
    place = {s: i for i, s in enumerate(states)}
    for which, numbers in enumerate(seen.numbers):
        raised = tuple(min(most, have + more) for have, more in zip(state, numbers, strict=True))
        names = [(c, level) for c, level, n in zip(seen.colours, raised, numbers, strict=True) if n]
        if not names:
            yield place[state], place[state], -1, which, 1.0
            continue
        chances = award_chances(trigger, wheel_at(strips, trigger, names))
        yield place[state], place[raised], -1, which, float(1 - chances.sum())
        for m, chance in enumerate(chances):
            if chance:
                used = {trigger.modifiers[part] for part in trigger.modifier_sets[m].split("+")}
                after = tuple(
                    0 if c in used else level for c, level in zip(seen.colours, raised, strict=True)
                )
                yield place[state], place[after], m, which, float(chance)


def wheel_at(strips: StripSet, trigger: ModifierTrigger, names: Sequence[tuple[str, int]]) -> Weights:
    """The trigger wheel of the colours in sight at their levels: its own, or the one for all levels."""
    base = f"{trigger.wheel}.{'+'.join(colour for colour, _ in names)}"
    own = f"{base}@{'+'.join(str(level) for _, level in names)}"
    return strips.wheels[own] if own in strips.wheels else strips.wheels[base]


def _stationary(size: int, start: NDArray[np.int64], end: NDArray[np.int64], chance: Real) -> Real:
    """The stationary law of the levels; there is one class that every state leads to, as levels only rise or reset."""
    balance = np.zeros((size, size))
    np.add.at(balance, (end, start), chance)
    balance -= np.eye(size)
    balance[0] = 1.0
    right = np.zeros(size)
    right[0] = 1.0
    return np.asarray(np.linalg.solve(balance, right), dtype=np.float64)
