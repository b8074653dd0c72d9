"""Swaps on the base strips of a game with Keys: the numbers of every edited set, linear in the windows of each reel."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from workbench.exact.spin import spin_model
from workbench.game.definition import GameDefinition
from workbench.prob.product_chain import Array
from workbench.reels.strip_set import StripSet
from workbench.sensitivity.candidates import Candidates, Ints, candidates
from workbench.sensitivity.changes import Swap
from workbench.sensitivity.hit_windows import THREADS, hit_windows
from workbench.sensitivity.key_batch import KeyBatch
from workbench.sensitivity.line_slopes import LineSlopes
from workbench.sensitivity.start_windows import StartWindows

# what is left of an entry of a law after all of it was taken away, at most, as a part of it
NOISE = 1e-14


def base_batch(
    game: GameDefinition, strips: StripSet, swaps: Sequence[Swap], base: KeyBatch
) -> tuple[KeyBatch, Ints]:
    """The numbers of the edited sets, and which swap each is of: those of reel 1 first. ``base`` is as many times the set."""
    reels, bet = strips.reels["base"], game.bet.coins
    places = [[i for i, s in enumerate(swaps) if s.reel == r] for r in range(len(reels))]
    windows = [candidates(game, strip, r, [swaps[i] for i in places[r]]) for r, strip in enumerate(reels)]
    starts = StartWindows(game, strips)
    cycle = float(np.prod([len(strip) for strip in reels], dtype=np.float64))
    moved = starts.changes(windows)
    law_now, first_now = (part[-1] for part in moved[0].parts()[3:])
    values = [v.without_last() for v in moved]
    line_win, more, won, law, first = (
        np.concatenate(parts) for parts in zip(*(v.parts() for v in values), strict=True)
    )
    lines, square = _line_moments(game, strips, starts, windows)
    found = base.moved(
        lines=lines.sum(axis=1) / (cycle * bet),
        hits=_hits(game, strips, windows) / cycle,
    )
    # whole numbers of stop combinations: what is impossible in an edited set is so to the last bit
    begins = np.rint(base.free_chance * cycle) + _free_chances(starts, windows)
    found = replace(found, free_chance=begins / cycle)
    if game.hold_and_spin:
        found = found.moved(hold_line_win=line_win / (cycle * bet))
        found = replace(found, law=np.where(law_now + law > NOISE * law_now, law_now + law, 0.0) / cycle)
    if base.second is not None and base.plain_first is not None:
        found = found.moved(second=(square + more) / (cycle * bet**2))
        found = replace(
            found,
            plain_first=base.plain_first + (lines - won) / (cycle * bet),
            hold_first=(first_now + first) / (cycle * bet),
        )
    return found, np.array([i for some in places for i in some], dtype=np.int64)


def _hits(game: GameDefinition, strips: StripSet, windows: Sequence[Candidates]) -> Array:
    """(swaps,): change of the stop combinations that pay a line."""
    spins = spin_model(game).windows(strips.reels["base"])
    with ThreadPoolExecutor(THREADS) as pool:
        found = [one.changes(hit_windows(spins, r, one, pool).astype(float)) for r, one in enumerate(windows)]
    return np.concatenate(found)


def _line_moments(
    game: GameDefinition, strips: StripSet, starts: StartWindows, windows: Sequence[Candidates]
) -> tuple[Array, Array]:
    """Changes of the sums over the cycle: (swaps, 2) of line coins by Free Spins or not, (swaps,) of their square."""
    reels = strips.reels["base"]
    number = int(starts.scatters.max(axis=1).sum()) + 1
    points = np.exp(-2j * np.pi * np.arange(number) / number)
    weights = [points ** starts.scatters[r, : len(strip), None] for r, strip in enumerate(reels)]
    marked = LineSlopes.of(game, reels, weights)
    plain = LineSlopes.of(game, reels, [np.ones((len(strip), 1)) for strip in reels])
    first, second = [], []
    for r, one in enumerate(windows):
        by_others = np.fft.ifft(marked.means(r, one.shown), axis=1).real
        follows = starts.seen(r, one.shown)[:, None] + np.arange(number) >= starts.follow
        by_f = np.stack([(by_others * ~follows).sum(axis=1), (by_others * follows).sum(axis=1)], axis=1)
        first.append(one.changes(by_f))
        second.append(one.changes(plain.squares(r, one.shown)[:, 0]))
    return np.concatenate(first), np.concatenate(second)


def _free_chances(starts: StartWindows, windows: Sequence[Candidates]) -> Array:
    """(swaps,): change of the stop combinations that begin Free Spins."""
    found = []
    for r, one in enumerate(windows):
        law = np.ones(1)
        for other, stops in enumerate(starts.stops.tolist()):
            if other != r:
                law = np.convolve(law, np.bincount(starts.scatters[other, :stops]))
        enough = starts.seen(r, one.shown)[:, None] + np.arange(len(law)) >= starts.follow
        found.append(one.changes((enough * law).sum(axis=1)))
    return np.concatenate(found)
