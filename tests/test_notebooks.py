"""The course runs from a clean kernel, each of its assertions holds, and what is kept in the files is what comes out."""

from __future__ import annotations

import json
import re

import nbformat
import pytest

from tests.notebooks import FOLDER, course, executed, texts

LESSONS = (
    "01-strips-and-windows",
    "02-line-wins",
    "03-hold-and-spin",
    "04-free-spins",
    "05-keys-and-strategy",
    "06-spellmaster-modifiers",
    "07-the-law-of-a-round",
    "08-tuning-to-a-target",
    "09-cross-examination",
    "10-sign-off",
)


def test_the_course_is_whole():
    assert tuple(path.stem for path in course()) == LESSONS


@pytest.mark.parametrize("lesson", LESSONS)
# what a kernel's transport warns of is not the notebook's
@pytest.mark.filterwarnings("default")
def test_a_lesson_says_what_it_said(lesson):
    path = FOLDER / f"{lesson}.ipynb"
    assert texts(executed(path)) == texts(nbformat.read(path, as_version=4))


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_lesson_ends_with_an_assertion_and_hides_nothing(lesson):
    notebook = json.loads((FOLDER / f"{lesson}.ipynb").read_text(encoding="utf-8"))
    sources = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert "assert " in sources[-1] or "assert " in sources[-2]
    assert all(len(source.splitlines()) <= 45 for source in sources)
    whole = json.dumps(notebook)
    assert not re.search(r"/tmp/|/home/|/root/|/Users/", whole)
    assert not re.search(r"from workbench\.|import workbench\.", whole)
