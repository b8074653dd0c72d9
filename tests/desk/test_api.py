"""The commands as functions: what they return is what the commands print, and edits are checked against lists."""

import json
import subprocess
import sys

import pytest
from new_game import GAME, write_game

import workbench
from workbench.cli import run
from workbench.errors import StripSetError, UsageError


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    write_game(folder)
    return folder / "starter.json"


@pytest.fixture(scope="module")
def own(path):
    return workbench.load(path)


def printed(capsys, *arguments):
    capsys.readouterr()
    assert run([*map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_importing_the_package_is_cheap():
    code = "import sys, workbench; print(sorted({'numpy', 'click', 'pydantic'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"


@pytest.mark.parametrize("name", ["evaluate", "law", "session"])
def test_a_function_returns_what_the_command_prints(name, path, own, capsys):
    assert json.loads(json.dumps(getattr(workbench, name)(own).to_json())) == printed(capsys, name, path)


def test_functions_that_share_their_name_with_a_part_are_called(own):
    import workbench.verify

    assert workbench.verify(own).checks and workbench.verify.Check
    assert workbench.compare(own, own).comparison.equal


def test_simulated_figures_are_those_of_the_command(path, own, capsys):
    found = workbench.simulate(own, 20_000, seed=3).to_json()
    assert found["rtp"] == printed(capsys, "simulate", path, "--rounds", 20_000, "--seed", 3)["rtp"]


def test_nothing_is_printed(own, capsys):
    capsys.readouterr()
    for found in (own, workbench.evaluate(own), workbench.law(own), workbench.verify(own)):
        assert found._repr_html_()
        assert "\n" not in repr(found)
    assert capsys.readouterr() == ("", "")


def strip(strips):
    return list(strips.set.reels["base"][0])


def test_edits_are_those_of_a_list(own):
    before = strip(own)
    other = next(s for s in before if s != before[2])
    assert strip(own.swap("base", 0, 2, other)) == [*before[:2], other, *before[3:]]
    assert strip(own.insert("base", 0, 2, other)) == [*before[:2], other, *before[2:]]
    assert strip(own.delete("base", 0, 2)) == [*before[:2], *before[3:]]
    assert strip(own.move("base", 0, 2, 0)) == [before[2], *before[:2], *before[3:]]
    assert strip(own.set_count("base", 0, other, 0)) == [s for s in before if s != other]
    assert (
        strip(own.set_count("base", 0, other, before.count(other) + 2)).count(other)
        == before.count(other) + 2
    )
    assert strip(own) == before


def test_an_edited_set_has_the_figures_of_its_file(own, tmp_path):
    edited = own.set_count("base", 0, strip(own)[0], strip(own).count(strip(own)[0]) + 1)
    saved = edited.save(path=tmp_path / "edited.json")
    read = workbench.load(saved.loaded.path, _definition(own))
    assert read.set == saved.set and read.sha256 == saved.sha256
    assert (
        workbench.evaluate(read)["rtp"] == workbench.evaluate(edited)["rtp"] != workbench.evaluate(own)["rtp"]
    )


def _definition(own):
    return own.loaded.path.with_name(f"{GAME}.toml")


@pytest.mark.parametrize(
    ("edit", "kind", "text"),
    [
        (lambda s: s.swap("base", 0, 2, "<b>"), StripSetError, "must be one of"),
        (lambda s: s.swap("base", 0, 10_000, "A"), UsageError, "must be 0 to"),
        (lambda s: s.swap("bass", 0, 0, "A"), UsageError, "must be one of base"),
        (lambda s: s.delete("base", 99, 0), UsageError, "reel: must be 0 to"),
        (lambda s: s.save("x.txt"), UsageError, "must end in .json"),
    ],
)
def test_bad_edits_say_what_is_allowed(own, edit, kind, text):
    with pytest.raises(kind, match=text):
        edit(own)


def test_an_empty_reel_is_refused(own):
    with pytest.raises(StripSetError, match="reel 1 must have 1 to"):
        for _ in range(1000):
            own = own.delete("base", 0, 0)


def test_texts_are_escaped():
    from workbench.display.html import paragraph, picture, table

    for html in (paragraph("<b>&"), table(("<b>",), [("&",)]), picture(b"", '"<b>')):
        assert "<b>" not in html and '""' not in html


def test_frames_hold_every_stop_and_number(own):
    pandas = pytest.importorskip("pandas")
    stops = own.to_frame()
    assert isinstance(stops, pandas.DataFrame)
    assert list(stops[stops.reel == 0].query("reels == 'base'").symbol) == strip(own)
    figures = workbench.evaluate(own)
    rows = figures.to_frame().set_index("figure").value
    assert rows["rtp"] == figures["rtp"]
    law = workbench.law(own).to_frame()
    assert abs((law.win * law.probability).sum() - figures["rtp"]) < 1e-9
