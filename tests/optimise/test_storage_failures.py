"""A storage that is damaged, away, full or forbidden is one line and exit 2, and strip files are as they were."""

import json
import os
import resource
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from optimise.tiny_line import write_tiny_line

import workbench
from workbench.cli import run
from workbench.errors import StorageError
from workbench.optimise.ledger import forget_storages
from workbench.optimise.patience import patiently

FEW = ("--seed", "1", "--trials", "40")
STRIPS = ("tuned.json", "tuned.figures.json", "tuned.target.toml")


@pytest.fixture(autouse=True)
def closed():
    yield
    forget_storages()


@pytest.fixture(scope="module")
def game(tmp_path_factory):
    return write_tiny_line(tmp_path_factory.mktemp("game"))


@pytest.fixture(scope="module")
def done(game, tmp_path_factory):
    """A run that is finished, in a journal and in SQLite."""
    out = tmp_path_factory.mktemp("done")
    assert run(["optimise", game, "--out", str(out), *FEW]) == 0
    assert run(["optimise", game, "--out", str(out), *FEW, "--storage", str(out / "tables.db")]) == 0
    forget_storages()
    return out


@pytest.fixture
def copy(done, tmp_path):
    return Path(shutil.copytree(done, tmp_path / "copy"))


def strips(out):
    return {name: (out / name).read_bytes() for name in STRIPS}


def one_line(capfd, code=2):
    error = capfd.readouterr().err
    lines = [line for line in error.splitlines() if not line.startswith("workbench: progress:")]
    assert len(lines) == 1 and lines[0].startswith("workbench: error: "), error
    return lines[0]


def test_half_a_table_file_is_refused(game, copy, capfd):
    tables, before = copy / "tables.db", strips(copy)
    data = tables.read_bytes()
    tables.write_bytes(data[: len(data) // 2])
    assert run(["optimise", game, "--out", str(copy), *FEW, "--storage", str(tables), "--resume"]) == 2
    line = one_line(capfd)
    assert "tables.db" in line and "malformed" in line
    assert strips(copy) == before


def test_half_a_journal_is_cut_to_whole_lines_and_the_run_goes_on(game, copy, done, capfd):
    journal = copy / "tuned.study.journal"
    data = journal.read_bytes()
    cut = data.rindex(b"\n", 0, len(data) // 2) - 10
    journal.write_bytes(data[:cut])
    for name in STRIPS:
        (copy / name).unlink()
    assert run(["optimise", game, "--out", str(copy), *FEW, "--resume"]) == 0
    assert "tuned.study.journal: ends within a line, which is cut off" in capfd.readouterr().err
    assert strips(copy) == strips(done)
    json.loads(journal.read_bytes().splitlines()[-1])


def test_a_journal_damaged_in_the_middle_is_refused(game, copy, capfd):
    journal, before = copy / "tuned.study.journal", strips(copy)
    data = journal.read_bytes()
    journal.write_bytes(data[: len(data) // 2] + b"\x00\xff}{" + data[len(data) // 2 :])
    assert run(["optimise", game, "--out", str(copy), *FEW, "--resume"]) == 2
    line = one_line(capfd)
    assert "tuned.study.journal" in line and "damaged" in line
    assert strips(copy) == before


def test_another_file_is_not_taken_for_a_journal(game, tmp_path, capfd):
    other = tmp_path / "notes.log"
    other.write_text("buy milk")
    assert run(["optimise", game, "--out", str(tmp_path / "o"), "--storage", str(other)]) == 2
    assert "not a journal" in one_line(capfd)
    assert other.read_text() == "buy milk"


@pytest.mark.parametrize("scheme", ["postgresql://me:hush@127.0.0.1:{}/x", "grpc://127.0.0.1:{}"])
def test_a_server_that_refuses(game, tmp_path, capfd, scheme, monkeypatch):
    monkeypatch.setattr("workbench.optimise.storage.CONNECT_SECONDS", 1)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = scheme.format(probe.getsockname()[1])
        assert run(["optimise", game, "--out", str(tmp_path), "--storage", url]) == 2
    line = one_line(capfd)
    assert "can't be used" in line and "hush" not in line


@pytest.mark.parametrize("name", ["study.txt", "weird://x", "grpc://nowhere", "postgresql://[", ""])
def test_what_is_no_storage_says_what_is_one(game, tmp_path, capfd, name):
    assert run(["optimise", game, "--out", str(tmp_path), "--storage", name]) == 2
    assert "--storage" in one_line(capfd)


@pytest.mark.parametrize("storage", ["study.journal", "study.db"])
def test_a_disk_that_is_full(game, copy, storage):
    before = strips(copy)
    command = [sys.executable, "-m", "workbench", "optimise", game, "--out", str(copy), *FEW]
    found = subprocess.run(
        [*command, "--storage", str(copy / storage)],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(Path(workbench.__path__[0]).parent)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (12_000, 12_000)),
    )
    assert found.returncode == 2, found.stderr
    errors = [line for line in found.stderr.splitlines() if line.startswith("workbench: error: ")]
    assert len(errors) == 1 and "Traceback" not in found.stderr, found.stderr
    assert storage in errors[0]
    assert strips(copy) == before


def test_a_folder_that_can_not_be_written(game, capfd):
    assert run(["optimise", game, "--out", "/proc/workbench"]) == 2
    assert "/proc/workbench: can't be written" in one_line(capfd)
    assert run(["optimise", game, "--out", "/tmp", "--storage", "/proc/study.journal"]) == 2
    assert "/proc/study.journal" in one_line(capfd)


def test_patience_ends(monkeypatch):
    calls = []

    def away():
        calls.append(1)
        raise ConnectionError("server closed the connection")

    with pytest.raises(StorageError, match=r"'grpc://x:1' failed \(server closed the connection\)"):
        patiently("grpc://x:1", away, patience=0.25)
    assert 2 <= len(calls) <= 4
    calls.clear()
    with pytest.raises(StorageError, match="disk is full"):
        patiently("a.db", lambda: calls.append(1) or (_ for _ in ()).throw(RuntimeError("disk is full")))
    assert len(calls) == 1
