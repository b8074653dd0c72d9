"""Sensitivities by evaluating every edited set anew, the parts that a change leaves alone kept: slow, and sure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from workbench.errors import WorkbenchError
from workbench.reels.strip_set import StripSet
from workbench.sensitivity.changes import Change
from workbench.sensitivity.gauges import Gauge
from workbench.sensitivity.table import Array

Progress = Callable[[int], None]


def brute_changes(
    gauge: Gauge,
    strips: StripSet,
    changes: Sequence[Change],
    refused: dict[Change, str],
    progress: Progress = lambda done: None,
) -> Array:
    """(changes, figures): by how much each change moves each figure; NaN, and why in ``refused``, where it can't be had."""
    base = gauge(strips)
    found = np.full((len(changes), len(base)), np.nan)
    for i, change in enumerate(changes):
        try:
            edited = gauge(change.edited(strips))
        except WorkbenchError as error:
            refused[change] = str(error)
        else:
            found[i] = [edited.get(name, np.nan) - value for name, value in base.items()]
        progress(1)
    return found
