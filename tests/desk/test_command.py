"""``workbench desk``: a server that answers, ends on Ctrl-C, and says in a line what it can't do."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import lab
import pytest


def settings(root):
    """An environment with folders of its own, in which a server may run as root, as it does in a container."""
    folders = {name: str(root / ".home" / name.lower()) for name in lab.FOLDERS}
    config = lab.Path(folders["JUPYTER_CONFIG_DIR"]) / "jupyter_server_config.json"
    config.parent.mkdir(parents=True)
    config.write_text('{"ServerApp": {"allow_root": true}}')
    return dict(os.environ) | folders


def command(*words):
    return [sys.executable, "-m", "workbench", "desk", "--no-browser", *map(str, words)]


def test_the_server_answers_and_ends_on_ctrl_c(tmp_path):
    pytest.importorskip("jupyterlab")
    port, env = lab.free_port(), settings(tmp_path)
    # a test that runs in the background is deaf to Ctrl-C, and so would its children be
    log = (tmp_path / "log").open("wb")
    process = subprocess.Popen(
        command("--port", port, "--folder", tmp_path / "books"),
        env=env, stdout=log, stderr=subprocess.STDOUT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    try:
        deadline = time.monotonic() + 60
        while True:
            assert process.poll() is None, (tmp_path / "log").read_text()[-2000:]
            assert time.monotonic() < deadline
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/api/contents", timeout=2).close()
            except urllib.error.HTTPError as error:
                # without its token it says no
                assert error.code == 403
                break
            except OSError:
                time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait()
        log.close()
    assert (tmp_path / "books" / "01-strips-and-windows.ipynb").is_file()
    assert (tmp_path / "books" / "desk.ipynb").is_file()


@pytest.mark.parametrize("port", ["0", "70000", "x"])
def test_a_wrong_port_is_told_in_a_line(port):
    done = subprocess.run(command("--port", port), capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--port" in done.stderr and "Traceback" not in done.stderr


def test_a_folder_that_cannot_be_made_is_told_in_a_line(tmp_path):
    (tmp_path / "file").write_text("")
    done = subprocess.run(
        command("--folder", tmp_path / "file" / "books"), capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "can't be written" in done.stderr and "Traceback" not in done.stderr


def test_a_port_in_use_is_not_another_one(tmp_path):
    pytest.importorskip("jupyterlab")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = subprocess.run(
            [*command("--port", taken.getsockname()[1], "--folder", tmp_path / "books")],
            capture_output=True, text=True, check=False, timeout=60,
            env=settings(tmp_path),
        )  # fmt: skip
    assert done.returncode != 0
    assert "in use" in done.stderr
