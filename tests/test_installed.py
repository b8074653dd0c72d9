"""What a wheel holds beside the code: the shipped strips and the notebooks, found where they then stand."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
ASK = """
from pathlib import Path
from workbench.commands.desk import notebooks
from workbench.library import find_strips, strip_sets
package = Path(__import__("workbench").__file__).parent
print(package.parent.name)
print(find_strips("codex-of-fortune/strategy").relative_to(package).as_posix())
print(len(strip_sets("spellmaster")))
print(len(list(notebooks(None).glob("*.ipynb"))), notebooks(None).name)
"""


def test_strips_and_notebooks_are_found_in_an_installed_package(tmp_path):
    site, here = tmp_path / "site", tmp_path / "here"
    here.mkdir()
    shutil.copytree(ROOT / "workbench", site / "workbench", ignore=shutil.ignore_patterns("__pycache__"))
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]["targets"]["wheel"]
    for source, place in wheel["force-include"].items():
        shutil.copytree(ROOT / source, site / place, ignore=shutil.ignore_patterns(".ipynb_checkpoints"))
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(site)!r}){ASK}"],
        capture_output=True, text=True, cwd=here, check=False,
    )  # fmt: skip
    assert done.stderr == ""
    shipped = len(list((ROOT / "notebooks").glob("*.ipynb")))
    assert done.stdout.split() == [
        "site",
        "strips/codex-of-fortune/strategy.json",
        "4",
        str(shipped),
        "notebooks",
    ]
