"""All units of weight of a game with Keys on position reels: wheels by their kept tables, cells by linear forms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.errors import WorkbenchError
from workbench.reels.strip_set import StripSet
from workbench.sensitivity.brute import Progress
from workbench.sensitivity.changes import Change, Unit
from workbench.sensitivity.gauges import KeyGauge
from workbench.sensitivity.key_batch import KeyBatch, batch_figures
from workbench.sensitivity.key_cells import cell_batches
from workbench.sensitivity.table import Array


def key_units(
    gauge: KeyGauge,
    strips: StripSet,
    changes: Sequence[Unit],
    refused: dict[Change, str],
    progress: Progress,
) -> Array:
    """(units, figures): by how much each unit moves each figure of the gauge; NaN, and why, where it leaves none."""
    now = gauge(strips)
    names, values = list(now), np.array(list(now.values()))
    batches = _of_wheels(gauge, strips, [unit for unit in changes if unit.stage is None], refused)
    batches |= _of_cells(gauge, strips, [unit for unit in changes if unit.stage is not None], refused)
    found = np.full((len(changes), len(names)), np.nan)
    which = [i for i, unit in enumerate(changes) if unit in batches]
    if which:
        batch = KeyBatch.joined([batches[changes[i]] for i in which])
        found[which] = batch_figures(gauge.game, gauge.strategy, batch, names) - values
    progress(len(changes))
    return found


def _of_wheels(
    gauge: KeyGauge, strips: StripSet, changes: Sequence[Unit], refused: dict[Change, str]
) -> dict[Unit, KeyBatch]:
    found = {}
    for unit in changes:
        try:
            value = gauge.value(unit.edited(strips))
            found[unit] = KeyBatch.of(value, gauge.moments(value), 1)
        except WorkbenchError as error:
            refused[unit] = str(error)
    return found


def _of_cells(
    gauge: KeyGauge, strips: StripSet, changes: Sequence[Unit], refused: dict[Change, str]
) -> dict[Unit, KeyBatch]:
    hold = gauge.game.hold_and_spin
    if hold is None or not changes:
        return {}
    value = gauge.value(strips)
    base = KeyBatch.of(value, gauge.moments(value), 1)
    starts, spin = gauge.starts(value, hold), gauge.spin_parts(value)
    found, without = cell_batches(gauge.game, hold, strips, starts, changes, base, spin[1])
    for unit, reason in without.items():
        refused[unit] = reason
    return found
