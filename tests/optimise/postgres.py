"""A PostgreSQL server of the tests' own: a cluster in a temporary folder, on a loopback port, run by an ordinary user."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

HBA = """\
host all locked 127.0.0.1/32 scram-sha-256
host all all 127.0.0.1/32 trust
local all all trust
"""


@dataclass(frozen=True)
class Server:
    programs: Path
    folder: Path
    port: int

    def url(self, user: str = "workbench", database: str = "postgres") -> str:
        return f"postgresql://{user}@127.0.0.1:{self.port}/{database}"

    def run(self, program: str, *arguments: str) -> None:
        """One of PostgreSQL's programs, as the user who owns the cluster."""
        command = [str(self.programs / program), *arguments]
        if os.geteuid() == 0:
            command = ["setpriv", f"--reuid={_user()}", f"--regid={_user()}", "--clear-groups", *command]
        subprocess.run(command, check=True, cwd="/", stdout=subprocess.DEVNULL, timeout=60)

    def control(self, *words: str) -> None:
        self.run("pg_ctl", "-D", f"{self.folder}/data", "-w", "-s", *words)

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -k {self.folder}"
        self.control("-l", f"{self.folder}/log", "-o", options, "start")


def _user() -> int:
    """Who runs the server when the tests are run by root, as PostgreSQL refuses to be."""
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_uid
        except KeyError:
            continue
    return 65534


def _programs() -> Path:
    found = shutil.which("initdb")
    folders = [Path(found).resolve().parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for folder in folders:
        if (folder / "initdb").exists():
            return folder
    pytest.skip("PostgreSQL isn't installed (apt-get install postgresql): its tests are NOT run")


@contextmanager
def server() -> Iterator[Server]:
    """A running server; gone, with its folder, at the end."""
    programs = _programs()
    folder = Path(tempfile.mkdtemp(prefix="workbench-postgres-"))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    made = Server(programs, folder, port)
    try:
        if os.geteuid() == 0:
            os.chown(folder, _user(), _user())
        made.run("initdb", "-D", f"{folder}/data", "-A", "trust", "-U", "workbench", "--no-sync")
        (folder / "data" / "pg_hba.conf").write_text(HBA)
        made.start()
        try:
            yield made
        finally:
            made.control("-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
