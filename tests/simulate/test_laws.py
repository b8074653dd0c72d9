"""What the simulator may import, and that constants of compiled code stand in hashed files."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import workbench.simulate

FOLDER = Path(workbench.simulate.__file__).parent
ALLOWED = ("workbench.errors", "workbench.jit", "workbench.game", "workbench.reels", "workbench.simulate")
FORBIDDEN = (
    "workbench.exact",
    "workbench.prob",
    "workbench.features",
    "workbench.value",
    "scipy",
    "numba",
    "optuna",
)


def imports(path: Path) -> set[str]:
    """Modules a file imports anywhere, also inside functions."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: relative import"
            found |= {node.module or ""} | {f"{node.module}.{name.name}" for name in node.names}
    return found


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*.py")), ids=lambda p: p.name)
def test_simulator_owes_nothing_to_the_exact_way(path: Path) -> None:
    names = imports(path)
    assert not [name for name in names if name.startswith(FORBIDDEN)]
    assert not [name for name in names if name.startswith("workbench.") and not name.startswith(ALLOWED)]
    assert not any("import_module" in line or "__import__" in line for line in path.read_text().splitlines())


@pytest.mark.parametrize("path", sorted(FOLDER.rglob("*_kernels.py")), ids=lambda p: p.name)
def test_kernels_take_constants_only_from_hashed_files(path: Path) -> None:
    own = {n for n in imports(path) if n.startswith("workbench.simulate.")}
    assert all(n.split(".")[2].endswith("_kernels") for n in own)
