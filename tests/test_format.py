"""The document of the format names every word there is, and its example is true."""

from __future__ import annotations

import json
import re
from typing import Literal, get_args, get_origin

import pytest
from command_line import CommandLine
from pydantic import BaseModel

from workbench.game import strip_rules
from workbench.game.definition import GameDefinition
from workbench.game.load import GAMES_FOLDER

TEXT = (GAMES_FOLDER / "FORMAT.md").read_text(encoding="utf-8")
CODE = " ".join(re.findall(r"`([^`\n]+)`", TEXT))


def models(kind, found):
    """Every model a model is made of."""
    if isinstance(kind, type) and issubclass(kind, BaseModel) and kind not in found:
        found.add(kind)
        for field in kind.model_fields.values():
            models(field.annotation, found)
    for part in get_args(kind):
        models(part, found)
    return found


def words(kind):
    """The values of every Literal within an annotation."""
    if get_origin(kind) is Literal:
        yield from get_args(kind)
    for part in get_args(kind):
        yield from words(part)


ALL = sorted(models(GameDefinition, set()), key=lambda model: model.__name__)


def test_the_models_are_all_there():
    assert len(ALL) > 35 and strip_rules.InSightRule in ALL


@pytest.mark.parametrize("model", ALL, ids=lambda model: model.__name__)
def test_every_key_and_every_value_is_named(model):
    for name, field in model.model_fields.items():
        if name == "sha256":
            continue
        assert re.search(rf"\b{name}\b", CODE) or f"[{name}]" in CODE, name
        for word in words(field.annotation):
            assert re.search(rf"(?<![\w-]){re.escape(str(word))}(?![\w-])", CODE), (name, word)


@pytest.fixture
def workbench(tmp_path, monkeypatch, capsysbinary) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    return CommandLine(tmp_path, capsysbinary)


def test_the_example_is_what_it_says(workbench, tmp_path):
    for language, name in (("toml", "three-bars.toml"), ("json", "ten-stops.json")):
        (block,) = re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)
        (tmp_path / name).write_text(block)
    (remark,) = json.loads(workbench("check", "three-bars.toml", "--json").out)["unusual"]
    assert "no feature names 'Blank'" in remark
    figures = json.loads(workbench("evaluate", "ten-stops.json", "--json").out)
    assert figures["rtp"] == pytest.approx(0.886, abs=1e-12)
    assert figures["hit_frequency"] == pytest.approx(0.126, abs=1e-12)
