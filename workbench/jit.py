"""The one door to numba.

numba's on-disk cache is keyed by the file of the compiled function only: when a function it *calls* changes
in another file, the stale machine code is used without a word, and for us that is a wrong RTP. So the
cache lives in a folder named by the hash of every kernel source and of the numba version, and a change of
any kernel starts a new folder. A home that can't be written falls back to a temporary folder.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from workbench.cache import cache_root, is_writable


def _sources_digest(version: str) -> str:
    """SHA-256 over all kernel sources of the package and the numba version, first 16 hex digits."""
    package = Path(__file__).parent
    digest = hashlib.sha256(version.encode())
    for path in sorted(package.rglob("*_kernels.py")):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    digest.update(Path(__file__).read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder(version: str) -> Path:
    folder = cache_root() / f"kernels-{_sources_digest(version)}"
    if is_writable(folder):
        return folder
    return Path(tempfile.mkdtemp(prefix="workbench-kernels-"))


import numba  # noqa: E402  (the version is part of the cache key)

numba.config.CACHE_DIR = str(  # type: ignore[attr-defined]
    _cache_folder(numba.__version__)
)


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile ``function`` on first call, cached on disk; ``.py_func`` is the same code in Python."""
    return cast(Callable[..., Any], numba.njit(cache=True, nogil=True, error_model="numpy")(function))


def inline(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a small helper that other kernels call."""
    return cast(Callable[..., Any], numba.njit(cache=False, nogil=True, error_model="numpy")(function))


def melted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a helper that is put into every kernel that calls it, at the price of a longer compilation.

    Left to itself the compiler calls a helper of a helper: every array is then passed as seven words and an inner loop
    takes twice as long.
    """
    return cast(
        Callable[..., Any],
        numba.njit(cache=False, nogil=True, error_model="numpy", forceinline=True)(function),
    )
