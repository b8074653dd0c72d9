"""Arrays kept between runs, by what they depend on: strip set, definition, and the program's own sources.

They are files of plain arrays (no pickles) in the cache folder, written whole or not at all. What can't be read isn't there;
where nothing can be written nothing is kept. Whoever reads looks whether the arrays are what he wrote.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zipfile
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.cache import cache_root, is_writable
from workbench.game.definition import GameDefinition
from workbench.reels.files import strip_set_sha256
from workbench.reels.strip_set import StripSet

KEPT = 32
SOURCES = ("exact", "features", "game", "prob", "reels", "value")
MOST_BYTES = 1 << 28


def place_of(game: GameDefinition, strips: StripSet) -> Path:
    """Where the arrays of a strip set are, if they are kept."""
    parts = (strip_set_sha256(strips), game.sha256, _sources())
    name = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]
    return cache_root() / "laws" / f"{name}.npz"


def read_arrays(path: Path) -> dict[str, NDArray[Any]] | None:
    """The arrays of a file by name; None if there is none that can be read."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return None
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            return {name: np.asarray(file[name]) for name in file.files}
    except (OSError, KeyError, ValueError, TypeError, EOFError, zipfile.BadZipFile):
        return None


def keep_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a file of arrays whole, if it can be written, and forget the oldest ones."""
    if not is_writable(path.parent):
        return
    try:
        _write(path, arrays)
        kept = sorted(path.parent.glob("*.npz"), key=lambda p: p.stat().st_mtime, reverse=True)
        for oldest in kept[KEPT:]:
            oldest.unlink(missing_ok=True)
    except OSError:
        return


def _write(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            np.savez_compressed(file, **dict(arrays))  # type: ignore[arg-type]
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


@cache
def _sources() -> str:
    """SHA-256 over all that a law is computed with."""
    package, digest = Path(__file__).parent.parent, hashlib.sha256(np.__version__.encode())
    for name in SOURCES:
        for path in sorted((package / name).rglob("*.py")):
            digest.update(path.relative_to(package).as_posix().encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()
