"""What all tests share: a kernel cache of their own, and no silent skips where none are allowed."""

import os
import sys
import tempfile
from pathlib import Path

import pytest

# A fresh folder, so that no test ever runs a kernel compiled from other sources.
os.environ.setdefault("WORKBENCH_CACHE_DIR", tempfile.mkdtemp(prefix="workbench-tests-"))
# As the command line does; plugins may import numpy before the command line is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parent))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """With WORKBENCH_NO_SKIPS a skip is a failure."""
    outcome = yield
    report = outcome.get_result()
    if report.skipped and os.environ.get("WORKBENCH_NO_SKIPS"):
        report.outcome = "failed"
        report.longrepr = f"skipped, but WORKBENCH_NO_SKIPS is set: {report.longrepr}"
