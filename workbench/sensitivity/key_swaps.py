"""All swaps of a game with Keys on position reels, by linear forms."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from workbench.game.definition import GameDefinition
from workbench.reels.strip_set import StripSet
from workbench.sensitivity.brute import Progress
from workbench.sensitivity.candidates import Ints
from workbench.sensitivity.changes import Change, Swap
from workbench.sensitivity.gauges import KeyGauge
from workbench.sensitivity.hit_windows import THREADS
from workbench.sensitivity.key_base import base_batch
from workbench.sensitivity.key_batch import KeyBatch, batch_figures
from workbench.sensitivity.key_free import free_batch
from workbench.sensitivity.table import Array


def has_linear_forms(game: GameDefinition) -> bool:
    """Whether changes of a game with Keys are had from linear forms: not where whole strips re-spin, nor mixed combinations."""
    hold = game.hold_and_spin
    plain = not game.mixed and not game.anywhere
    return plain and not (hold and hold.spun == "strips")


def key_swaps(
    gauge: KeyGauge,
    strips: StripSet,
    changes: Sequence[Swap],
    refused: dict[Change, str],
    progress: Progress,
) -> Array:
    """(swaps, figures): by how much each swap moves each figure of the gauge; NaN, and why, where it leaves none."""
    game = gauge.game
    value = gauge.value(strips)
    moments = gauge.moments(value)
    now = gauge(strips)
    names, values = list(now), np.array(list(now.values()))
    found = np.full((len(changes), len(names)), np.nan)

    def on(name: str) -> None:
        here = np.array([i for i, swap in enumerate(changes) if swap.reels == name])
        some = [changes[i] for i in here]
        batch, which = _moved(game, strips, name, some, KeyBatch.of(value, moments, len(some)), refused)
        found[here[which]] = batch_figures(game, gauge.strategy, batch, names) - values
        progress(len(some))

    with ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(on, name) for name in dict.fromkeys(swap.reels for swap in changes)]:
            done.result()
    return found


def _moved(
    game: GameDefinition,
    strips: StripSet,
    name: str,
    swaps: Sequence[Swap],
    base: KeyBatch,
    refused: dict[Change, str],
) -> tuple[KeyBatch, Ints]:
    """The numbers of the sets edited on some reels, and which swap each is of."""
    if name == "base":
        return base_batch(game, strips, swaps, base)
    free = game.free_spins
    assert free is not None
    batch, which, endless = free_batch(game, free, strips, name, swaps, base)
    for i, added in endless.items():
        refused[swaps[i]] = (
            f"reels.{free.reels}: a free spin must add less than 1 spin on average,"
            f" but {free.retrigger.symbol} adds {added:.6g}"
        )
    return batch, which
