"""Recalculates workbooks with LibreOffice without a screen, and reads what their cells show."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

# always recalculate what is loaded: a file's stored values must not pass for computed ones
SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value>
</prop></item></oor:items>
"""


def office() -> str:
    """The program; without it a test skips, and fails where nothing may."""
    found = shutil.which("soffice") or shutil.which("libreoffice")
    if found is None:
        if os.environ.get("WORKBENCH_NO_SKIPS") == "1":
            pytest.fail("LibreOffice is missing: apt-get install libreoffice-calc")
        pytest.skip("LibreOffice is missing: apt-get install libreoffice-calc")
    return found


def recalculated(folder: Path, kind: str = "xlsx") -> Path:
    """A folder with all workbooks of a folder, recalculated in one run."""
    profile, out = folder / "profile", folder / "recalculated"
    (profile / "user").mkdir(parents=True, exist_ok=True)
    (profile / "user" / "registrymodifications.xcu").write_text(SETTINGS)
    books = sorted(str(path) for path in folder.glob("*.xlsx"))
    command = [office(), f"-env:UserInstallation=file://{profile}", "--headless", "--convert-to", kind]
    done = subprocess.run(
        [*command, "--outdir", str(out), *books], capture_output=True, text=True, timeout=300, check=False
    )
    assert len(list(out.glob(f"*.{kind}"))) == len(books), done.stdout + done.stderr
    return out
