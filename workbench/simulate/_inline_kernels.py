"""Helpers that are always melted into the kernel that calls them.

Left to itself the compiler calls a helper of a helper: every array is then passed as seven words and a round takes
twice as long.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workbench.jit import inline


def melted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a helper that is inlined wherever it is called."""
    compiled = inline(function)
    options = getattr(compiled, "targetoptions", None)
    if options is not None:
        options["forceinline"] = True
    return compiled
