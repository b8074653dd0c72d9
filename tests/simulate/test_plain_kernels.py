"""The kernels' own code, run by Python without numba: every index is then checked, and no count may differ."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import json, random, sys
import numpy as np
sys.path.insert(0, sys.argv[1])
from oracles.line_games import random_line_game
from simulate.money_sets import lively_set, spellmaster
from simulate.sets import codex, wild_set
from workbench.simulate.machine import Buffers, machine_for
from workbench.simulate.source import stream
from workbench.simulate.strategy import named_strategies

found = []
for seed in (1, 2):
    for machine in (
        machine_for(codex(), wild_set(seed), named_strategies(codex())["always-save-use-at-1"]),
        machine_for(spellmaster(), lively_set(seed), None),
        machine_for(*random_line_game(random.Random(seed)), None),
    ):
        buffers, state, carry = Buffers.empty(machine), stream(seed, 0), machine.carry()
        with np.errstate(over="ignore"):
            machine.play(buffers, state, carry, 40)
        found.append([buffers.counts.tolist(), buffers.squares.tolist(), [int(w) for w in state], carry.tolist()])
print(json.dumps(found))
"""


def played(**settings: str) -> list[object]:
    folder = str(Path(__file__).parent.parent)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, folder],
        env={**os.environ, **settings},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return list(json.loads(done.stdout))


@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="nothing to compare with")
def test_kernels_without_numba_play_the_same_rounds() -> None:
    plain = played(NUMBA_DISABLE_JIT="1")
    assert plain == played()
    assert any(any(counts) for counts, *_ in plain)  # type: ignore[misc]
