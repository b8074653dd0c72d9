"""A study has one leader that lives; who follows it leaves when it ends, is silent, or goes another way."""

import threading
import time

import pytest

from workbench.errors import UsageError
from workbench.optimise import parts
from workbench.optimise.ledger import Ledger, forget_storages
from workbench.optimise.parts import FINISHED, RUNNING, STATE, STOPPED, Follower, Leader, RunOver


@pytest.fixture
def root(tmp_path, monkeypatch):
    for module in ("parts", "crew"):
        monkeypatch.setattr(f"workbench.optimise.{module}.BEAT", 0.1)
    monkeypatch.setattr(parts, "STRAYED", 0.3)
    monkeypatch.setattr(parts, "LONGEST_WAIT", 0.02)
    yield Ledger.at(str(tmp_path / "a.journal")).begun("s", {})
    forget_storages()


def never():
    return False


def test_a_second_leader_is_refused_while_the_first_lives(root):
    with Leader(root, never):
        assert root.attributes()[STATE] == RUNNING
        with pytest.raises(UsageError, match="a run of this study is going on; workbench work joins it"):
            Leader(root, never).__enter__()
    assert root.attributes()[STATE] == FINISHED


def test_a_dead_leader_is_succeeded(root):
    root.set(STATE, RUNNING)
    root.set(parts.PULSE, "dead 7")
    with Leader(root, never):
        pass
    assert root.attributes()[STATE] == FINISHED


def test_a_leader_that_is_late_or_fails_has_stopped(root):
    late = threading.Event()
    with Leader(root, late.is_set):
        late.set()
        until = time.monotonic() + 5
        while root.attributes()[STATE] != STOPPED:
            assert time.monotonic() < until
            time.sleep(0.02)
    assert root.attributes()[STATE] == STOPPED
    with pytest.raises(KeyError), Leader(root, never):
        raise KeyError
    assert root.attributes()[STATE] == STOPPED


def over(follower):
    until = time.monotonic() + 5
    while not follower.is_over:
        assert time.monotonic() < until
        time.sleep(0.02)
    return True


def test_a_follower_leaves_when_the_leader_ends(root):
    leader = Leader(root, never).__enter__()
    with Follower(root, "s", 60.0) as follower:
        time.sleep(0.3)
        assert not follower.is_over
        leader.__exit__(None, None, None)
        assert over(follower)
        with pytest.raises(RunOver):
            follower.page("s.base")


def test_a_follower_leaves_a_leader_that_is_silent(root):
    root.set(STATE, RUNNING)
    with Follower(root, "s", 0.3) as follower:
        assert over(follower)


def test_a_follower_waits_for_the_leader_at_a_study_and_refuses_to_stray(root):
    with Leader(root, never) as leader, Follower(root, "s", 60.0) as follower:
        page = root.ledger.begun("s.base", {})
        leader.announce("s.base")
        assert follower.page("s.base") == page
        leader.announce("s.features.1234")
        with pytest.raises(
            UsageError, match=r"is at s\.features\.1234, but the same order leads to s\.features\.abcd"
        ):
            follower.page("s.features.abcd")
