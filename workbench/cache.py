"""Where results that take long are kept between runs: under WORKBENCH_CACHE_DIR, else the user's cache folder."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def cache_root() -> Path:
    """The folder; it need not be there yet."""
    root = os.environ.get("WORKBENCH_CACHE_DIR") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "workbench"
    )
    return Path(root)


def is_writable(folder: Path) -> bool:
    """Whether files can be written into a folder, which is made if it isn't there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
