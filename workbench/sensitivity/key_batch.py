"""Many games with Keys at once: the numbers of each that its figures are made of, and the figures.

Each entry is one strip set. Its strategy is solved anew, by the rules of :mod:`workbench.features.keys`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from workbench.features.free_spins_moments import FreeSpinsMoments
from workbench.features.keys import NAMED, KeyGame, Solution, evaluate_policy, optimal, worst
from workbench.game.definition import GameDefinition
from workbench.prob.product_chain import Array
from workbench.sensitivity._key_batch_kernels import bank_batch
from workbench.value.key_moments import KeyMoments, deviation_of
from workbench.value.round import NO_KEYS, RoundValue

# more Keys than any bank holds
NEVER = 1 << 30


@dataclass(frozen=True)
class KeyBatch:
    """N strip sets, in total bets a round; names as in RoundValue and KeyMoments.

    lines, hits, free_chance, hold_line_win, free_line_win
        (N,): line win of the paid spin, its hit frequency, P(Free Spins), final lines, line win of one Free Spins.
    law
        (N, 2, steps, K): P(step, Keys; Free Spins follow or not).
    prizes
        (N, U + 1): mean ladder prize of Free Spins by used Keys.
    plain_first, hold_first, second, free_mean, free_second
        the moments; None where there are none.
    """

    lines: Array
    hits: Array
    free_chance: Array
    hold_line_win: Array
    free_line_win: Array
    law: Array
    prizes: Array
    plain_first: Array | None
    hold_first: Array | None
    second: Array | None
    free_mean: Array | None
    free_second: Array | None

    @classmethod
    def of(cls, value: RoundValue, moments: KeyMoments | None, count: int) -> KeyBatch:
        """One strip set ``count`` times."""
        hold = value.hold
        one = cls(
            lines=np.array(float(value.lines.rtp)),
            hits=np.array(value.spins.hit_frequency),
            free_chance=np.array(value.free_probability),
            hold_line_win=np.array(hold.line_win if hold else 0.0),
            free_line_win=np.array(value.free.line_win if value.free else 0.0),
            law=value.key_game.law,
            prizes=value.key_game.prizes,
            plain_first=moments.plain_first if moments else None,
            hold_first=moments.hold_first if moments else None,
            second=np.array(moments.second) if moments else None,
            free_mean=moments.free.mean if moments else None,
            free_second=moments.free.second if moments else None,
        )
        return cls(*(None if part is None else np.stack([part] * count) for part in vars(one).values()))  # type: ignore[arg-type]

    @classmethod
    def joined(cls, batches: Sequence[KeyBatch]) -> KeyBatch:
        """The entries of all, with room for as many Keys as any follows."""
        keys = max(batch.law.shape[3] for batch in batches)
        found = []
        for name in vars(batches[0]):
            parts = [getattr(batch, name) for batch in batches]
            if name in ("law", "hold_first") and parts[0] is not None:
                parts = [np.pad(p, ((0, 0), (0, 0), (0, 0), (0, keys - p.shape[3]))) for p in parts]
            found.append(None if parts[0] is None else np.concatenate(parts))
        return cls(*found)  # type: ignore[arg-type]

    def taken(self, count: int) -> KeyBatch:
        """The first ``count`` entries."""
        return KeyBatch(*(None if part is None else part[:count] for part in vars(self).values()))  # type: ignore[arg-type]

    def moved(self, **changes: Array) -> KeyBatch:
        """The batch with changes added to some of its numbers."""
        return replace(self, **{name: getattr(self, name) + change for name, change in changes.items()})


def key_game_of(batch: KeyBatch, i: int, game: GameDefinition, whole: bool = False) -> KeyGame:
    """The decisions of one entry, as RoundValue has them; ``whole`` keeps numbers of Keys that next to never come."""
    hold, bank = game.hold_and_spin, game.banked_keys
    prizes, chance = batch.prizes[i], float(batch.free_chance[i])
    if hold is None:
        return KeyGame(np.zeros((2, 1, 1)), np.zeros((1, 1)), np.zeros(1), chance, prizes)
    table = np.array(game.ladder(hold.ladder).table)
    law = batch.law[i]
    likely = law.shape[2] if whole else int(np.flatnonzero(law.sum(axis=(0, 1)) > NO_KEYS)[-1:].sum()) + 1
    law = law[:, :, :likely]
    levels = np.minimum(hold.start_level + np.arange(law.shape[2]), len(table)) - 1
    saved = table[bank.saved_level - 1] if bank else table[hold.start_level - 1]
    return KeyGame(law, table[levels].T, saved, chance if game.free_spins else 0.0, prizes)


def solved(game: KeyGame, strategy: str | None) -> Solution:
    """A strategy, solved or evaluated; None is a game without choices."""
    if strategy == "optimal":
        return optimal(game)
    if strategy == "worst":
        return worst(game)
    return evaluate_policy(game, NAMED[strategy or "never-save"])


def batch_figures(game: GameDefinition, strategy: str | None, batch: KeyBatch, names: Sequence[str]) -> Array:
    """(N, figures): the figures of all entries by the names of a gauge; NaN where the entry's law isn't finite."""
    spread = _spread(game, strategy, batch)
    fixed = batch.lines + batch.hold_line_win + batch.free_chance * batch.free_line_win
    found = {
        "rtp": fixed + spread[:, 0] + spread[:, 1],
        "components.lines": batch.lines,
        "hit_frequency": batch.hits,
        "standard_deviation": spread[:, 2],
        "long_run_standard_deviation": spread[:, 3],
    }
    if game.hold_and_spin:
        name = game.hold_and_spin.name
        found[f"components.{name}.lines"] = batch.hold_line_win
        found[f"components.{name}.{game.hold_and_spin.ladder}"] = spread[:, 0]
        found[f"features.{name}.probability"] = batch.law.sum(axis=(1, 2, 3))
    if game.free_spins:
        name = game.free_spins.name
        found[f"components.{name}.lines"] = batch.free_chance * batch.free_line_win
        found[f"components.{name}.{game.free_spins.ladder}"] = spread[:, 1]
        found[f"features.{name}.probability"] = batch.free_chance
    return np.stack([found[name] for name in names], axis=1)


def _spread(game: GameDefinition, strategy: str | None, batch: KeyBatch) -> Array:
    """(N, 4): gains of hold-and-spin and of Free Spins, deviation of a round and in the long run."""
    count = len(batch.lines)
    gains, squares = np.zeros((count, 2)), np.zeros((count, 2))
    fixed = batch.lines + batch.hold_line_win + batch.free_chance * batch.free_line_win
    done = _solve_alike(game, strategy, batch, fixed, gains, squares)
    rtp = fixed + gains.sum(axis=1)
    squares[:, 0] -= rtp**2
    found = np.concatenate([gains, np.sqrt(np.maximum(squares, 0.0))], axis=1)
    for i in np.flatnonzero(~done).tolist():
        keys = key_game_of(batch, i, game)
        solution = solved(keys, strategy)
        found[i] = solution.hold_and_spin, solution.free_spins, np.nan, np.nan
        if batch.second is not None:
            one = deviation_of(keys, _moments(batch, keys, i), solution, float(fixed[i]) + solution.gain)
            found[i, 2:] = one.round, one.long_run
    return found


def _solve_alike(
    game: GameDefinition, strategy: str | None, batch: KeyBatch, fixed: Array, gains: Array, squares: Array
) -> NDArray[np.bool_]:
    """Fill gains and mean squares of the entries whose policy saves alike in every bank and has a stationary one; which."""
    none = np.zeros(len(batch.lines), dtype=np.bool_)
    if game.hold_and_spin is None or strategy == "worst" or batch.second is None:
        return none
    one = key_game_of(batch, 0, game, whole=True)
    kind, use_at = _KINDS.get(strategy or "never-save", (1, one.most_used))
    done = ~none
    if kind == 2:
        c = (batch.prizes[:, -1] - batch.prizes[:, 0]) / one.most_used
        won = batch.law.sum(axis=(1, 2)) @ np.arange(batch.law.shape[3])
        gained = batch.prizes - batch.prizes[:, :1]
        linear = (gained <= np.arange(one.most_used + 1) * c[:, None] + 1e-12).all(axis=1)
        done &= (won < one.most_used * batch.free_chance) & linear & (c >= 0)
    bank_batch(
        np.where(batch.law.sum(axis=(1, 2), keepdims=True) > NO_KEYS, batch.law, 0.0), one.used_prize,
        one.saved_prize, batch.free_chance, batch.prizes, kind, use_at, batch.plain_first, batch.hold_first,
        batch.second, batch.free_mean, batch.free_second, fixed, done, gains, squares,
    )  # fmt: skip
    return done


# by strategy: 0 never saves, 1 always does, 2 is the optimum; from how many Keys on they are used
_KINDS = {
    "never-save": (0, 1),
    "save-never-use": (1, NEVER),
    "always-save-use-at-1": (1, 1),
    "always-save-use-at-2": (1, 2),
    "optimal": (2, 0),
}


def _moments(batch: KeyBatch, keys: KeyGame, i: int) -> KeyMoments:
    assert batch.plain_first is not None and batch.hold_first is not None and batch.second is not None
    assert batch.free_mean is not None and batch.free_second is not None
    chance = float(batch.free_chance[i])
    return KeyMoments(
        plain=np.array([1 - chance, chance]) - keys.law.sum(axis=(1, 2)),
        plain_first=batch.plain_first[i],
        hold=keys.law,
        hold_first=batch.hold_first[i][:, :, : keys.law.shape[2]],
        second=float(batch.second[i]),
        free=FreeSpinsMoments(batch.free_mean[i], batch.free_second[i]),
    )
