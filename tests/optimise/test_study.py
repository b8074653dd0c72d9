"""A study gives the same trials whatever the workers, and goes on where it stopped."""

import random

import pytest

from workbench.errors import UsageError, WorkbenchError
from workbench.optimise.ledger import Ledger, forget_storages
from workbench.optimise.study import Parameter, StudySettings, run_study

SPACE = [Parameter("x", -5, 5), Parameter("y", 0.0, 1.0, whole=False)]


@pytest.fixture(autouse=True)
def _closed():
    yield
    forget_storages()


def _objective(number, values):
    return (values["x"] - 2) ** 2 + abs(values["y"] - 0.3) + 0.01


def _run(trials, workers=1, storage=None, resume=False, seed=4):
    settings = StudySettings("s", seed, trials, workers, storage, resume)
    return run_study(SPACE, _objective, settings)


def test_workers_change_nothing():
    assert _run(40) == _run(40, workers=3)


def test_the_seed_changes_the_trials():
    assert _run(16) != _run(16, seed=5)


def test_the_study_learns():
    found = _run(64)
    assert min(t.score for t in found[24:]) < 0.3


def test_a_resumed_study_is_the_unbroken_one(tmp_path):
    whole = _run(40, storage=f"sqlite:///{tmp_path / 'a.db'}")
    storage = f"sqlite:///{tmp_path / 'b.db'}"
    first = _run(16, storage=storage)
    again = _run(40, storage=storage, resume=True)
    assert first == whole[:16]
    assert again == whole


def test_cut_at_any_line_of_its_journal_and_resumed_it_is_the_unbroken_one(tmp_path):
    whole = _run(28, storage=str(tmp_path / "a.journal"))
    lines = (tmp_path / "a.journal").read_bytes().splitlines(keepends=True)
    assert len(lines) > 3 * 28
    for cut in {1, 2, 4, 11, 13, len(lines) - 1, *random.sample(range(len(lines)), 6)}:
        path = tmp_path / f"{cut}.journal"
        path.write_bytes(b"".join(lines[:cut]))
        assert _run(28, storage=str(path), resume=True) == whole, cut


def test_an_objective_that_fails_gives_its_trials_back(tmp_path):
    storage, calls = str(tmp_path / "a.journal"), []

    def failing(number, values):
        calls.append(number)
        if number == 11:
            raise ZeroDivisionError
        return _objective(number, values)

    settings = StudySettings("s", 4, 24, 3, storage, False)
    with pytest.raises(ZeroDivisionError):
        run_study(SPACE, failing, settings)
    assert all(e.score is not None or e.is_free for e in Ledger.at(storage).page("s").entries().values())
    assert _run(24, storage=storage, resume=True) == _run(24)


def test_when_it_is_late_one_trial_is_played_at_the_least(tmp_path):
    late = StudySettings("s", 4, 24, 1, str(tmp_path / "a.journal"), False)
    late.stop.set()
    found = run_study(SPACE, _objective, late)
    assert 1 <= len(found) < 8
    assert found == _run(24)[: len(found)]
    assert _run(24, storage=late.storage, resume=True) == _run(24)


def test_another_seed_is_not_resumed(tmp_path):
    storage = str(tmp_path / "a.journal")
    _run(12, storage=storage)
    with pytest.raises(UsageError, match="was made with another seed"):
        _run(24, storage=storage, seed=5, resume=True)


def test_a_study_of_that_name_is_not_overwritten(tmp_path):
    storage = f"sqlite:///{tmp_path / 'a.db'}"
    _run(8, storage=storage)
    with pytest.raises(UsageError, match="--resume"):
        _run(8, storage=storage)


@pytest.mark.parametrize("url", ["nonsense", "sqlite:////no/such/folder/x.db", "weird://x"])
def test_a_storage_that_refuses_is_one_line(url):
    with pytest.raises(WorkbenchError) as error:
        _run(8, storage=url)
    assert "\n" not in str(error.value)


def test_it_stops_as_soon_as_the_score_is_met():
    settings = StudySettings("s", 4, 400, 1, None, False)
    found = run_study(SPACE, _objective, settings, met=1.0)
    assert len(found) < 400
    assert min(t.score for t in found) <= 1.0
