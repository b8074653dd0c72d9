"""JupyterLab and Chromium for tests: one server with folders of its own, one page."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from workbench.commands.desk import server_command

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium")
FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]
WAIT = 60_000
FOLDERS = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")


def needed() -> None:
    """Skip without a browser."""
    pytest.importorskip("playwright", reason="pip install playwright")
    pytest.importorskip("jupyterlab")
    if CHROMIUM is None:
        pytest.skip("no chromium; apt-get install chromium")


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def setting(root: Path, plugin: str, text: str) -> None:
    """A setting of the lab."""
    path = root / ".home/jupyter_config_dir/lab/user-settings/@jupyterlab" / plugin
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@contextlib.contextmanager
def server(root: Path) -> Iterator[str]:
    """The address of a lab on a folder, by the command line that ``workbench desk`` runs."""
    port, env = free_port(), dict(os.environ)
    env |= {name: str(root / ".home" / name.lower()) for name in FOLDERS}
    env |= {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(Path(__file__).parents[2])}
    setting(
        root,
        "apputils-extension/notification.jupyterlab-settings",
        '{"fetchNews": "false", "checkForUpdates": false}',
    )
    command = [
        *server_command(root, True, port),
        *("--allow-root", "--ServerApp.ip=127.0.0.1", "--IdentityProvider.token=t0k"),
        *("--LabApp.extension_manager=readonly", "--LabApp.expose_app_in_browser=True"),
    ]
    with (root / "lab.log").open("wb") as log:
        process = subprocess.Popen(
            command, env=env, cwd=root, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        )
    try:
        _await(process, f"http://127.0.0.1:{port}/api/status?token=t0k", root / "lab.log")
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _await(process: subprocess.Popen[bytes], url: str, log: Path) -> None:
    begun = time.monotonic()
    while True:
        if process.poll() is not None:
            raise RuntimeError(log.read_text()[-3000:])
        try:
            urllib.request.urlopen(url, timeout=2).close()
            return
        except urllib.error.HTTPError:
            return
        except OSError:
            if time.monotonic() - begun > 90:
                raise
            time.sleep(0.1)


def opened(playwright, base: str, name: str, width: int = 1280):
    """A browser and its page with the notebook, all cells run."""
    browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=FLAGS)
    page = browser.new_page(viewport={"width": width, "height": 1000})
    page.route(lambda url: not url.startswith((base, "data:", "blob:")), lambda route: route.abort())
    page.goto(f"{base}/lab/tree/{name}?token=t0k&reset", wait_until="domcontentloaded")
    page.locator(".jp-NotebookPanel").wait_for(timeout=WAIT)
    page.wait_for_function("() => window.jupyterapp?.shell?.currentWidget?.sessionContext", timeout=WAIT)
    # the toolbar says idle before there is a session, and Run All is then lost
    page.evaluate("""async () => { const w = window.jupyterapp.shell.currentWidget;
        await w.context.ready; await w.sessionContext.ready; await w.sessionContext.session.kernel.info;
        await window.jupyterapp.commands.execute('notebook:run-all-cells'); }""")
    page.locator(".wb-desk .wb-figures").wait_for(timeout=WAIT)
    return browser, page
