"""A slider moved to figures on screen, measured in the browser: the median of each game goes into reports/desk/latency.json.

Run with ``pytest tests/benchmarks/test_desk_latency.py``; it writes the file only with WORKBENCH_WRITE_REPORTS=1.
"""

import json
import os
import statistics
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "desk"))
import lab

ROOT = Path(__file__).parents[2]
MOVES = 21
SHIPPED = ("codex-of-fortune/strategy", "spellmaster/rtp-92")
MEASURE = """() => { window.wbTook = null;
  const now = () => document.querySelector('tr[data-figure="rtp"] .wb-now').innerText, old = now();
  window.addEventListener('keydown', () => { const begun = performance.now();
    const look = () => now() !== old ? window.wbTook = performance.now() - begun : requestAnimationFrame(look);
    requestAnimationFrame(look); }, {once: true, capture: true}); }"""


def moves(page):
    """Milliseconds from the key that moves a weight to other figures on screen."""
    page.locator(".wb-desk .lm-TabBar-tab", has_text="Weights").click()
    handle = page.locator(".wb-weight .noUi-handle").first
    took = []
    for _ in range(MOVES):
        handle.focus()
        page.evaluate(MEASURE)
        page.keyboard.press("ArrowRight")
        page.wait_for_function("() => window.wbTook !== null", timeout=lab.WAIT)
        took.append(page.evaluate("window.wbTook"))
        page.wait_for_timeout(100)
    return took


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    lab.needed()
    root = tmp_path_factory.mktemp("lab")
    text = (ROOT / "notebooks" / "desk.ipynb").read_text()
    for name in SHIPPED:
        (root / f"{name.split('/')[0]}.ipynb").write_text(text.replace(SHIPPED[0], name))
    (root / "desk.ipynb").write_text(text)
    return root


def test_a_slider_moved_to_figures_on_screen(folder):
    from playwright.sync_api import sync_playwright

    found = {}
    with lab.server(folder) as base, sync_playwright() as playwright:
        for name in SHIPPED:
            browser, page = lab.opened(playwright, base, f"{name.split('/')[0]}.ipynb")
            took = moves(page)
            found[name] = {"median_ms": round(statistics.median(took)), "moves_ms": [round(t) for t in took]}
            browser.close()
    print(found)
    if os.environ.get("WORKBENCH_WRITE_REPORTS"):
        path = ROOT / "reports" / "desk" / "latency.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(found, indent=2) + "\n")
