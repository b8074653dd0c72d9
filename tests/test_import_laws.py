"""The map of the code holds: who may import whom, and each outside package has one door."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "workbench"

MAY_IMPORT = {
    "errors": set(),
    "cache": set(),
    "jit": {"cache"},
    "prob": {"errors", "jit"},
    "game": {"errors"},
    "reels": {"errors", "game"},
    "exact": {"errors", "jit", "prob", "game", "reels"},
    "features": {"errors", "jit", "prob", "game", "reels", "exact"},
    "value": {"errors", "cache", "jit", "prob", "game", "reels", "exact", "features"},
    "compare": {"errors", "game", "reels", "value", "library", "verify"},
    "report": {"errors", "game", "reels", "exact", "value", "sensitivity"},
    "export": {"errors", "game", "reels", "value", "library", "verify"},
    "reading": {"errors", "game", "reels", "export"},
    "sensitivity": {"errors", "jit", "prob", "game", "reels", "exact", "features", "value"},
    "optimise": {
        "errors",
        "prob",
        "game",
        "reels",
        "exact",
        "features",
        "value",
        "library",
        "commands",
        "compare",
    },
    "display": {
        "errors",
        "game",
        "reels",
        "value",
        "library",
        "report",
        "simulate",
        "sensitivity",
        "compare",
        "optimise",
        "commands",
    },
    "api": {
        "errors",
        "value",
        "library",
        "simulate",
        "solved",
        "sensitivity",
        "compare",
        "verify",
        "optimise",
        "display",
    },
    "desk": {"errors", "game", "reels", "value", "sensitivity", "display", "api"},
}
DOORS = {
    "numba": {"jit.py"},
    "optuna": {"optimise/study.py", "optimise/ledger.py", "optimise/storage.py"},
    "matplotlib": {"sensitivity/picture.py", "report/law_picture.py"},
    "ipywidgets": {"desk/widgets.py", "desk/grids.py", "desk/sliders.py"},
    "pandas": {"display/objects.py"},
    "openpyxl": {"export/xlsx_sheets.py"},
    "xlsxwriter": {"export/xlsx_book.py", "report/xlsx/door.py"},
    "cryptography": {"export/signature.py"},
}


def _imports(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module


def _files(part):
    single = PACKAGE / f"{part}.py"
    return [single] if single.exists() else sorted((PACKAGE / part).rglob("*.py"))


@pytest.mark.parametrize("part", MAY_IMPORT)
def test_a_part_imports_only_from_above(part):
    files = _files(part)
    assert files
    for path in files:
        for name in _imports(path):
            if name.startswith("workbench."):
                other = name.split(".")[1]
                assert other == part or other in MAY_IMPORT[part], f"{path.name} imports {name}"


@pytest.mark.parametrize("package", DOORS)
def test_an_outside_package_has_one_door(package):
    users = {
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        for name in _imports(path)
        if name.split(".")[0] == package
    }
    assert users == DOORS[package]


def test_kernel_files_are_named_so_that_the_cache_key_sees_them():
    for path in PACKAGE.rglob("*.py"):
        uses = set(_imports(path)) & {"workbench.jit"}
        assert not uses or path.name.endswith("_kernels.py"), path
