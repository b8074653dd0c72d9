"""The journal waits for the disk with what mustn't be lost, and quick scores share a wait."""

import os

import pytest
from optuna.distributions import IntDistribution

from workbench.optimise import storage
from workbench.optimise.ledger import Ledger, forget_storages

SPACE = {"x": IntDistribution(0, 9)}


@pytest.fixture
def waits(monkeypatch):
    """How many times the disk was waited for so far."""
    plain, seen = os.fsync, []
    monkeypatch.setattr(storage.os, "fsync", lambda handle: (seen.append(handle), plain(handle)))
    return seen


@pytest.fixture
def seconds(monkeypatch):
    """A clock that a test turns."""
    hand = [1000.0]
    monkeypatch.setattr(storage.time, "monotonic", lambda: hand[0])
    return hand


@pytest.fixture
def page(tmp_path):
    yield Ledger.at(str(tmp_path / "a.journal")).begun("study", {})
    forget_storages()


def test_quick_scores_share_a_wait_and_slow_ones_wait_each(waits, seconds, page):
    entries = list(page.offer({i: {"x": i} for i in range(8)}, SPACE).values())
    assert len(waits) == 1, "the study"
    for entry in entries[:5]:
        page.finish(entry, 1.0)
    assert len(waits) == 1
    for entry in entries[5:]:
        seconds[0] += storage.SYNC_SECONDS
        page.finish(entry, 1.0)
    assert len(waits) == 4


def test_what_concerns_a_study_waits_whenever_it_comes_and_takes_the_scores_along(waits, seconds, page):
    (entry,) = page.offer({0: {"x": 1}}, SPACE).values()
    page.finish(entry, 1.0)
    page.set("result", "met")
    page.set("result", "met twice")
    assert len(waits) == 3


def test_a_score_that_shared_a_wait_is_in_the_file_at_once(seconds, page, tmp_path):
    (entry,) = page.offer({0: {"x": 1}}, SPACE).values()
    page.finish(entry, 0.125)
    assert b"0.125" in (tmp_path / "a.journal").read_bytes()
