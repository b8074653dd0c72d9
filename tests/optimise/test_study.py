"""A study gives the same trials whatever the workers, and goes on where it stopped."""

import pytest

from workbench.errors import UsageError, WorkbenchError
from workbench.optimise.study import Parameter, StudySettings, run_study

SPACE = [Parameter("x", -5, 5), Parameter("y", 0.0, 1.0, whole=False)]


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
