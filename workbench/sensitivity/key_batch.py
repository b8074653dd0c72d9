"""Many games with Keys at once: the numbers of each that its figures are made of, and the figures.

Each entry is one strip set. Its strategy is solved anew, by the rules of :mod:`workbench.features.keys`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from workbench.features.free_spins_moments import FreeSpinsMoments
from workbench.features.keys import NAMED, KeyGame, Solution, evaluate_policy, optimal, worst
from workbench.game.definition import GameDefinition
from workbench.prob.product_chain import Array
from workbench.value.key_moments import KeyMoments, deviation_of
from workbench.value.round import NO_KEYS, RoundValue


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

    def moved(self, **changes: Array) -> KeyBatch:
        """The batch with changes added to some of its numbers."""
        return replace(self, **{name: getattr(self, name) + change for name, change in changes.items()})


def key_game_of(batch: KeyBatch, i: int, game: GameDefinition) -> KeyGame:
    """The decisions of one entry, as RoundValue has them."""
    hold, bank = game.hold_and_spin, game.banked_keys
    prizes, chance = batch.prizes[i], float(batch.free_chance[i])
    if hold is None:
        return KeyGame(np.zeros((2, 1, 1)), np.zeros((1, 1)), np.zeros(1), chance, prizes)
    table = np.array(game.ladder(hold.ladder).table)
    law = batch.law[i]
    law = law[:, :, : int(np.flatnonzero(law.sum(axis=(0, 1)) > NO_KEYS)[-1:].sum()) + 1]
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


def batch_figures(
    game: GameDefinition, strategy: str | None, batch: KeyBatch, names: Sequence[str], entries: Sequence[int]
) -> Array:
    """(entries, figures): the figures of some entries by the names of a gauge."""
    return np.array([_figures(game, strategy, batch, names, i) for i in entries]).reshape(-1, len(names))


def _figures(
    game: GameDefinition, strategy: str | None, batch: KeyBatch, names: Sequence[str], i: int
) -> list[float]:
    keys = key_game_of(batch, i, game)
    solution = solved(keys, strategy)
    fixed = float(batch.lines[i] + batch.hold_line_win[i] + batch.free_chance[i] * batch.free_line_win[i])
    found = {"rtp": fixed + solution.gain, "components.lines": float(batch.lines[i])}
    found["hit_frequency"] = float(batch.hits[i])
    if game.hold_and_spin:
        name = game.hold_and_spin.name
        found[f"components.{name}.lines"] = float(batch.hold_line_win[i])
        found[f"components.{name}.{game.hold_and_spin.ladder}"] = solution.hold_and_spin
        found[f"features.{name}.probability"] = float(batch.law[i].sum())
    if game.free_spins:
        name = game.free_spins.name
        found[f"components.{name}.lines"] = float(batch.free_chance[i] * batch.free_line_win[i])
        found[f"components.{name}.{game.free_spins.ladder}"] = solution.free_spins
        found[f"features.{name}.probability"] = float(batch.free_chance[i])
    if batch.second is not None:
        spread = deviation_of(keys, _moments(batch, keys, i), solution, found["rtp"])
        found["standard_deviation"] = spread.round
        found["long_run_standard_deviation"] = spread.long_run
    return [found[name] for name in names]


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
