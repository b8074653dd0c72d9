"""The desk in JupyterLab, driven in a real Chromium: one server, one page, one story."""

import json
from itertools import pairwise

import lab
import pytest
from new_game import GAME
from small import write_small

import workbench

WEIGHT = ".wb-weight .noUi-handle"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the shipped notebook, about a small game of one's own."""
    lab.needed()
    root = tmp_path_factory.mktemp("lab")
    write_small(root)
    notebook = json.loads((lab.Path(__file__).parents[2] / "notebooks" / "desk.ipynb").read_text())
    cell = notebook["cells"][1]
    cell["source"] = [line.replace("codex-of-fortune/strategy", "starter.json") for line in cell["source"]]
    (root / "desk.ipynb").write_text(json.dumps(notebook))
    return root


@pytest.fixture(scope="module")
def page(folder):
    from playwright.sync_api import sync_playwright

    with lab.server(folder) as base, sync_playwright() as playwright:
        browser, page = lab.opened(playwright, base, "desk.ipynb")
        yield page
        browser.close()


def rtp(page):
    return page.locator('tr[data-figure="rtp"] .wb-now').inner_text()


def changed(page, old):
    page.wait_for_function(
        "old => {const e = document.querySelector('tr[data-figure=\"rtp\"] .wb-now'); return e && e.innerText !== old}",
        arg=old,
        timeout=lab.WAIT,
    )
    return rtp(page)


def exact(strips):
    return f"{workbench.evaluate(strips)['rtp']:.10g}"


def tab(page, name):
    page.locator(".wb-desk .lm-TabBar-tab", has_text=name).click()


def test_the_desk_in_a_browser(page, folder):
    own = workbench.load(folder / "starter.json", folder / f"{GAME}.toml")
    first = exact(own)
    assert rtp(page) == first

    # a slider: one stop more with the first symbol on reel 1
    handle = page.locator(".wb-count .noUi-handle").first
    handle.focus()
    page.keyboard.press("ArrowRight")
    symbol = own.game.symbols.all[0]
    more = own.set_count("base", 0, symbol, own.set.reels["base"][0].count(symbol) + 1)
    assert changed(page, first) == exact(more)
    page.locator(".wb-undo").click()
    assert changed(page, exact(more)) == first

    # the heat map: a click applies the swap
    tab(page, "Heat map")
    page.locator(".wb-heat").click()
    cell = page.locator(".wb-swap-0-1")
    cell.wait_for(timeout=lab.WAIT)
    before = own.set.reels["base"][0]
    stop = next(i for i, s in enumerate(before) if s != symbol)
    page.locator(f".wb-swap-0-{stop}").click()
    swapped = own.swap("base", 0, stop, symbol)
    assert changed(page, first) == exact(swapped)

    # saved, undone, loaded
    page.locator(".wb-path input").fill("kept.json")
    page.locator(".wb-save").click()
    page.locator(".wb-saved").wait_for(timeout=lab.WAIT)
    assert workbench.load(folder / "kept.json", folder / f"{GAME}.toml").set.reels == swapped.set.reels
    page.locator(".wb-undo").click()
    assert changed(page, exact(swapped)) == first
    page.locator(".wb-load").click()
    assert changed(page, first) == exact(swapped)

    # a bad request is told in place, and the desk goes on
    page.locator(".wb-path input").fill("nowhere.json")
    page.locator(".wb-load").click()
    page.locator(".wb-error").wait_for(timeout=lab.WAIT)
    assert "nowhere.json" in page.locator(".wb-error").inner_text()
    page.locator(".wb-undo").click()
    assert changed(page, exact(swapped)) == first

    # weights of 0 everywhere: the last one is refused in place, and the desk goes on
    tab(page, "Weights")
    weights = page.locator(WEIGHT)
    for i in range(weights.count()):
        weights.nth(i).focus()
        page.keyboard.press("Home")
    page.locator(".wb-error").wait_for(timeout=lab.WAIT)
    for _ in range(weights.count() - 1):
        page.locator(".wb-undo").click()
    page.locator(".wb-error").wait_for(state="detached", timeout=lab.WAIT)
    assert rtp(page) == first

    # a study, stopped on demand
    tab(page, "Optimise")
    page.locator(".wb-optimise").click()
    page.locator(".wb-stop:not([disabled])").click(timeout=lab.WAIT)
    page.locator(".wb-optimise:not([disabled])").wait_for(timeout=lab.WAIT)
    assert page.locator(".wb-study").inner_text() != ""
    assert rtp(page) == first


def test_no_part_of_the_desk_overlaps_another(page):
    boxes = page.evaluate("""() => [...document.querySelectorAll('.wb-desk > *')].map(e => {
        const r = e.getBoundingClientRect(); return [r.top, r.bottom]}).filter(([a, b]) => b > a)""")
    assert len(boxes) > 1
    assert all(low <= high + 1 for (_, low), (high, _) in pairwise(boxes))
