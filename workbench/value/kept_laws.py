"""Laws kept between runs, by what they depend on: strip set, definition, and the program's own sources.

A law is a file of plain arrays (no pickles) in the cache folder, written whole or not at all. What can't be read, or doesn't
look like a law, is computed anew; where nothing can be written nothing is kept.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from workbench.cache import cache_root, is_writable
from workbench.game.definition import GameDefinition
from workbench.reels.files import strip_set_sha256
from workbench.reels.strip_set import StripSet
from workbench.value.key_law import KeyLaw, KeyRounds, key_law
from workbench.value.quick_key_law import quick_key_law
from workbench.value.round import RoundValue, default_strategy, evaluate
from workbench.value.round_law import RoundLaw

KEPT = 32
SOURCES = ("exact", "features", "game", "prob", "reels", "value")
MOST_BYTES = 1 << 28


def kept_key_law(value: RoundValue) -> KeyLaw:
    """The laws of a strip set, from the cache where they are in it."""
    path = _path(value)
    found = _read(path)
    if found is None:
        found = key_law(value)
        if is_writable(path.parent):
            _write(found, path)
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
    laws = _read(_path(value)) if quick else kept_key_law(value)
    found = KeyRounds.of(value, laws).law(solution) if laws else quick_key_law(value, solution)
    return replace(found, strategy=strategy)


def _path(value: RoundValue) -> Path:
    parts = (strip_set_sha256(value.strips), value.game.sha256, _sources())
    name = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]
    return cache_root() / "laws" / f"{name}.npz"


@cache
def _sources() -> str:
    """SHA-256 over all that a law is computed with."""
    package, digest = Path(__file__).parent.parent, hashlib.sha256(np.__version__.encode())
    for name in SOURCES:
        for path in sorted((package / name).rglob("*.py")):
            digest.update(path.relative_to(package).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def _read(path: Path) -> KeyLaw | None:
    try:
        if path.stat().st_size > MOST_BYTES:
            return None
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            law = KeyLaw(
                file["plain"].astype(np.float64),
                file["hold"].astype(np.float64),
                file["free"].astype(np.float64),
                float(file["left_out"]),
            )
    except (OSError, KeyError, ValueError, TypeError, EOFError, zipfile.BadZipFile):
        return None
    return law if _is_law(law) else None


def _is_law(law: KeyLaw) -> bool:
    shapes = (law.plain.ndim, law.hold.ndim, law.free.ndim) == (2, 4, 3)
    if not shapes or len(law.plain) != 2 or len(law.hold) != 2:
        return False
    whole = float(law.plain.sum() + law.hold.sum())
    positive = all(bool((part >= 0).all()) for part in (law.plain, law.hold, law.free))
    return positive and abs(whole - 1) < 1e-9


def _write(law: KeyLaw, path: Path) -> None:
    """Write the file whole, and forget the oldest ones."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez_compressed(
                    file, plain=law.plain, hold=law.hold, free=law.free, left_out=np.array(law.left_out)
                )
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
        kept = sorted(path.parent.glob("*.npz"), key=lambda p: p.stat().st_mtime, reverse=True)
        for old in kept[KEPT:]:
            old.unlink(missing_ok=True)
    except OSError:
        return
