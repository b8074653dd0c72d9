"""How far every smallest change of a strip set moves every figure, exactly."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from workbench.errors import UsageError
from workbench.game.definition import GameDefinition
from workbench.reels.strip_set import StripSet
from workbench.sensitivity.brute import Progress, brute_changes
from workbench.sensitivity.changes import Change, Swap, Unit, reel_sets, rule_breakers, swaps, units
from workbench.sensitivity.gauges import Gauge, KeyGauge, gauge_of
from workbench.sensitivity.key_swaps import has_linear_forms, key_swaps
from workbench.sensitivity.key_units import key_units
from workbench.sensitivity.table import Array, Sensitivities
from workbench.value.round import default_strategy, strategies


def quiet(_: int) -> None:
    """Progress that nobody watches."""


def sensitivities(
    game: GameDefinition,
    strips: StripSet,
    strategy: str | None = None,
    only: Sequence[str] = (),
    progress: Progress = quiet,
) -> Sensitivities:
    """Every change and what it does; ``only`` names the reel sets whose stops are swapped, ``progress`` counts changes.

    Raises UsageError for an unknown strategy or reel set, and what the evaluation of the set itself refuses.
    """
    strategy = _known_strategy(game, strategy)
    _check_reels(game, strips, only)
    gauge = gauge_of(game, strategy)
    base = gauge(strips)
    refused: dict[Change, str] = {}
    every, weights = swaps(game, strips, only), units(game, strips)
    # rules are looked at while kernels work, which hold no lock
    with ThreadPoolExecutor(1) as pool:
        breaks = pool.submit(rule_breakers, game, strips, every)
        return Sensitivities(
            strategy=strategy,
            figures=tuple(base),
            base=np.array(list(base.values())),
            swaps=every,
            swap_changes=_swap_changes(gauge, strips, every, refused, progress),
            units=weights,
            unit_changes=_unit_changes(gauge, strips, weights, refused, progress),
            breaks=tuple(breaks.result()),
            refused=refused,
        )


def _swap_changes(
    gauge: Gauge, strips: StripSet, every: Sequence[Swap], refused: dict[Change, str], progress: Progress
) -> Array:
    """By linear forms where the game has them, else one by one."""
    if isinstance(gauge, KeyGauge) and has_linear_forms(gauge.game):
        return key_swaps(gauge, strips, every, refused, progress)
    return brute_changes(gauge, strips, every, refused, progress)


def _unit_changes(
    gauge: Gauge, strips: StripSet, every: Sequence[Unit], refused: dict[Change, str], progress: Progress
) -> Array:
    if isinstance(gauge, KeyGauge) and has_linear_forms(gauge.game):
        return key_units(gauge, strips, every, refused, progress)
    return brute_changes(gauge, strips, every, refused, progress)


def count_changes(game: GameDefinition, strips: StripSet, only: Sequence[str] = ()) -> int:
    """How many changes there are; UsageError for an unknown reel set."""
    _check_reels(game, strips, only)
    return len(swaps(game, strips, only)) + len(units(game, strips))


def _check_reels(game: GameDefinition, strips: StripSet, only: Sequence[str]) -> None:
    known = reel_sets(game, strips)
    for name in only:
        if name not in known:
            raise UsageError(f"reels: must be one of {', '.join(known)}, but got {name!r}")


def _known_strategy(game: GameDefinition, strategy: str | None) -> str | None:
    """The strategy, or the game's default; UsageError if the game doesn't know it."""
    known = strategies(game)
    if strategy is not None and strategy not in known:
        allowed = (
            f"one of {', '.join(known)}" if known else "left out, as the game leaves the player no choice"
        )
        raise UsageError(f"strategy: must be {allowed}, but got {strategy!r}")
    return strategy or default_strategy(game)
