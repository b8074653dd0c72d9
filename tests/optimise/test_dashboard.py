"""Optuna's own dashboard opens on the study of a run, and its tables can be read."""

import io
import json
import re

import optuna_dashboard
import pytest
from optimise.tiny_line import write_tiny_line

from workbench.cli import run
from workbench.optimise.ledger import forget_storages


def answer(app, path):
    """What the dashboard's server answers to GET, without a network."""
    status = []
    environment = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": path,
        "SERVER_NAME": "x",
        "SERVER_PORT": "1",
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": io.StringIO(),
        "wsgi.url_scheme": "http",
    }
    body = b"".join(app(environment, lambda line, *_: status.append(line)))
    assert status[0].startswith("200"), (status, body)
    return json.loads(body)


@pytest.mark.filterwarnings("ignore")
def test_the_printed_command_opens_a_readable_study(tmp_path, capfd):
    out = tmp_path / "out"
    assert (
        run(["optimise", write_tiny_line(tmp_path), "--out", str(out), "--seed", "1", "--trials", "16"]) == 0
    )
    forget_storages()
    command = re.search(
        r"^workbench: note: watch it with: optuna-dashboard (.*)$", capfd.readouterr().err, re.M
    )
    app = optuna_dashboard.wsgi(optuna_dashboard._storage_url.get_storage(command[1]))
    studies = {s["study_name"]: s["study_id"] for s in answer(app, "/api/studies")["study_summaries"]}
    assert set(studies) == {"tuned", "tuned.lines", "tuned.result"}
    root = answer(app, f"/api/studies/{studies['tuned']}")
    attributes = {a["key"]: a["value"].strip('"') for a in root["user_attrs"]}
    assert attributes["game"] == "tiny-line" and attributes["state"] == "finished"
    assert attributes["seed"] == "1" and attributes["program"].startswith("0.1.0 (")
    assert re.match(r"met, rtp 0\.9\d+, \d+ s$", attributes["result tuned"])
    stage = answer(app, f"/api/studies/{studies['tuned.lines']}")
    numbers = [t["number"] for t in stage["trials"]]
    assert numbers == list(range(len(numbers))) and len(numbers) % 8 == 0
    assert all(t["state"] == "Complete" and t["params"] and t["values"] for t in stage["trials"])
