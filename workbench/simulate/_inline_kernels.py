"""Helpers that are always melted into the kernel that calls them.

Left to itself the compiler calls a helper of a helper: every array is then passed as seven words and a round takes
twice as long.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from workbench.jit import inline

_Helper = TypeVar("_Helper", bound=Callable[..., Any])


def melted(function: _Helper) -> _Helper:
    """Compile a helper that is inlined wherever it is called."""
    compiled = inline(function)
    options = getattr(compiled, "targetoptions", None)
    if options is not None:
        options["forceinline"] = True
    return compiled
