"""The page: the same bytes from the same sheet, nothing from elsewhere, no text of the user as markup."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from report.sheets import NAMES, NASTY, SHIPPED, line_sheet, nasty_sheet, shipped
from workbench.report.par_html import par_html
from workbench.report.par_model import par_json

VOID = {"meta", "link", "br"}


class Page(HTMLParser):
    """Collects elements and attributes; every element must be closed in its turn."""

    def __init__(self, data: bytes) -> None:
        super().__init__()
        self.tags, self.attributes, self.open = set(), set(), []
        self.feed(data.decode())
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", NAMES)
def test_a_shipped_page_is_what_its_sheet_makes(name):
    folder = SHIPPED / name
    assert (folder / "par.html").read_bytes() == par_html(shipped(name))
    assert (folder / "par.json").read_bytes() == par_json(shipped(name))
    assert all(path.stat().st_size < 1_000_000 for path in folder.iterdir())


@pytest.mark.parametrize("make", [line_sheet, nasty_sheet, *(lambda n=n: shipped(n) for n in NAMES)])
def test_a_page_needs_nothing_but_itself(make):
    data = par_html(make())
    page = Page(data)
    assert page.tags.isdisjoint({"script", "img", "iframe", "object", "embed", "form", "base", "a:script"})
    assert not {a for a in page.attributes if a.startswith("on") or a in ("src", "xlink:href")}
    assert {target[:1] for target in re.findall(r'href="([^"]*)"', data.decode())} <= {"#", "d"}
    assert (
        b"url(" not in data and b"@import" not in data and b"http://" not in data.replace(b"http-equiv", b"")
    )


def test_names_that_look_like_markup_stay_text():
    data = par_html(nasty_sheet()).decode()
    assert NASTY not in data and "<img" not in data
    assert "&lt;script&gt;" in data and "=1+1" in data


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_says_how_well_it_is_known(name):
    data = par_html(shipped(name)).decode()
    for piece in re.findall(r'<div class="table.*?</table>', data, flags=re.S):
        assert re.search(r'class="tag( exact| estimated| bounded| given)?"', piece)
