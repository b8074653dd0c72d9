"""What the README prints is what works: its Python runs, its commands answer, CI calls its test command."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()


def _blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("block", _blocks("python"))
def test_python_blocks_run(block):
    found = subprocess.run([sys.executable, "-c", block], cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    assert "0.98000" in found.stdout


def _commands(block):
    return [line.split()[1:] for line in block.splitlines() if line.startswith("workbench ")]


def _answers(words, folder):
    found = subprocess.run(
        [sys.executable, "-m", "workbench", *words], cwd=folder, capture_output=True, text=True
    )
    assert found.returncode == 0, found.stderr
    assert found.stdout


READING = [words for block in _blocks("sh") for words in _commands(block) if "workbench new " not in block]


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_commands_answer(words):
    _answers(words, ROOT)


@pytest.mark.parametrize("block", [block for block in _blocks("sh") if "workbench new " in block])
def test_commands_that_write_answer_one_after_the_other(block, tmp_path):
    for words in _commands(block):
        _answers(words, tmp_path)


def test_two_commands_set_everything_up():
    setups = [
        line for block in _blocks("sh") for line in block.splitlines() if line.startswith("python3 -m venv")
    ]
    assert len(setups) == 2
    assert "workbench optimise" in setups[0]
    assert all(tool in setups[1] for tool in ("ruff", "mypy", "pytest"))
    assert "README.md" in (ROOT / ".ci/run").read_text()
