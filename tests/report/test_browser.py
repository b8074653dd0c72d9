"""Pages in a real browser: no error, nothing cut off on a desk, on a phone and on paper."""

from __future__ import annotations

import shutil

import pytest

from report.sheets import NAMES, line_sheet, nasty_sheet, shipped
from workbench.report.par_html import par_html

FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
PAPER = 703  # pixels between the margins of an A4 page
SHEETS = {"lines": line_sheet, "nasty": nasty_sheet, **{n: lambda n=n: shipped(n) for n in NAMES}}
CUT = """() => [...document.querySelectorAll('h1, h2, h3, p, table, .cards li, figure')]
    .filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.box, .art')).map(e => e.outerHTML.slice(0, 80))"""
ON_PAPER = """() => [...document.querySelectorAll('table, svg, h3')]
    .filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.outerHTML.slice(0, 160))"""
TEXTS_OUTSIDE = """() => [...document.querySelectorAll('svg')].flatMap(s => { const b = s.getBoundingClientRect();
    return [...s.querySelectorAll('text')].filter(t => { const r = t.getBoundingClientRect();
        return r.left < b.left - 1 || r.right > b.right + 1 || r.top < b.top - 1 || r.bottom > b.bottom + 1; })
        .map(t => t.textContent); })"""


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="the browser tests want playwright")
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("the browser tests want chromium: apt-get install chromium")
    with playwright.sync_playwright() as p:
        running = p.chromium.launch(executable_path=chromium, args=list(FLAGS))
        yield running
        running.close()


@pytest.mark.parametrize("name", SHEETS)
def test_nothing_is_cut_off_and_nothing_goes_wrong(browser, name, tmp_path):
    path = tmp_path / "par.html"
    path.write_bytes(par_html(SHEETS[name]()))
    page = browser.new_page()
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text))
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("dialog", lambda dialog: heard.append(dialog.message))
    page.on("request", lambda request: heard.append(request.url) if request.url != path.as_uri() else None)
    page.goto(path.as_uri(), timeout=60_000)
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(CUT) == []
        assert page.evaluate(TEXTS_OUTSIDE) == []
    page.emulate_media(media="print")
    page.set_viewport_size({"width": PAPER, "height": 900})
    assert page.evaluate(ON_PAPER) == []
    assert len(page.pdf(prefer_css_page_size=True)) > 10_000
    page.close()
    assert [text for text in heard if not text.startswith("data:")] == []
