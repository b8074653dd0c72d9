"""The command line from outside: what it imports, prints, and exits with."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time

import click
import pytest
from command_line import CommandLine, realistic_table, write

from workbench import cli
from workbench.cli import COMMANDS, run
from workbench.commands import figures_view, output
from workbench.reels.files import canonical_json

HEAVY = ("numpy", "scipy", "numba", "optuna", "pydantic", "rich", "matplotlib")


@pytest.fixture
def workbench(tmp_path, monkeypatch, capsysbinary) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "set.json", realistic_table())
    return CommandLine(tmp_path, capsysbinary)


def start(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "workbench", *arguments],
        capture_output=True,
        timeout=120,
        check=False,
        **options,
    )


def test_help_imports_nothing_heavy():
    code = (
        "import sys\nfrom workbench.cli import run\n"
        "for line in ('--help', '--version', 'evaluate --help', 'verify --help', 'games --help', 'no-such'):\n"
        "    run(line.split())\n"
        f"print('heavy:', [m for m in {HEAVY} if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.splitlines()[-1] == "heavy: []"
    assert "Exact figures of a strip set." in done.stdout
    assert done.stderr == "workbench: error: No such command 'no-such'; see workbench --help\n"


def test_help_is_quick():
    best = float("inf")
    for _ in range(5):
        begun = time.monotonic()
        assert start("--help").returncode == 0
        best = min(best, time.monotonic() - begun)
    assert best < 0.5


def test_version_is_that_of_the_package():
    from importlib.metadata import version

    assert start("--version", text=True).stdout == f"workbench {version('workbench')}\n"


@pytest.mark.parametrize("name", [name for name, entry in COMMANDS.items() if entry.exists])
def test_every_command_is_there_and_its_help_has_an_example(workbench, name):
    outcome = workbench(name, "--help")
    assert (outcome.code, outcome.err) == (0, "")
    assert re.search(rf"Examples?:\n\s+workbench {name}", outcome.out)
    # desk becomes a server and gives no answer of its own
    assert ("--json" in outcome.out) == (name != "desk")


def test_commands_whose_module_is_missing_are_not_shown(workbench, monkeypatch):
    absent = cli.Entry("workbench.no_such.command", "x", "Nothing.")
    monkeypatch.setitem(COMMANDS, "absent", absent)
    assert "absent" not in workbench("--help").out
    assert "No such command 'absent'" in workbench("absent").error_line


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([], "Missing command"),
        (["evaluate"], "Missing argument 'STRIPS'"),
        (["evaluate", "set.json", "more"], "unexpected extra argument (more)"),
        (["evaluate", "set.json", "--jsn"], "No such option"),
        (["--jsn"], "No such option"),
        (["evaluate", "set.json", "--strategy"], "requires an argument"),
    ],
)
def test_usage_errors_are_one_line(workbench, arguments, text):
    assert text in workbench(*arguments).error_line


def test_usage_errors_say_where_help_is(workbench):
    assert workbench("evaluate").error_line.endswith("; see workbench evaluate --help")


def test_json_is_one_object_and_the_canonical_figures(workbench):
    outcome = workbench("evaluate", "set.json", "--json")
    assert (outcome.code, outcome.err) == (0, "")
    found = json.loads(outcome.out)
    assert canonical_json(found).decode() == outcome.out
    assert found["format"] == "workbench.figures/1"
    assert found["strategy"] == "optimal"
    assert found["rtp"] == pytest.approx(sum(found["components"].values()), abs=1e-12)
    narrowed = json.loads(workbench("evaluate", "set.json", "--json", "--strategy", "never-save").out)
    assert narrowed["strategy"] == "never-save"
    assert narrowed["rtp"] == pytest.approx(found["strategies"]["never-save"], abs=1e-12)


def test_tables_are_plain_when_piped_and_fit_80_columns(workbench, monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("FORCE_COLOR", "1")
    outcome = workbench("evaluate", "set.json")
    assert (outcome.code, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert max(map(len, lines)) <= 80
    assert all(line == line.rstrip() for line in lines)
    assert "\x1b" not in outcome.out and "%" not in re.sub(r"\b9[059] %", "", outcome.out)
    found = json.loads(workbench("evaluate", "set.json", "--json").out)
    for number in (found["rtp"], found["hit_frequency"], *found["strategies"].values()):
        assert f"{number:.10g}" in outcome.out
    for text in (*found["assumptions"], found["sha256"][:16], found["lines_rtp_exact"], "from 2 banked on"):
        assert text in outcome.out


def test_exceptions_beyond_the_likeliest_are_counted(workbench):
    found = json.loads(workbench("evaluate", "set.json", "--json").out)["optimal_policy"]["exceptions"]
    assert len(found) > figures_view.MOST_EXCEPTIONS
    text = workbench("evaluate", "set.json").out
    assert f"advertised one: {len(found)}, the {figures_view.MOST_EXCEPTIONS} likeliest" in text
    assert len(re.findall(r"^use, not ", text, re.M)) <= figures_view.MOST_EXCEPTIONS


def test_warnings_are_lines_on_stderr_and_the_figures_come_all_the_same(workbench, tmp_path):
    table = realistic_table()
    strip = table["reels"]["base"][2]
    strip[strip.index("Scatter") + 1] = "Scatter"
    table["definition_sha256"] = "0" * 64
    write(tmp_path / "set.json", table)
    outcome = workbench("evaluate", "set.json", "--json")
    assert outcome.code == 0
    first, second = outcome.err.splitlines()
    assert first.startswith("workbench: warning: set.json: definition_sha256: made for definition 0000")
    assert second.startswith("workbench: warning: set.json: spacing: reels.base: reel 3: Scatter on stop")
    found = json.loads(outcome.out)
    assert found["definition_sha256"] != "0" * 64 and found["strip_set_definition_sha256"] == "0" * 64


def test_many_warnings_are_cut(capsys):
    output.warn((f"w{i}" for i in range(25)), most=20)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 21 and lines[-1] == "workbench: warning: 5 more; workbench verify lists them all"


def test_games_lists_definitions_and_sets(workbench, tmp_path):
    shelf = tmp_path / "strips" / "codex-of-fortune"
    shelf.mkdir(parents=True)
    write(shelf / "mine.json", realistic_table())
    (shelf / "mine.figures.json").write_text("{}")
    found = {game["game"]: game for game in json.loads(workbench("games", "--json").out)["games"]}
    assert set(found) == {"codex-of-fortune", "spellmaster"}
    sets = {s["name"]: s["file"] for s in found["codex-of-fortune"]["strip_sets"]}
    assert sets["codex-of-fortune/mine"] == os.path.join("strips", "codex-of-fortune", "mine.json")
    assert not any("figures" in name for name in sets)
    text = workbench("games").out
    assert "codex-of-fortune/mine  strips/codex-of-fortune/mine.json" in text and "Spellmaster" in text
    assert workbench("evaluate", "codex-of-fortune/mine").code == 0


def failing(error: BaseException):
    def raise_it() -> None:
        raise error

    return click.Command("fail", callback=raise_it)


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (KeyboardInterrupt(), 130, "workbench: interrupted: stopped by Ctrl-C"),
        (click.Abort(), 130, "workbench: interrupted: stopped by Ctrl-C"),
        (
            RuntimeError("a\nb"),
            2,
            "workbench: internal error: RuntimeError: a\\nb (WORKBENCH_DEBUG=1 shows where)",
        ),
        (click.UsageError("bad\nworse"), 2, "workbench: error: bad\\nworse; see workbench evaluate --help"),
    ],
)
def test_whatever_happens_is_one_line(monkeypatch, capsys, error, code, line):
    monkeypatch.setattr(cli.LazyGroup, "get_command", lambda self, ctx, name: failing(error))
    assert run(["evaluate"]) == code
    assert capsys.readouterr().err == line + "\n"


def test_debug_shows_the_traceback(monkeypatch):
    monkeypatch.setattr(cli.LazyGroup, "get_command", lambda self, ctx, name: failing(RuntimeError("deep")))
    monkeypatch.setenv("WORKBENCH_DEBUG", "1")
    with pytest.raises(RuntimeError, match="deep"):
        run(["evaluate"])


def test_ctrl_c_in_a_real_process_is_130(tmp_path):
    """A process that reads a fifo waits for ever, until it is interrupted."""
    os.mkfifo(tmp_path / "set.json")
    process = subprocess.Popen(
        [sys.executable, "-m", "workbench", "evaluate", "set.json", "--game", "codex-of-fortune"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # a shell that runs the tests in the background has made its children deaf to Ctrl-C
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    writer = os.open(tmp_path / "set.json", os.O_WRONLY)  # returns once the process has opened the fifo
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    os.close(writer)
    assert (process.returncode, out, err) == (130, b"", b"workbench: interrupted: stopped by Ctrl-C\n")


@pytest.mark.parametrize(("arguments", "code"), [(["games"], 0), (["verify", "set.json"], 1)])
def test_a_reader_who_hangs_up_changes_no_exit_code(tmp_path, arguments, code):
    write(tmp_path / "set.json", realistic_table())
    read, wrote = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, "-m", "workbench", *arguments],
        cwd=tmp_path, stdout=wrote, stderr=subprocess.PIPE, timeout=60, check=False,
    )  # fmt: skip
    os.close(wrote)
    assert (done.returncode, done.stderr) == (code, b"")


def test_real_process_with_a_locale_of_ascii(tmp_path):
    (tmp_path / "Köln").mkdir()
    write(tmp_path / "Köln" / "set.json", realistic_table())
    env = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = start("verify", "Köln/set.json", "--json", cwd=tmp_path, env=env)
    assert done.returncode == 1 and done.stderr == b""
    assert json.loads(done.stdout.decode())["game"] == "codex-of-fortune"
    done = start("evaluate", "Köln/none.json", cwd=tmp_path, env=env)
    assert done.returncode == 2
    assert done.stderr.startswith(b"workbench: error: K") and done.stderr.count(b"\n") == 1


def test_solved_strategies_reach_the_simulator(workbench):
    from oracles.games import shipped_game
    from simulate.sets import realistic

    from workbench.simulate.inputs import SOLVER
    from workbench.solved import solved_table
    from workbench.value.round import evaluate

    assert cli.SOLVER == SOLVER
    table = solved_table(shipped_game(), realistic(), "optimal")
    policy = evaluate(shipped_game(), realistic()).solution("optimal").policy
    banks, _, steps, keys = policy.save.shape
    for f, step, k, b in ((0, 3, 3, 0), (0, 3, 1, 0), (1, 2, 5, 1), (1, steps - 1, keys - 1, banks - 1)):
        assert table.saves(bool(f), step + 1, k, b) == policy.save[b, f, step, k]
    assert [table.uses(b) for b in range(5)] == [False, False, True, True, True]
