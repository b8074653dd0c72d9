"""Laws kept between runs: those of games with Keys, and those of games with modifiers, whose draws take minutes.

What doesn't look like a law is computed anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.game.definition import GameDefinition
from workbench.reels.strip_set import StripSet
from workbench.value.estimated import Estimated
from workbench.value.kept_arrays import keep_arrays, place_of, read_arrays
from workbench.value.key_law import KeyLaw, KeyRounds, key_law
from workbench.value.modifier_round_law import modifier_round_law
from workbench.value.quick_key_law import quick_key_law
from workbench.value.round import RoundValue, default_strategy, evaluate
from workbench.value.round_law import RoundLaw

Arrays = Mapping[str, NDArray[Any]]


def kept_key_law(value: RoundValue) -> KeyLaw:
    """The laws of a strip set with Keys, from the cache where they are in it."""
    found = _read_key_law(value)
    if found is None:
        found = key_law(value)
        keep_arrays(
            place_of(value.game, value.strips),
            {
                "plain": found.plain,
                "hold": found.hold,
                "free": found.free,
                "left_out": np.array(found.left_out),
            },
        )
    return found


def key_round_law(
    game: GameDefinition, strips: StripSet, strategy: str | None, quick: bool = False
) -> RoundLaw:
    """The law of a round under a strategy (None: the game's default); UsageError for an unknown one.

    ``quick``: rounds with a feature are drawn unless the exact laws are kept already.
    """
    value = evaluate(game, strips)
    strategy = strategy or default_strategy(game)
    solution = value.solution(strategy)
    laws = _read_key_law(value) if quick else kept_key_law(value)
    found = KeyRounds.of(value, laws).law(solution) if laws else quick_key_law(value, solution)
    return replace(found, strategy=strategy)


def kept_modifier_law(game: GameDefinition, strips: StripSet, quick: bool = False) -> RoundLaw:
    """The law of a round of a game with modifiers; ``quick``: drawn less often unless it is kept already."""
    path = place_of(game, strips)
    kept = read_arrays(path)
    found = _modifier_law_of(kept) if kept is not None else None
    if found is not None or quick:
        return found or modifier_round_law(game, strips, quick)
    found = modifier_round_law(game, strips)
    keep_arrays(path, _arrays_of(found))
    return found


def _read_key_law(value: RoundValue) -> KeyLaw | None:
    arrays = read_arrays(place_of(value.game, value.strips))
    if arrays is None:
        return None
    try:
        plain, hold, free = (_floats(arrays[name]) for name in ("plain", "hold", "free"))
        law = KeyLaw(plain, hold, free, float(arrays["left_out"]))
    except (KeyError, ValueError, TypeError):
        return None
    return law if _is_key_law(law) else None


def _is_key_law(law: KeyLaw) -> bool:
    shapes = (law.plain.ndim, law.hold.ndim, law.free.ndim) == (2, 4, 3)
    if not shapes or len(law.plain) != 2 or len(law.hold) != 2:
        return False
    whole = float(law.plain.sum() + law.hold.sum())
    positive = all(bool((part >= 0).all()) for part in (law.plain, law.hold, law.free))
    return positive and abs(whole - 1) < 1e-9


def _arrays_of(law: RoundLaw) -> Arrays:
    """A law of a round as arrays; what is drawn as its counts."""
    numbers = {
        "step": np.array([law.step.numerator, law.step.denominator], dtype=np.int64),
        "chances": law.chances,
        "bounds": np.array([law.left_out, law.error]),
        "dependent": np.array(law.dependent),
    }
    part = law.estimated
    if part is None:
        return numbers
    deviation = np.nan if part.standard_deviation is None else part.standard_deviation
    return {
        **numbers,
        "counts": part.counts,
        "seed": np.array(part.seed, dtype=np.int64),
        "part": np.array([part.share, part.mean, deviation]),
    }


def _modifier_law_of(arrays: Arrays) -> RoundLaw | None:
    try:
        step, bounds = Fraction(*map(int, arrays["step"])), arrays["bounds"]
        law = RoundLaw(
            step,
            _floats(arrays["chances"]),
            float(bounds[0]),
            float(bounds[1]),
            _part_of(arrays) if "counts" in arrays else None,
            bool(arrays["dependent"]),
        )
    except (KeyError, IndexError, ValueError, TypeError, ZeroDivisionError):
        return None
    return law if _is_round_law(law) else None


def _part_of(arrays: Arrays) -> Estimated:
    share, mean, deviation = map(float, arrays["part"])
    counts = arrays["counts"].astype(np.int64)
    return Estimated(share, counts, int(arrays["seed"]), mean, None if np.isnan(deviation) else deviation)


def _is_round_law(law: RoundLaw) -> bool:
    part = law.estimated
    drawn = part is None or (part.counts.ndim == 1 and bool((part.counts >= 0).all()) and part.draws > 0)
    whole = law.chances.ndim == 1 and abs(float(law.chances.sum()) - 1) < 1e-9
    return drawn and whole and law.step > 0 and bool((law.chances >= 0).all())


def _floats(array: NDArray[Any]) -> NDArray[np.float64]:
    return array.astype(np.float64)
