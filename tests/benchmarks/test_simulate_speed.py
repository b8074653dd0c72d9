"""Rounds a second of the simulator's kernels, features on. Run with ``--benchmark-enable``; nothing is asserted on time."""

from __future__ import annotations

from typing import Any

import pytest
from simulate.money_sets import likely_set, spellmaster
from simulate.sets import codex, realistic

from workbench.simulate._shapes_kernels import LARGEST
from workbench.simulate.machine import Buffers, CodexMachine, Machine, MoneyMachine
from workbench.simulate.source import stream
from workbench.simulate.strategy import named_strategies

ROUNDS = 200_000


def machine(game: str) -> Machine:
    if game == "codex-of-fortune":
        return CodexMachine(codex(), realistic(), named_strategies(codex())["advertised"])
    return MoneyMachine(spellmaster(), likely_set())


@pytest.mark.parametrize("game", ["codex-of-fortune", "spellmaster"])
def test_rounds(benchmark: Any, game: str) -> None:
    player = machine(game)
    buffers, state, carry = Buffers.empty(player), stream(1, 0), player.carry()
    player.play(buffers, state, carry, 10)
    benchmark(player.play, buffers, state, carry, ROUNDS)
    assert buffers.peak[LARGEST] > 0
