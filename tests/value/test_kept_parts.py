"""Kept parts are those that were made, few, and safe where many threads ask."""

import random
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from workbench.value.kept_parts import KeptParts


def test_a_part_is_made_once_and_the_first_goes_first():
    made = []

    def maker(key):
        return lambda: made.append(key) or key

    kept = KeptParts(2)
    for key in (1, 2, 1, 3, 2, 3, 1):
        assert kept.part(key, maker(key)) == key
    assert made == [1, 2, 3, 1]


def test_a_part_may_be_none_and_a_maker_may_raise():
    kept = KeptParts(1)
    with pytest.raises(ZeroDivisionError):
        kept.part("a", lambda: 1 // 0)
    assert kept.part("a", lambda: None) is None
    assert kept.part("a", lambda: 1 // 0) is None


def test_makers_ask_for_parts_themselves():
    kept = KeptParts(1)
    assert kept.part("whole", lambda: kept.part("half", lambda: 21) * 2) == 42


@dataclass(frozen=True)
class Stage:
    """As keys have them: hashed and compared by Python, so that threads change there too."""

    number: int


def test_threads_get_the_right_parts():
    """Every lookup evicts: a dictionary that others change while it is read would raise or lack what was put there."""
    kept = KeptParts(3)

    def ask(seed):
        rng = random.Random(seed)
        numbers = [rng.randrange(40) for _ in range(2000)]
        return all(kept.part((Stage(n), Stage(-n)), lambda n=n: n * n) == n * n for n in numbers)

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(8) as pool:
            assert all(pool.map(ask, range(8)))
    finally:
        sys.setswitchinterval(before)
